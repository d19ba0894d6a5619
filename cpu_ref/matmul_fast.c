/* Matmul's bits, sooner (product.h). Clause: matmul.order.ascending. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_matmul_fast(struct golden_input a, struct golden_input b, struct golden_output c,
                        size_t m, size_t n, size_t k, unsigned threads)
{
    struct product product = {.a = a.base + a.offset,
                              .a_row = a.leading,
                              .b = b.base + b.offset,
                              .b_row = b.leading,
                              .b_column = 1,
                              .c = c.base + c.offset,
                              .c_row = c.leading,
                              .m = m,
                              .n = n,
                              .k = k};
    product_compute(&product, threads);
}
