/* C = A times its transpose through tiles, any size. Against naive: a block of 16x16 threads loads
 * 16 rows of A for its rows of C and 16 for its columns, both coalesced along k, and walks them in
 * shared memory. The tile for the columns is read down a column of threads, so its rows are padded
 * by a word. The chain stops at k = K; nothing is padded with zeros.
 * Clauses: aat.order.ascending, aat.order.tail, numerics.contraction.none. */
#include "device.h"
#include "aat/call.h"

enum { TILE = 16 };

KERNEL(aat_tiled, struct aat_call, call)
{
    SHARED float row_tile[TILE][TILE];
    SHARED float column_tile[TILE][TILE + 1]; /* [column of C][k] */
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long row_step = (long long)gridDim.y * TILE;

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long row = first_row + y;
        float sum = 0.0f;
        for (long long first_k = 0; first_k < call.k; first_k += TILE) {
            const long long left = call.k - first_k;
            const int depth = left < TILE ? (int)left : TILE;
            if (row < call.m && x < left)
                row_tile[y][x] = call.a[row * call.lda + first_k + x];
            if (first_column + y < call.m && x < left)
                column_tile[y][x] = call.a[(first_column + y) * call.lda + first_k + x];
            __syncthreads();
            for (int k = 0; k < depth; k++)
                sum = fmaf(row_tile[y][k], column_tile[x][k], sum);
            __syncthreads();
        }
        if (row < call.m && first_column + x < call.m)
            call.c[row * call.ldc + first_column + x] = sum;
    }
}
