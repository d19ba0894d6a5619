/* The same without a barrier, and right: each thread reads from the tile only what it wrote there
 * itself, and its neighbour from global memory. It stores and loads as shared does, so what it
 * saves is the wait. The tile is volatile, or the compiler would leave it out.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest,
 * memory.guards.untouched. */
#include "device.h"
#include "adjacent_difference/call.h"

enum { TILE = 256 };

KERNEL(adjacent_difference_own, struct adjacent_difference_call, call)
{
    SHARED volatile float tile[TILE];
    const unsigned x = threadIdx.x;
    const long long index = (long long)blockIdx.x * TILE + x;
    if (index >= call.n)
        return;
    tile[x] = call.a[index];
    const float before = index == 0 ? 0.0f : call.a[index - 1];
    call.b[index] = __fsub_rn(tile[x], before);
}
