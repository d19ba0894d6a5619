/* C = AB with the bits of golden_matmul, faster (product.h). Clause: matmul.order.ascending. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_matmul_fast(struct golden_input a, struct golden_input b, struct golden_output c,
                        size_t m, size_t n, size_t k, unsigned threads)
{
    if (m == 0 || n == 0)
        return;
    struct product product = {.m = m, .n = n, .k = k, .c = c.base + c.offset, .c_row = c.leading};
    if (k > 0) { /* else A and B have no element, and need no address */
        product.a = a.base + a.offset;
        product.a_row = a.leading;
        product.b = b.base + b.offset;
        product.b_row = b.leading;
        product.b_column = 1;
    }
    product_compute(&product, tile_engine_best(), threads);
}
