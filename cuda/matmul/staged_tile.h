/* Tiles of A and B that come to shared memory by asynchronous copies, a stage each, and the chains
 * that read them. The including kernel says how large a block's tile is and how its threads share
 * it: TILE (rows and columns), DEPTH (steps), THREADS, A_PITCH (a row of A's tile in fours), EACH
 * (rows of a thread) which are ROW_STEP apart; a thread's 8 columns are two fours COLUMN_STEP
 * columns apart. A copy cannot transpose, so A's tile stays row by row and is read four steps at a
 * time.
 *
 * What is outside the matrices is not copied. Results outside C are computed from what the tiles
 * happen to hold, and are not stored.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none,
 * memory.reads.inside. */
#ifndef ASSAY_CUDA_MATMUL_STAGED_TILE_H
#define ASSAY_CUDA_MATMUL_STAGED_TILE_H

#include "async_copy.h"
#include "matmul/call.h"
#include "matmul/four.h"

struct stage {
    float4 a[TILE][A_PITCH];   /* [row][step / 4] */
    float4 b[DEPTH][TILE / 4]; /* [step][column / 4] */
};

/* A block's tile of C, and how its operands may be copied. */
struct staged_block {
    long long first_row, first_column;
    bool a_aligned, b_aligned;
};

/* Starts the copy of up to four floats. */
DEVICE void copy_four(float4 *to, const float *from, long long left, bool aligned)
{
    if (aligned && left >= 4) {
        copy_async_16_bypass(to, from);
        return;
    }
    UNROLL(4)
    for (int index = 0; index < 4; index++)
        if (index < left)
            copy_async_4((float *)to + index, from + index);
}

/* Starts this thread's copies of the tiles from step first_k on. A tile that is whole and aligned,
 * as nearly all of a large product are, needs no test for each copy. */
DEVICE void load_stage(struct stage *stage, const struct matmul_call *call,
                       const struct staged_block *block, long long first_k, unsigned thread)
{
    const long long rows = call->m - block->first_row, columns = call->n - block->first_column;
    const long long left = call->k - first_k;
    const unsigned a_row = thread / (DEPTH / 4), a_four = thread % (DEPTH / 4);
    const unsigned b_step = thread / (TILE / 4), b_four = thread % (TILE / 4);
    const float *a = call->a + (block->first_row + a_row) * call->lda + first_k + 4 * a_four;
    const float *b = call->b + (first_k + b_step) * call->ldb + block->first_column + 4 * b_four;
    const bool whole = block->a_aligned && block->b_aligned && rows >= TILE && columns >= TILE;
    if (whole && left >= DEPTH) {
        UNROLL(8)
        for (unsigned row = 0; row < TILE; row += THREADS / (DEPTH / 4))
            copy_async_16_bypass(&stage->a[a_row + row][a_four], a + row * call->lda);
        UNROLL(8)
        for (unsigned step = 0; step < DEPTH; step += THREADS / (TILE / 4))
            copy_async_16_bypass(&stage->b[b_step + step][b_four], b + step * call->ldb);
        return;
    }
    UNROLL(1)
    for (unsigned row = 0; row < TILE; row += THREADS / (DEPTH / 4))
        if (a_row + row < rows)
            copy_four(&stage->a[a_row + row][a_four], a + row * call->lda, left - 4 * a_four,
                      block->a_aligned);
    UNROLL(1)
    for (unsigned step = 0; step < DEPTH; step += THREADS / (TILE / 4))
        if (b_step + step < left)
            copy_four(&stage->b[b_step + step][b_four], b + step * call->ldb, columns - 4 * b_four,
                      block->b_aligned);
}

/* One step of all of a thread's chains: `a` is its member of each row's four steps. */
#define ADD_STEP(stage, step, column, a, member, sum)                                              \
    do {                                                                                           \
        const float4 left_four = (stage)->b[step][(column) / 4];                                   \
        const float4 right_four = (stage)->b[step][((column) + COLUMN_STEP) / 4];                  \
        UNROLL(16)                                                                                 \
        for (int row_ = 0; row_ < EACH; row_++) {                                                  \
            four_add((a)[row_].member, left_four, &(sum)[row_][0]);                                \
            four_add((a)[row_].member, right_four, &(sum)[row_][1]);                               \
        }                                                                                          \
    } while (0)

/* Four steps of a stage, for a thread's rows from `row` and columns from `column`. */
DEVICE void add_four_steps(const struct stage *stage, unsigned row, unsigned column, int step,
                           float4 sum[EACH][2])
{
    float4 a[EACH];
    UNROLL(16)
    for (unsigned each = 0; each < EACH; each++)
        a[each] = stage->a[row + each * ROW_STEP][step / 4];
    ADD_STEP(stage, step, column, a, x, sum);
    ADD_STEP(stage, step + 1, column, a, y, sum);
    ADD_STEP(stage, step + 2, column, a, z, sum);
    ADD_STEP(stage, step + 3, column, a, w, sum);
}

/* The last steps of a chain, fewer than a stage has; of the last four not all are there. */
DEVICE void add_last_steps(const struct stage *stage, unsigned row, unsigned column, int depth,
                           float4 sum[EACH][2])
{
    float4 a[EACH];
    int step = 0;
    UNROLL(1)
    for (; step + 4 <= depth; step += 4)
        add_four_steps(stage, row, column, step, sum);
    if (step == depth)
        return;
    UNROLL(16)
    for (unsigned each = 0; each < EACH; each++)
        a[each] = stage->a[row + each * ROW_STEP][step / 4];
    ADD_STEP(stage, step, column, a, x, sum);
    if (depth - step > 1)
        ADD_STEP(stage, step + 1, column, a, y, sum);
    if (depth - step > 2)
        ADD_STEP(stage, step + 2, column, a, z, sum);
}

DEVICE void store_tile(const struct matmul_call *call, const struct staged_block *block,
                       unsigned row, unsigned column, float4 sum[EACH][2])
{
    const bool aligned = four_are_aligned(call->c, call->ldc);
    const long long columns = call->n - block->first_column - column;
    UNROLL(16)
    for (unsigned each = 0; each < EACH; each++) {
        const long long at = block->first_row + row + each * ROW_STEP;
        float *const c = call->c + at * call->ldc + block->first_column + column;
        if (at < call->m) {
            four_store(c, columns, aligned, sum[each][0]);
            four_store(c + COLUMN_STEP, columns - COLUMN_STEP, aligned, sum[each][1]);
        }
    }
}

/* The tiles of C that this block computes, through a ring of stages. While one stage is read the
 * others are on their way. One barrier a stage is enough: it shows all threads' copies of the stage
 * that is read next, and that all have read the one that is overwritten next. */
#define STAGED_MATMUL(entry, bounds, stages_count)                                                 \
    KERNEL_WITH(bounds, entry, struct matmul_call, call)                                           \
    {                                                                                              \
        SHARED struct stage stages[stages_count];                                                  \
        const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;                            \
        const unsigned row = thread_row(thread), column = thread_column(thread);                   \
        struct staged_block block = {.first_row = (long long)blockIdx.y * TILE,                    \
                                     .first_column = (long long)blockIdx.x * TILE,                 \
                                     .a_aligned = four_are_aligned(call.a, call.lda),              \
                                     .b_aligned = four_are_aligned(call.b, call.ldb)};             \
        for (; block.first_row < call.m; block.first_row += (long long)gridDim.y * TILE) {         \
            const bool has_results =                                                               \
                block.first_row + row < call.m && block.first_column + column < call.n;            \
            float4 sum[EACH][2];                                                                   \
            UNROLL(16)                                                                             \
            for (unsigned each = 0; each < EACH; each++)                                           \
                sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);                 \
            for (int stage = 0; stage < stages_count - 1; stage++) {                               \
                if (stage * DEPTH < call.k)                                                        \
                    load_stage(&stages[stage], &call, &block, stage *DEPTH, thread);               \
                copy_async_commit();                                                               \
            }                                                                                      \
            int reads = 0, writes = stages_count - 1;                                              \
            for (long long first_k = 0; first_k < call.k; first_k += DEPTH) {                      \
                const long long ahead = first_k + (stages_count - 1) * DEPTH;                      \
                copy_async_wait(stages_count - 2);                                                 \
                __syncthreads();                                                                   \
                if (ahead < call.k)                                                                \
                    load_stage(&stages[writes], &call, &block, ahead, thread);                     \
                copy_async_commit();                                                               \
                const long long left = call.k - first_k;                                           \
                if (has_results && left >= DEPTH) {                                                \
                    UNROLL(8)                                                                      \
                    for (int step = 0; step < DEPTH; step += 4)                                    \
                        add_four_steps(&stages[reads], row, column, step, sum);                    \
                } else if (has_results) {                                                          \
                    add_last_steps(&stages[reads], row, column, (int)left, sum);                   \
                }                                                                                  \
                reads = reads + 1 == stages_count ? 0 : reads + 1;                                 \
                writes = writes + 1 == stages_count ? 0 : writes + 1;                              \
            }                                                                                      \
            if (has_results)                                                                       \
                store_tile(&call, &block, row, column, sum);                                       \
            __syncthreads();                                                                       \
        }                                                                                          \
    }

#endif
