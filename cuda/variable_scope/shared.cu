/* Shared variables, which live as long as their block: all launches' steps in one launch. A row of
 * steps is a static array, the values are a dynamic one, and every value comes from the thread that
 * the block's other end has, so that a barrier or an array of another block's would show.
 * Clauses: variable_scope.shared.block, variable_scope.shared.apart. */
#include "variable_scope/step.h"

SHARED unsigned row[COLUMNS_MAX];

KERNEL(variable_scope_shared, struct variable_scope_call, call)
{
    DYNAMIC_SHARED(unsigned, values);
    const long long first = (long long)blockIdx.x * blockDim.x, count = counted(&call);
    const unsigned mirrored = blockDim.x - 1 - threadIdx.x;
    unsigned place = threadIdx.x;
    if (first + place < call.n)
        values[place] = call.initial[first + place];
    for (long long launch = 0; launch < count; launch++) {
        if (threadIdx.x < columns(&call))
            row[threadIdx.x] = number(&call, launch, threadIdx.x);
        __syncthreads();
        place = place == threadIdx.x ? mirrored : threadIdx.x;
        if (first + place < call.n)
            values[place] = step(values[place], row[place % COLUMNS_MAX]);
        __syncthreads();
    }
    if (first + threadIdx.x < call.n)
        call.target[first + threadIdx.x] = values[threadIdx.x];
}
