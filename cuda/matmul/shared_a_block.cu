/* The same, with the barrier of a block where a warp's is enough (document 004 says which): what it
 * is slower by is what its 32 warps wait for each other.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "matmul/shared_a.h"

SHARED_A(matmul_shared_a_block, __syncthreads)
