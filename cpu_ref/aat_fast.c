/* C = A times its transpose with the bits of golden_aat, sooner: aat.order.ascending by product.c,
 * to which a transpose is a matrix whose rows are 1 apart. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_aat_fast(struct golden_input a, struct golden_output c, size_t m, size_t k,
                     unsigned threads)
{
    product_compute(&(struct product){.m = m,
                                      .n = m,
                                      .k = k,
                                      .a = a,
                                      .b = a.base,
                                      .b_offset = a.offset,
                                      .b_row = 1,
                                      .b_column = a.leading,
                                      .c = c},
                    tile_engine_best(), threads);
}
