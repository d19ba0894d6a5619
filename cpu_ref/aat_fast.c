/* Aat's bits, sooner: B is A read by columns (product.h). Clause: aat.order.ascending. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_aat_fast(struct golden_input a, struct golden_output c, size_t m, size_t k,
                     unsigned threads)
{
    struct product product = {.a = a.base + a.offset,
                              .a_row = a.leading,
                              .b = a.base + a.offset,
                              .b_row = 1,
                              .b_column = a.leading,
                              .c = c.base + c.offset,
                              .c_row = c.leading,
                              .m = m,
                              .n = m,
                              .k = k};
    product_compute(&product, threads);
}
