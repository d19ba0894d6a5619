/* C = AB with the bits of golden_matmul, sooner: matmul.order.ascending by product.c. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_matmul_fast(struct golden_input a, struct golden_input b, struct golden_output c,
                        size_t m, size_t n, size_t k, unsigned threads)
{
    product_compute(&(struct product){.m = m,
                                      .n = n,
                                      .k = k,
                                      .a = a,
                                      .b = b.base,
                                      .b_offset = b.offset,
                                      .b_row = b.leading,
                                      .b_column = 1,
                                      .c = c},
                    tile_engine_best(), threads);
}
