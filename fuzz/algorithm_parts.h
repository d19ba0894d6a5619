/* What the rows of algorithms (algorithm_NAME.c) are made of: views, parts, and arithmetic on sizes
 * that does not overflow. */
#ifndef ASSAY_FUZZ_ALGORITHM_PARTS_H
#define ASSAY_FUZZ_ALGORITHM_PARTS_H

#include "fuzz/algorithm.h"

/* A product, and the operations of a sum of m n k products, both saturated: a view of absurd sizes
 * can be made and then refused. */
int64_t algorithm_product(int64_t left, int64_t right);
uint64_t algorithm_operations(int64_t m, int64_t n, int64_t k);

/* How many threads the golden's work is worth. */
unsigned algorithm_threads(uint64_t flops);

struct view algorithm_matrix(int64_t origin, int64_t rows, int64_t columns, int64_t leading);

/* Of elements `stride` apart, the first one `first` after the origin. */
struct view algorithm_line(int64_t origin, int64_t first, int64_t columns, int64_t stride);

/* The block's rows, whole, of an operand with so many columns. */
struct block algorithm_rows(const struct block *output, int64_t columns);

/* golden_part of a product of two parts with k terms. */
void algorithm_product_part(int64_t k, const struct block *output, const struct part_memory *parts,
                            void *ret);

/* Both copies have the same axes, the second one by another name. */
enum { COPY_N, COPY_STEP, COPY_ELEMENT, COPY_SOURCE_OFFSET, COPY_TARGET_OFFSET };

/* parts of an algorithm whose block depends on the same block of its input, and golden_part of both
 * copies. */
int algorithm_same_part(const int64_t *axis, const struct block *output,
                        struct part ret[ALGORITHM_PARTS_MAX]);
void algorithm_copy_part(const int64_t *axis, const struct block *output,
                         const struct part_memory *parts, void *ret);

#endif
