/* The definition of adjacent_difference.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest. */
#include "cpu_ref/golden.h"

#include <float.h>
#include <stdint.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be evaluated as floats: on i686 use SSE2");

void golden_adjacent_difference(const float *a, float *b, size_t n)
{
    for (uint64_t index = 0; index < n; index++)
        b[index] = a[index] - (index > 0 ? a[index - 1] : 0.0f);
}
