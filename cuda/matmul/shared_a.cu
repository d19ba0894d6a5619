/* C = AB with A 32 columns wide, A's tile in shared memory (document 004, coalescedMultiply).
 * Against simple: each element of A is read from global memory once, coalesced, and its 31 further
 * uses come from shared memory. One row of the tile is written and read by one warp alone, so a
 * warp's barrier is enough; that holds only because a tile's row is as long as a warp.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { TILE = 32 };

KERNEL(matmul_shared_a, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * TILE + x;
    const long long row_step = (long long)gridDim.y * TILE;
    for (long long row = (long long)blockIdx.y * TILE + y; row < call.m; row += row_step) {
        float sum = 0.0f;
        a_tile[y][x] = call.a[row * call.lda + x];
        __syncwarp();
        UNROLL(8) /* all 32 would need more registers than 1024 threads have */
        for (int k = 0; k < TILE; k++)
            sum = fmaf(a_tile[y][k], call.b[k * call.ldb + column], sum);
        call.c[row * call.ldc + column] = sum;
        __syncwarp(); /* the row is not overwritten while others of the warp read it */
    }
}
