/* The definition of the adjacent difference: adjacent_difference.value.first and
 * adjacent_difference.value.rest. */
#include "cpu_ref/golden.h"

#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed as floats: on i386 build with "
                                     "-msse2 -mfpmath=sse");

void golden_adjacent_difference(const float *a, float *b, size_t n)
{
    for (size_t index = 0; index < n; index++)
        b[index] = a[index] - (index ? a[index - 1] : 0.0f);
}
