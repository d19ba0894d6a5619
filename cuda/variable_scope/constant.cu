/* A __constant__ array that is written before each launch, so that a launch that reads what its
 * cache has of the one before is wrong. The values are kept as in the kernel `device`. Clauses:
 * variable_scope.lifetime.launches, variable_scope.constant.latest. */
#include "variable_scope/kept.h"

CONSTANT(unsigned, launch_steps, COLUMNS_MAX)

KERNEL(variable_scope_constant, struct variable_scope_call, call)
{
    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= call.n)
        return;
    const unsigned value = kept_before(&call, index, 0);
    keep(&call, index, step(value, launch_steps[index % COLUMNS_MAX]));
}
