/* C = A times its transpose with A 32 columns wide, without bank conflicts (document 004). Against
 * coalesced: the transposed tile's rows are 33 words, so the 32 words that a warp stores into one
 * column are in 32 different banks.
 * Clauses: aat.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "aat/call.h"

enum { TILE = 32 };

KERNEL(aat_padded, struct aat_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float transposed_tile[TILE][TILE + 1]; /* [k][column of C] */
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long row_step = (long long)gridDim.y * TILE;

    /* M is a multiple of the tile, so the block's threads take equally many turns. */
    for (long long row = (long long)blockIdx.y * TILE + y; row < call.m; row += row_step) {
        float sum = 0.0f;
        a_tile[y][x] = call.a[row * call.lda + x];
        transposed_tile[x][y] = call.a[(first_column + y) * call.lda + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum = fmaf(a_tile[y][k], transposed_tile[k][x], sum);
        call.c[row * call.ldc + first_column + x] = sum;
        __syncthreads();
    }
}
