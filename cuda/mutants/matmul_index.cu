/* Matmul kernels that each take, or leave out, a wrong element. */
#include "mutants/matmul_parts.h"

/* The width of A is used as its leading dimension. */
DEVICE float lda_is_k(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(call->a[row * call->k + k], call->b[k * call->ldb + column], sum);
    return sum;
}
PER_ELEMENT(mutant_lda_is_k, lda_is_k)

/* The width of B is used as its leading dimension. */
DEVICE float ldb_is_n(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(call->a[row * call->lda + k], call->b[k * call->n + column], sum);
    return sum;
}
PER_ELEMENT(mutant_ldb_is_n, ldb_is_n)

/* The width of C is used as its leading dimension, so rows from the second on start in the gap
 * after the first. */
KERNEL(mutant_ldc_is_n, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    if (row < call.m && column < call.n)
        call.c[row * call.n + column] = chain(&call, row, column, 0, call.k);
}

/* The chain ends one step early. */
DEVICE float k_short(const struct matmul_call *call, long long row, long long column)
{
    return chain(call, row, column, 0, call->k - 1);
}
PER_ELEMENT(mutant_k_short, k_short)

/* The chain ends one step late: a column past A's last meets a row past B's last. */
DEVICE float k_long(const struct matmul_call *call, long long row, long long column)
{
    return chain(call, row, column, 0, call->k + 1);
}
PER_ELEMENT(mutant_k_long, k_long)

/* The last column is clamped one too low, and repeats its neighbour. */
DEVICE float last_column_clamped(const struct matmul_call *call, long long row, long long column)
{
    const long long last = call->n > 1 ? call->n - 2 : 0;
    return chain(call, row, column < last ? column : last, 0, call->k);
}
PER_ELEMENT(mutant_last_column_clamped, last_column_clamped)

/* The first row starts one too late, and repeats the second. */
DEVICE float first_row_skipped(const struct matmul_call *call, long long row, long long column)
{
    return chain(call, row == 0 && call->m > 1 ? 1 : row, column, 0, call->k);
}
PER_ELEMENT(mutant_first_row_skipped, first_row_skipped)

/* Each thread's row is found by multiplying with a reciprocal, 24 bits after the point, in 32 bits:
 * the product overflows from row 256 on, whose elements go to rows 256 lower. */
KERNEL(mutant_index_overflow, struct matmul_call, call)
{
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned columns = (unsigned)call.n;
    const unsigned reciprocal = ((1u << 24) + columns - 1) / columns;
    const long long row = (index * reciprocal) >> 24;
    const long long column = index % columns;
    if (index < call.m * call.n)
        store(&call, row, column, chain(&call, row, column, 0, call.k));
}

/* Document 000: A's tile is stored with its indices swapped and read with them in order. */
KERNEL(mutant_store_transposed, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        if (row < call.m && first_k + threadIdx.x < call.k)
            a_tile[threadIdx.x][threadIdx.y] = call.a[row * call.lda + first_k + threadIdx.x];
        load_b(b_tile, &call, column, first_k);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* Document 000: the number of tiles is K divided by the tile, so the tail is dropped. */
KERNEL(mutant_tail_dropped, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long tile = 0; tile < call.k / TILE; tile++) {
        load_a(a_tile, &call, row, tile * TILE);
        load_b(b_tile, &call, column, tile * TILE);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, TILE, sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* Document 000: two arrays of dynamic shared memory are declared, and are the same memory. */
KERNEL(mutant_tiles_alias, struct matmul_call, call)
{
    DYNAMIC_SHARED(float, tiles);
    float *a_tile = tiles;
    float *b_tile = tiles;
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        if (row < call.m && first_k + x < call.k)
            a_tile[y * TILE + x] = call.a[row * call.lda + first_k + x];
        if (first_k + y < call.k && column < call.n)
            b_tile[y * TILE + x] = call.b[(first_k + y) * call.ldb + column];
        __syncthreads();
        for (unsigned k = 0; k < (unsigned)tile_depth(&call, first_k); k++)
            sum = fmaf(a_tile[y * TILE + k], b_tile[k * TILE + x], sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* B's tile is read with its indices swapped. */
KERNEL(mutant_b_tile_swapped, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        load_a(a_tile, &call, row, first_k);
        load_b(b_tile, &call, column, first_k);
        __syncthreads();
        for (int k = 0; k < tile_depth(&call, first_k); k++)
            sum = fmaf(a_tile[threadIdx.y][k], b_tile[threadIdx.x][k], sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* The last step of a full tile is left out. */
KERNEL(mutant_tile_edge_skipped, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        const int depth = tile_depth(&call, first_k);
        load_a(a_tile, &call, row, first_k);
        load_b(b_tile, &call, column, first_k);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, depth < TILE ? depth : TILE - 1, sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}
