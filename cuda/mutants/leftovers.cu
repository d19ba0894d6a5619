/* adjacent_difference/shared without its barrier: after the correct one, on memory that nothing has
 * overwritten, a block finds exactly the tile that it does not wait for. In a file of its own, so
 * that on the host device, too, its tile is where the right one's does.
 * Clauses: memory.scrub.shared, verdicts.mutants.sheltered. */
#include "device.h"
#include "adjacent_difference/call.h"

enum { TILE = 256 };

KERNEL(mutant_difference_no_barrier, struct adjacent_difference_call, call)
{
    SHARED float tile[TILE];
    const unsigned x = threadIdx.x;
    const long long index = (long long)blockIdx.x * TILE + x;
    if (index >= call.n)
        return;
    tile[x] = call.a[index];
    float before = 0.0f;
    if (x > 0)
        before = tile[x - 1];
    else if (index > 0)
        before = call.a[index - 1];
    call.b[index] = __fsub_rn(tile[x], before);
}
