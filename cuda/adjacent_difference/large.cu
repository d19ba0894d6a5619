/* The same with the blocks of document 001, 1,024 threads: its barrier waits for 32 warps, and an
 * SM holds two such blocks at most, so that one that waits leaves little else to run. Clauses:
 * adjacent_difference.value.first, adjacent_difference.value.rest, memory.guards.untouched. */
#include "adjacent_difference/shared_tile.h"

SHARED_DIFFERENCE(adjacent_difference_large, 1024, 1024, __syncthreads)
