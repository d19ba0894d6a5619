/* C = AB with A 32 columns wide, unoptimized (document 004, simpleMultiply). Against naive: the
 * chain's length is known when it is compiled, and M and N are multiples of the block's edge, so no
 * test is needed. All threads of a warp read one address of A at each step, and each reads a whole
 * column of B from global memory.
 * Clauses: matmul.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { TILE = 32 };

KERNEL(matmul_simple, struct matmul_call, call)
{
    const long long column = (long long)blockIdx.x * TILE + threadIdx.x;
    const long long row_step = (long long)gridDim.y * TILE;
    for (long long row = (long long)blockIdx.y * TILE + threadIdx.y; row < call.m;
         row += row_step) {
        float sum = 0.0f;
        UNROLL(8) /* all 32 would need more registers than 1024 threads have */
        for (int k = 0; k < TILE; k++)
            sum = fmaf(call.a[row * call.lda + k], call.b[k * call.ldb + column], sum);
        call.c[row * call.ldc + column] = sum;
    }
}
