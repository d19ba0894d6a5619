/* The same with a tile for each warp: only threads of one warp read what the others of it wrote, so
 * a warp's barrier is enough, and no warp waits for another. The first thread of each warp reads
 * its neighbour from global memory.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest,
 * memory.guards.untouched. */
#include "adjacent_difference/shared_tile.h"

SHARED_DIFFERENCE(adjacent_difference_warp, 256, 32, __syncwarp)
