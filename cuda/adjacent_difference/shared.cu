/* Adjacent difference through shared memory (document 001, second form). Against global: a block
 * loads its elements once into a tile and takes each element's neighbour from there; only the
 * block's first thread reads its neighbour from global memory. Threads past the end load and write
 * nothing, but reach the barrier. It is slower than global, where the cache does the same.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest,
 * memory.guards.untouched. */
#include "device.h"
#include "adjacent_difference/call.h"

enum { TILE = 256 };

KERNEL(adjacent_difference_shared, struct adjacent_difference_call, call)
{
    SHARED float tile[TILE];
    const unsigned x = threadIdx.x;
    const long long index = (long long)blockIdx.x * TILE + x;
    if (index < call.n)
        tile[x] = call.a[index];
    __syncthreads();
    if (index >= call.n)
        return;
    float before = 0.0f;
    if (x > 0)
        before = tile[x - 1];
    else if (index > 0)
        before = call.a[index - 1];
    call.b[index] = __fsub_rn(tile[x], before);
}
