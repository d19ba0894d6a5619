/* Copies pieces of a product's inputs so that the tile functions read them straight on: whole
 * vectors of B, rows of A side by side. */
#include "cpu_ref/product.h"

#include <string.h>

size_t product_pack_panel(const struct product *product, size_t first, size_t k, size_t column,
                          size_t columns, size_t lanes, float *ret_panel)
{
    const size_t width = (columns + lanes - 1) / lanes * lanes;
    const float *b = product->b + first * product->b_row + column * product->b_column;
    if (columns < width)
        memset(ret_panel, 0, k * width * sizeof *ret_panel);
    if (product->b_column == 1) {
        for (size_t step = 0; step < k; step++)
            memcpy(ret_panel + step * width, b + step * product->b_row, columns * sizeof *b);
        return width;
    }
    for (size_t step = 0; step < k; step++)
        for (size_t index = 0; index < columns; index++)
            ret_panel[step * width + index] = b[step * product->b_row + index * product->b_column];
    return width;
}

void product_pack_rows(const struct product *product, size_t row, size_t rows, size_t first,
                       size_t k, float *ret_rows)
{
    const float *a = product->a + row * product->a_row + first;
    for (size_t step = 0; step < k; step++)
        for (size_t index = 0; index < rows; index++)
            ret_rows[step * rows + index] = a[index * product->a_row + step];
}
