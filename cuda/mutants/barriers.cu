/* Kernels whose threads do not wait for one another as they must, or that read what shared memory
 * happened to hold. */
#include "mutants/matmul_parts.h"

enum { WARP_TILE = 32 };

/* No barrier between loading a tile and reading it. */
KERNEL(mutant_no_barrier_after_load, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        load_a(a_tile, &call, row, first_k);
        load_b(b_tile, &call, column, first_k);
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* No barrier between reading a tile and loading the next one over it. Threads without an element
 * have nothing to read and are the first to load. */
KERNEL(mutant_no_barrier_before_load, struct matmul_call, call)
{
    SHARED float a_tile[WARP_TILE][WARP_TILE];
    SHARED float b_tile[WARP_TILE][WARP_TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += WARP_TILE) {
        const long long left = call.k - first_k;
        const int depth = left < WARP_TILE ? (int)left : WARP_TILE;
        if (row < call.m && x < left)
            a_tile[y][x] = call.a[row * call.lda + first_k + x];
        if (y < left && column < call.n)
            b_tile[y][x] = call.b[(first_k + y) * call.ldb + column];
        __syncthreads();
        for (int k = 0; k < depth && row < call.m && column < call.n; k++)
            sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
    }
    store(&call, row, column, sum);
}

/* Only threads with a row of C reach the first barrier; in the last block of rows the others
 * continue to the second. */
KERNEL(mutant_divergent_barrier, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        load_a(a_tile, &call, row, first_k);
        load_b(b_tile, &call, column, first_k);
        if (row < call.m)
            __syncthreads();
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* B's tile is loaded for the first steps alone, and stale in all later ones. */
KERNEL(mutant_stale_b_tile, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        load_a(a_tile, &call, row, first_k);
        if (first_k == 0)
            load_b(b_tile, &call, column, first_k);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* The chain runs over the whole tile where K ends inside it, over what was left there before. */
KERNEL(mutant_stale_tail, struct matmul_call, call)
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
        sum = tile_chain(a_tile, b_tile, TILE, sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* Document 004's form with both tiles in shared memory, but with the barrier of the form before it:
 * a warp waits for itself alone, and reads rows of B's tile that other warps load. */
KERNEL(mutant_warp_barrier_for_block, struct matmul_call, call)
{
    SHARED float a_tile[WARP_TILE][WARP_TILE];
    SHARED float b_tile[WARP_TILE][WARP_TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    a_tile[y][x] = call.a[row * call.lda + x];
    b_tile[y][x] = call.b[y * call.ldb + column];
    __syncwarp();
    for (int k = 0; k < WARP_TILE; k++)
        sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
    call.c[row * call.ldc + column] = sum;
}

/* The barrier before the next load is a warp's: a warp that is done loads the next tile over rows
 * that others have still to read. */
KERNEL(mutant_warp_barrier_before_load, struct matmul_call, call)
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
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncwarp();
    }
    store(&call, row, column, sum);
}

/* Document 004's form with A in shared memory, without its warp's barrier. Warps in lockstep hide
 * it. */
KERNEL(mutant_no_warp_barrier, struct matmul_call, call)
{
    SHARED float a_tile[WARP_TILE][WARP_TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    a_tile[y][x] = call.a[row * call.lda + x];
    for (int k = 0; k < WARP_TILE; k++)
        sum = fmaf(a_tile[y][k], call.b[k * call.ldb + column], sum);
    call.c[row * call.ldc + column] = sum;
}
