/* A __device__ array (document 000: global memory, the scope of a grid, the lifetime of the
 * application): each launch finds there what the one before it left, and which row of steps is its
 * own. Clauses: variable_scope.lifetime.launches, variable_scope.lifetime.load. */
#include "variable_scope/kept.h"

KERNEL(variable_scope_device, struct variable_scope_call, call)
{
    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= call.n)
        return;
    /* modulo: what a load left may be anything, and is not to be an address */
    const long long row = kept_launches[index] % call.launches;
    const unsigned value = kept_before(&call, index, was_loaded(&call));
    keep(&call, index, step(value, number(&call, row, index)));
}
