/* C = A times its transpose with A 32 columns wide, unoptimized (document 004, simpleMultiply).
 * Against naive: the chain's length is known when it is compiled and M is a multiple of the block's
 * edge. The second factor's address moves by a whole row of A from thread to thread.
 * Clauses: aat.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "aat/call.h"

enum { TILE = 32 };

KERNEL(aat_simple, struct aat_call, call)
{
    const long long column = (long long)blockIdx.x * TILE + threadIdx.x;
    const long long row_step = (long long)gridDim.y * TILE;
    for (long long row = (long long)blockIdx.y * TILE + threadIdx.y; row < call.m;
         row += row_step) {
        float sum = 0.0f;
        UNROLL(8) /* all 32 would need more registers than 1024 threads have */
        for (int k = 0; k < TILE; k++)
            sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);
        call.c[row * call.ldc + column] = sum;
    }
}
