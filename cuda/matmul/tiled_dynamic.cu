/* Matrix product through tiles in dynamic shared memory (documents 000, 002). Against tiled: the
 * tile's edge is blockDim.x, chosen at launch as the largest that the device's threads and shared
 * memory hold (its row in kernels.def). Dynamic shared memory is one array, so B's tile starts
 * where A's ends: two arrays declared that way would be the same memory.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

KERNEL(matmul_tiled_dynamic, struct matmul_call, call)
{
    DYNAMIC_SHARED(float, tiles);
    const unsigned tile = blockDim.x;
    float *a_tile = tiles;
    float *b_tile = tiles + tile * tile;
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * tile + x;
    const long long row_step = (long long)gridDim.y * tile;

    for (long long first_row = (long long)blockIdx.y * tile; first_row < call.m;
         first_row += row_step) {
        const long long row = first_row + y;
        float sum = 0.0f;
        for (long long first_k = 0; first_k < call.k; first_k += tile) {
            const long long left = call.k - first_k;
            const unsigned depth = left < tile ? (unsigned)left : tile;
            if (row < call.m && x < left)
                a_tile[y * tile + x] = call.a[row * call.lda + first_k + x];
            if (y < left && column < call.n)
                b_tile[y * tile + x] = call.b[(first_k + y) * call.ldb + column];
            __syncthreads();
            for (unsigned k = 0; k < depth; k++)
                sum = fmaf(a_tile[y * tile + k], b_tile[k * tile + x], sum);
            __syncthreads();
        }
        if (row < call.m && column < call.n)
            call.c[row * call.ldc + column] = sum;
    }
}
