/* The values that break kernels, axis by axis, and the work that a case may cost. */
#ifndef ASSAY_FUZZ_GENERATOR_AXES_H
#define ASSAY_FUZZ_GENERATOR_AXES_H

#include "fuzz/case.h"

/* Every axis chooses among this many values; prime, so that columns i + c * j modulo it are
 * pairwise orthogonal (generator.c). */
enum { SIDE = 37 };

/* Sizes, ascending. */
struct ladder {
    int count;
    int64_t size[SIDE];
};

extern const struct ladder ladder_line;     /* one size: from 0 to 4097 */
extern const struct ladder ladder_matrix;   /* several sizes: from 0 to 257 */
extern const struct ladder ladder_document; /* what document 004 takes: multiples of 32 */

/* The greatest size of the ladder below `size`; 0 where there is none. */
int64_t ladder_below(const struct ladder *ladder, int64_t size);

/* Value number `digit` < SIDE of an axis that is no size. Of a leading dimension it is what is
 * added to `width`. */
int64_t axis_value(enum axis_kind kind, int digit, int64_t width);

/* Fill number `digit` < SIDE, the fills that show more, more often; always one that fits the case.
 */
int axis_fill(const struct fuzz_case *test_case, int digit);

/* The place of `index` in an order of [0, count) that the seed chooses: a bijection. */
uint64_t generator_shuffle(uint64_t seed, uint64_t index, uint64_t count);

/* The value number that case `rank` of the boundary cross has in column `column`: the axes in
 * order, then the fill. */
int generator_cross_digit(uint64_t rank, int column);

struct budget {
    int64_t output_elements;
    int64_t operand_elements;
    int64_t operand_bytes;
    uint64_t flops;
};

/* True when the case is within the budget. */
bool budget_holds(const struct budget *budget, const struct fuzz_case *test_case);

#endif
