/* Copies pieces of a product's inputs so that the tile functions read them straight on: whole
 * vectors of B, rows of A side by side. */
#ifndef ASSAY_CPU_REF_PACK_H
#define ASSAY_CPU_REF_PACK_H

#include "cpu_ref/product.h"

/* Packs B[first, first + k) x [column, column + columns) into rows of whole vectors; lanes that the
 * matrix has no column for are 0 and belong to no element. Returns the distance of the rows. */
size_t pack_panel(const struct product *product, size_t first, size_t k, size_t column,
                  size_t columns, size_t lanes, float *ret_panel);

/* Packs A[row, row + rows) x [first, first + k), one step's rows after the other. */
void pack_rows(const struct product *product, size_t row, size_t rows, size_t first, size_t k,
               float *ret_rows);

#endif
