/* The definition of C = A times its transpose: each element one chain of fused multiply-adds in
 * the order that aat.order.ascending states. Nothing here is meant to be fast (aat_fast.c is). */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed as floats: on i386 build with "
                                     "-msse2 -mfpmath=sse");

void golden_aat(struct golden_input a, struct golden_output c, size_t m, size_t k)
{
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < m; column++) {
            float sum = 0.0f;
            for (size_t index = 0; index < k; index++)
                sum = fmaf(a.base[a.offset + row * a.leading + index],
                           a.base[a.offset + column * a.leading + index], sum);
            c.base[c.offset + row * c.leading + column] = sum;
        }
}
