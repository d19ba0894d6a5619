/* Matrix product through padded tiles (documents 002, 004). Against tiled: the tile is 32x32, A's
 * tile is kept transposed, so that step k of all rows is contiguous, and both tiles' rows are
 * one word longer than the tile. A warp stores one row of A as a column of the tile; at a row of 32
 * words all 32 stores would fall into one bank (banks are 4 bytes wide and 32 in number), at 33
 * words each falls into its own.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { TILE = 32 };

KERNEL(matmul_padded, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE + 1]; /* [k][row] */
    SHARED float b_tile[TILE][TILE + 1]; /* [k][column] */
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * TILE + x;
    const long long row_step = (long long)gridDim.y * TILE;

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long row = first_row + y;
        float sum = 0.0f;
        for (long long first_k = 0; first_k < call.k; first_k += TILE) {
            const long long left = call.k - first_k;
            const int depth = left < TILE ? (int)left : TILE;
            if (row < call.m && x < left)
                a_tile[x][y] = call.a[row * call.lda + first_k + x];
            if (y < left && column < call.n)
                b_tile[y][x] = call.b[(first_k + y) * call.ldb + column];
            __syncthreads();
            for (int k = 0; k < depth; k++)
                sum = fmaf(a_tile[k][y], b_tile[k][x], sum);
            __syncthreads();
        }
        if (row < call.m && column < call.n)
            call.c[row * call.ldc + column] = sum;
    }
}
