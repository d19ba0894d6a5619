/* Matrix product of few steps, k at most 32: the whole chain from one stage. Against shared_ab: 16
 * x 8 results a thread as in warps, so four steps take 24 reads of shared memory for 512
 * multiply-adds instead of two for each one; A and B come by asynchronous copies of 16 bytes, with
 * one wait and one barrier for all of k; and C, nearly all of the bytes that such a product moves,
 * is written 16 bytes a thread, 256 adjacent bytes by 16 threads. Nothing overlaps within a block:
 * a second one on the SM multiplies while the first one waits for its copies or its stores.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
enum { TILE = 128, DEPTH = 32, THREADS = 128, A_PITCH = DEPTH / 4 + 1 };
enum { EACH = 16, ROW_STEP = 2, COLUMN_STEP = 64 };

#include "matmul/staged_tile.inc"

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_whole, struct matmul_call, call)
{
    SHARED struct stage stage;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned row = thread / 32 * 32 + thread % 32 / 16;
    const unsigned column = thread % 16 * 4;
    struct staged_block block = block_of(&call);
    for (; block.first_row < call.m; block.first_row += (long long)gridDim.y * TILE) {
        float4 sum[EACH][2];
        UNROLL(16)
        for (unsigned each = 0; each < EACH; each++)
            sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        load_stage(&stage, &call, &block, 0, thread);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
        if (block.first_row + row < call.m && block.first_column + column < call.n) {
            if (call.k == DEPTH) {
                UNROLL(2)
                for (int step = 0; step < DEPTH; step += 4)
                    add_four_steps(&stage, row, column, step, sum);
            } else {
                add_last_steps(&stage, row, column, (int)call.k, sum);
            }
            store_tile(&call, &block, row, column, sum);
        }
        __syncthreads();
    }
}
