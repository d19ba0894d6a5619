/* Matrix product through tiles in static shared memory (documents 000, 002, 003). Against naive: a
 * block of 16x16 threads loads a 16x16 tile of A and one of B together, then every thread takes 16
 * steps of its chain from shared memory, so global traffic falls to a sixteenth. Two barriers a
 * tile: no thread reads before all have written, none overwrites before all have read. Sizes need
 * not be multiples of 16: what is outside is not loaded, and the chain stops at k = K rather than
 * run over padding, which could turn a sum of -0 into +0 or meet 0 times infinity.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { TILE = 16 };

KERNEL(matmul_tiled, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * TILE + x;
    const long long row_step = (long long)gridDim.y * TILE;

    /* The whole block takes every turn of this loop, so that all threads reach the barriers. */
    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long row = first_row + y;
        float sum = 0.0f;
        for (long long first_k = 0; first_k < call.k; first_k += TILE) {
            const long long left = call.k - first_k;
            const int depth = left < TILE ? (int)left : TILE;
            if (row < call.m && x < left)
                a_tile[y][x] = call.a[row * call.lda + first_k + x];
            if (y < left && column < call.n)
                b_tile[y][x] = call.b[(first_k + y) * call.ldb + column];
            __syncthreads();
            for (int k = 0; k < depth; k++)
                sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
            __syncthreads();
        }
        if (row < call.m && column < call.n)
            call.c[row * call.ldc + column] = sum;
    }
}
