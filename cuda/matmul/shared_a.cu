/* C = AB with A 32 columns wide, A's tile in shared memory (document 004, coalescedMultiply).
 * Against simple: each element of A is read from global memory once, coalesced, and its 31 further
 * uses come from shared memory. One row of the tile is written and read by one warp alone, so a
 * warp's barrier is enough; that holds only because a tile's row is as long as a warp.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "matmul/shared_a.h"

SHARED_A(matmul_shared_a, __syncwarp)
