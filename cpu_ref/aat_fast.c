/* C = A times its transpose with the bits of golden_aat, faster: a product whose B is A read by
 * columns (product.h). Clause: aat.order.ascending. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"

void golden_aat_fast(struct golden_input a, struct golden_output c, size_t m, size_t k,
                     unsigned threads)
{
    if (m == 0)
        return;
    struct product product = {.m = m, .n = m, .k = k, .c = c.base + c.offset, .c_row = c.leading};
    if (k > 0) { /* else A has no element, and needs no address */
        product.a = product.b = a.base + a.offset;
        product.a_row = product.b_column = a.leading;
        product.b_row = 1;
    }
    product_compute(&product, tile_engine_best(), threads);
}
