/* C = A times its transpose, one thread an element: row of A against row of A, both read from
 * global memory. A warp's threads read 32 different rows of A at once, the worst that an access can
 * be; it is the form to measure the others against, and takes any size.
 * Clauses: aat.order.ascending, numerics.contraction.none. */
#include "device.h"
#include "aat/call.h"

KERNEL(aat_naive, struct aat_call, call)
{
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row_step = (long long)gridDim.y * blockDim.y;
    if (column >= call.m)
        return;
    for (long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y; row < call.m;
         row += row_step) {
        float sum = 0.0f;
        for (long long k = 0; k < call.k; k++)
            sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);
        call.c[row * call.ldc + column] = sum;
    }
}
