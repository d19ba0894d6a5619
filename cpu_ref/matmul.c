/* The definition of C = AB: each element one chain of fused multiply-adds in the order that
 * matmul.order.ascending states. Nothing here is meant to be fast (matmul_fast.c is). */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed as floats: on i386 build with "
                                     "-msse2 -mfpmath=sse");

void golden_matmul(struct golden_input a, struct golden_input b, struct golden_output c, size_t m,
                   size_t n, size_t k)
{
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < n; column++) {
            float sum = 0.0f;
            for (size_t index = 0; index < k; index++)
                sum = fmaf(a.base[a.offset + row * a.leading + index],
                           b.base[b.offset + index * b.leading + column], sum);
            c.base[c.offset + row * c.leading + column] = sum;
        }
}
