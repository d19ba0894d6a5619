/* Kernels whose loop over the rows that the grid does not reach at once is wrong: they are right
 * where one turn is enough. */
#include "aat/call.h"
#include "mutants/matmul_parts.h"

/* Rows beyond the grid are left out. */
KERNEL(mutant_one_turn, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    store(&call, row, column,
          row < call.m && column < call.n ? chain(&call, row, column, 0, call.k) : 0.0f);
}

/* A turn steps a block too far. */
KERNEL(mutant_turn_too_far, struct matmul_call, call)
{
    const long long column = thread_column();
    for (long long row = thread_row(); row < call.m; row += blockDim.y + gridDim.y * blockDim.y)
        if (column < call.n)
            store(&call, row, column, chain(&call, row, column, 0, call.k));
}

/* The sum is carried from one turn to the next. */
KERNEL(mutant_turn_sum_kept, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long column = thread_column();
    const long long row_step = (long long)gridDim.y * TILE;
    float sum = 0.0f;
    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long row = first_row + threadIdx.y;
        for (long long first_k = 0; first_k < call.k; first_k += TILE) {
            load_a(a_tile, &call, row, first_k);
            load_b(b_tile, &call, column, first_k);
            __syncthreads();
            sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
            __syncthreads();
        }
        store(&call, row, column, sum);
    }
}

/* Document 004's form: rows beyond the grid get the sums of the first ones. */
KERNEL(mutant_aat_turn_stale, struct aat_call, call)
{
    const long long column = thread_column();
    const long long first = thread_row();
    if (column >= call.m || first >= call.m)
        return;
    float sum = 0.0f;
    for (long long k = 0; k < call.k; k++)
        sum = fmaf(call.a[first * call.lda + k], call.a[column * call.lda + k], sum);
    for (long long row = first; row < call.m; row += (long long)gridDim.y * blockDim.y)
        call.c[row * call.ldc + column] = sum;
}
