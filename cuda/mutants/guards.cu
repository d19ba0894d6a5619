/* Matmul and aat kernels that write where they must not, or do not write where they must. */
#include "aat/call.h"
#include "mutants/matmul_parts.h"

/* Document 000: no test against M, so the last block writes rows past C. */
KERNEL(mutant_rows_unguarded, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    if (column < call.n)
        call.c[row * call.ldc + column] =
            row < call.m ? chain(&call, row, column, 0, call.k) : 0.0f;
}

/* The thread of a row's last element also writes the first one of the gap after it. */
KERNEL(mutant_gap_written, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    const int inside = row < call.m && column < call.n;
    store(&call, row, column, chain(&call, row, column, 0, inside ? call.k : 0));
    if (row < call.m && column == call.n && call.n < call.ldc)
        call.c[row * call.ldc + column] = 0.0f;
}

/* The last element of the last row is not written. */
KERNEL(mutant_corner_unwritten, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    const int corner = row == call.m - 1 && column == call.n - 1;
    if (row < call.m && column < call.n && !corner)
        call.c[row * call.ldc + column] = chain(&call, row, column, 0, call.k);
}

/* A is scaled by -1 in place, one row by the thread of its first element. */
KERNEL(mutant_input_negated, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    if (row >= call.m || column >= call.n)
        return;
    call.c[row * call.ldc + column] = chain(&call, row, column, 0, call.k);
    float *a = (float *)call.a + row * call.lda;
    for (long long k = 0; column == 0 && k < call.k; k++)
        a[k] = -a[k];
}

/* Only one triangle of the symmetric product is written. */
KERNEL(mutant_lower_unwritten, struct aat_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    if (row >= call.m || column >= call.m || row > column)
        return;
    float sum = 0.0f;
    for (long long k = 0; k < call.k; k++)
        sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);
    call.c[row * call.ldc + column] = sum;
}

/* The tile for the columns is loaded with the index of the tile for the rows, which is right on the
 * diagonal only. */
KERNEL(mutant_rows_for_columns, struct aat_call, call)
{
    SHARED float row_tile[TILE][TILE];
    SHARED float column_tile[TILE][TILE + 1];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        const long long left = call.k - first_k;
        if (row < call.m && x < left) {
            row_tile[y][x] = call.a[row * call.lda + first_k + x];
            column_tile[y][x] = call.a[row * call.lda + first_k + x];
        }
        __syncthreads();
        for (int k = 0; k < (left < TILE ? (int)left : TILE); k++)
            sum = fmaf(row_tile[y][k], column_tile[x][k], sum);
        __syncthreads();
    }
    if (row < call.m && column < call.m)
        call.c[row * call.ldc + column] = sum;
}

/* A padded tile is stored with rows of 17 words and read with rows of 16. */
KERNEL(mutant_padding_forgotten, struct aat_call, call)
{
    SHARED float column_tile[TILE * (TILE + 1)];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    const long long loaded = column - x + y;
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        const long long left = call.k - first_k;
        if (loaded < call.m && x < left)
            column_tile[y * (TILE + 1) + x] = call.a[loaded * call.lda + first_k + x];
        __syncthreads();
        for (unsigned k = 0; k < (left < TILE ? (unsigned)left : TILE); k++) {
            if (row < call.m)
                sum = fmaf(call.a[row * call.lda + first_k + k], column_tile[x * TILE + k], sum);
        }
        __syncthreads();
    }
    if (row < call.m && column < call.m)
        call.c[row * call.ldc + column] = sum;
}

/* An element of a block right of the diagonal is stored twice, in mirrored tiles. */
DEVICE float mirrored_sum(const struct aat_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; row < call->m && column < call->m && k < call->k; k++)
        sum = fmaf(call->a[row * call->lda + k], call->a[column * call->lda + k], sum);
    return sum;
}

/* The mirrored tile is at its place, but not transposed. */
KERNEL(mutant_mirror_unturned, struct aat_call, call)
{
    const long long row = thread_row(), column = thread_column();
    const long long to_row = column - threadIdx.x + threadIdx.y;
    const long long to_column = row - threadIdx.y + threadIdx.x;
    if (blockIdx.y > blockIdx.x)
        return;
    const float sum = mirrored_sum(&call, row, column);
    if (row < call.m && column < call.m)
        call.c[row * call.ldc + column] = sum;
    if (blockIdx.y < blockIdx.x && to_row < call.m && to_column < call.m)
        call.c[to_row * call.ldc + to_column] = sum;
}

/* The column of a mirrored element is not compared with the width of C. */
KERNEL(mutant_mirror_unbounded, struct aat_call, call)
{
    const long long row = thread_row(), column = thread_column();
    if (row > column || column > call.m)
        return;
    const float sum = mirrored_sum(&call, row, column);
    if (row < call.m)
        call.c[row * call.ldc + column] = sum;
    if (column < call.m)
        call.c[column * call.ldc + row] = sum;
}
