/* The fast forms: C = A B, where B is given by two strides, so that it may be a matrix or a
 * transpose. Each element of C is one lane that runs along k (tile.h), so neither the vectors'
 * width nor blocking nor threads can change a bit. golden_matmul_fast and golden_aat_fast
 * (golden.h) are this module's, and what else is declared here is for them and for tests:
 *
 *     struct product product = {.m = m, .n = n, .k = k, .a = a, .a_row = lda, .b = b,
 *                               .b_row = ldb, .b_column = 1, .c = c, .c_row = ldc};
 *     product_compute(&product, tile_engine_best(), threads);
 *
 * Sizes and distances are in elements. Nothing fails: without memory for packed blocks a product is
 * computed in place, and a thread that does not start leaves its part to the caller's.
 * Clauses: matmul.order.ascending, aat.order.ascending. */
#pragma once

#include "cpu_ref/golden.h"
#include "cpu_ref/tile.h"

enum { PRODUCT_THREADS_MAX = 256 };

struct product {
    size_t m, n, k;
    const float *a; /* m rows of k, a_row apart */
    size_t a_row;
    const float *b; /* element (index, column) at index * b_row + column * b_column */
    size_t b_row, b_column;
    float *c; /* m rows of n, c_row apart */
    size_t c_row;
};

/* Computes C on at most `threads` threads (at least 1); fewer where there is little work or the
 * system has none to give. */
void product_compute(const struct product *product, const struct tile_engine *engine,
                     unsigned threads);

/* Computes C, whose k is not 0, as that many rectangles, a thread each; 1 to PRODUCT_THREADS_MAX.
 */
void product_threaded(const struct product *product, const struct tile_engine *engine,
                      size_t threads);

/* Computes C, whose sizes are not 0, from packed blocks of A and B. Returns false, with nothing
 * written, when there is no memory for them. */
bool product_packed(const struct product *product, const struct tile_engine *engine);
