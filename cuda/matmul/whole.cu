/* Matrix product of few steps, k at most 32, so that C is nearly all of the bytes that it moves.
 * Against vectors: the whole chain is in shared memory at once, and A's rows as they are in memory:
 * a thread reads four of their steps at once, so no copy transposes, and all take 16 bytes. Tiles
 * are small, so six blocks share an SM, and some multiply while others copy and store. The memory
 * is not the bound: at 64 operations for the 4 bytes of a result, the roofline's two roofs meet.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
enum { QUADS_AT_ONCE = 4 };

#include "matmul/call.h"
#include "whole.inc"

struct tiles {
    row_tile left;
    column_tile right;
};

DEVICE void compute(const struct matmul_call *call, long long first_row, long long first_column,
                    bool is_whole, struct tiles *tiles)
{
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, k = (unsigned)call->k;
    const struct place place = whole_place(thread);
    const long long rows = call->m - first_row, columns = call->n - first_column;
    float4 sum[ROWS][2];
    copy_columns(tiles->right, call->b + first_column, call->ldb, columns, k, is_whole, thread);
    copy_rows(tiles->left, call->a + first_row * call->lda, call->lda, rows, k, is_whole, thread);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    add_chains(tiles->left, tiles->right, false, place, k, is_whole, sum);
    store_tile(call->c + first_row * call->ldc + first_column, call->ldc, rows, columns, is_whole,
               place, sum);
}

KERNEL_WITH(__launch_bounds__(THREADS, 6), matmul_whole, struct matmul_call, call)
{
    SHARED struct tiles tiles;
    const long long column = (long long)blockIdx.x * TILE;
    const long long row = (long long)blockIdx.y * TILE, step = (long long)gridDim.y * TILE;
    const bool is_whole = call.k == DEPTH && call.m - row >= TILE && call.m <= step &&
                          call.n - column >= TILE && four_are_aligned(call.a, call.lda) &&
                          four_are_aligned(call.b, call.ldb) && four_are_aligned(call.c, call.ldc);
    if (__builtin_expect(is_whole, 1)) {
        compute(&call, row, column, true, &tiles);
        return;
    }
    for (long long first_row = row; first_row < call.m; first_row += step) {
        compute(&call, first_row, column, false, &tiles);
        __syncthreads(); /* the next tile's copies overwrite what others may still read */
    }
}
