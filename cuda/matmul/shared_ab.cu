/* C = AB with A 32 columns wide, both tiles in shared memory (document 004, sharedABMultiply).
 * Against shared_a: B's tile is read from global memory once a block, not once a row. All warps of
 * the block read it, so the barrier is the block's.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { TILE = 32 };

KERNEL(matmul_shared_ab, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * TILE + x;
    const long long row_step = (long long)gridDim.y * TILE;

    /* M is a multiple of the tile, so the block's threads take equally many turns. */
    for (long long row = (long long)blockIdx.y * TILE + y; row < call.m; row += row_step) {
        float sum = 0.0f;
        a_tile[y][x] = call.a[row * call.lda + x];
        b_tile[y][x] = call.b[y * call.ldb + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
        call.c[row * call.ldc + column] = sum;
        __syncthreads();
    }
}
