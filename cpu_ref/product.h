/* What the fast forms have in common: C = A B, B given by two strides so that it may be a matrix or
 * a transpose. Each element of C is one lane that runs along k alone (tile.h), so neither the
 * vectors' width nor blocking nor threads can change a bit. */
#ifndef ASSAY_CPU_REF_PRODUCT_H
#define ASSAY_CPU_REF_PRODUCT_H

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

/* Computes C over so many threads (at least 1); fewer where there is little work or the system has
 * none to give. */
void product_compute(const struct product *product, const struct tile_engine *engine,
                     unsigned threads);

/* Computes C as that many rectangles, a thread each; 1 to PRODUCT_THREADS_MAX. */
void product_threaded(const struct product *product, const struct tile_engine *engine,
                      size_t threads);

/* Computes C, whose k is not 0, on this thread: in place where that is fast, packed where that is
 * faster. */
void product_part(const struct product *product, const struct tile_engine *engine);

/* Computes C, whose sizes are not 0, from packed blocks of A and B. False, with nothing written,
 * where there is no memory for them. */
bool product_packed(const struct product *product, const struct tile_engine *engine);

/* Packs B[first, first + k) x [column, column + columns) into rows of whole vectors; lanes that the
 * matrix has no column for are 0 and belong to no element. Returns the distance of the rows. */
size_t product_pack_panel(const struct product *product, size_t first, size_t k, size_t column,
                          size_t columns, size_t lanes, float *ret_panel);

/* Packs A[row, row + rows) x [first, first + k), one step's rows after the other. */
void product_pack_rows(const struct product *product, size_t row, size_t rows, size_t first,
                       size_t k, float *ret_rows);

#endif
