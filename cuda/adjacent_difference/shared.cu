/* Adjacent difference through shared memory (document 001, second form). Against global: a block
 * loads its elements once into a tile and takes each element's neighbour from there; only the
 * block's first thread reads its neighbour from global memory. It is slower than global, where the
 * cache does the same.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest,
 * memory.guards.untouched. */
#include "adjacent_difference/shared_tile.h"

SHARED_DIFFERENCE(adjacent_difference_shared, 256, 256, __syncthreads)
