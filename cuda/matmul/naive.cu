/* Matrix product, one thread an element (documents 000, 003). The simplest form there is: each
 * thread walks one row of A and one column of B in global memory, two loads for each fmaf. A warp's
 * threads are adjacent in a row of C, so their loads of B coalesce and those of A are one
 * address. A loop reaches rows beyond the grid's limit in y.
 * Clauses: matmul.order.ascending, numerics.contraction.none, memory.output.written. */
#include "device.h"
#include "matmul/call.h"

KERNEL(matmul_naive, struct matmul_call, call)
{
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row_step = (long long)gridDim.y * blockDim.y;
    if (column >= call.n)
        return;
    for (long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y; row < call.m;
         row += row_step) {
        float sum = 0.0f;
        for (long long k = 0; k < call.k; k++)
            sum = fmaf(call.a[row * call.lda + k], call.b[k * call.ldb + column], sum);
        call.c[row * call.ldc + column] = sum;
    }
}
