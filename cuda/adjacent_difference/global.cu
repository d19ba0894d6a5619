/* Adjacent difference from global memory (document 001, kernelAdjDiff, first form). One thread an
 * element; each reads its own element and the one before it, which the neighbour's read has brought
 * into the cache.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest. */
#include "device.h"
#include "adjacent_difference/call.h"

KERNEL(adjacent_difference_global, struct adjacent_difference_call, call)
{
    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= call.n)
        return;
    const float before = index == 0 ? 0.0f : call.a[index - 1];
    call.b[index] = __fsub_rn(call.a[index], before);
}
