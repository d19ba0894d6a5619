/* The definition of matmul, in the plainest C there is.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be evaluated as floats: on i686 use SSE2");

void golden_matmul(struct golden_input a, struct golden_input b, struct golden_output c, size_t m,
                   size_t n, size_t k)
{
    for (uint64_t row = 0; row < m; row++) {
        for (uint64_t column = 0; column < n; column++) {
            float sum = 0.0f;
            for (uint64_t index = 0; index < k; index++)
                sum = fmaf(a.base[a.offset + row * a.leading + index],
                           b.base[b.offset + index * b.leading + column], sum);
            c.base[c.offset + row * c.leading + column] = sum;
        }
    }
}
