/* Mistakes in the kernels that stream tiles through stages of shared memory
 * (matmul/staged_tile.inc): the same tiles, small, and a pipeline of two stages with one mistake.
 */
enum { TILE = 32, DEPTH = 8, THREADS = 64, A_PITCH = DEPTH / 4 };
enum { EACH = 2, ROW_STEP = 16, COLUMN_STEP = 16 };

#include "matmul/staged_tile.inc"

enum mistake {
    COPIED_INTO_READ, /* the next tiles are copied over those that are read */
    READ_IN_FLIGHT,   /* the stage that is on its way is read */
    WAIT_SHORT,       /* the wait is for one group too few */
    NOT_COMMITTED,    /* only the first stage is a group */
    NO_BARRIER,       /* between the wait and the reads */
    BARRIER_EARLY,    /* the barrier precedes the wait */
    NO_LAST_BARRIER,  /* the next tile's first stage is copied over the last that is read */
    TAIL_DROPPED,     /* only whole stages are multiplied */
    TAIL_WHOLE,       /* the last stage is multiplied as if it were whole */
    SUM_RESET,        /* with each stage */
    SUM_KEPT,         /* for the rows of the next turn */
    SPLIT_K,          /* even and odd stages are two chains, added at the end */
    SWIZZLED,         /* fours of A are read where a swizzle would have put them */
    COLUMNS_SWAPPED   /* a thread's two fours are stored in place of each other */
};

/* This thread's part of a turn. */
DEVICE void clear(float4 sum[EACH][2])
{
    for (unsigned each = 0; each < EACH; each++)
        sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

DEVICE float4 sum_of(float4 left, float4 right)
{
    return make_float4(__fadd_rn(left.x, right.x), __fadd_rn(left.y, right.y),
                       __fadd_rn(left.z, right.z), __fadd_rn(left.w, right.w));
}

/* The first `depth` steps of a stage. */
DEVICE void add_stage(struct stage *stage, unsigned row, unsigned column, int depth,
                      const enum mistake mistake, float4 sum[EACH][2])
{
    if (mistake == SUM_RESET)
        clear(sum);
    if (mistake == SWIZZLED && depth == DEPTH) {
        add_four_steps(stage, row, column, 4 * (int)(row & 1), sum);
        add_four_steps(stage, row, column, 4 - 4 * (int)(row & 1), sum);
        return;
    }
    add_last_steps(stage, row, column, depth, sum);
}

DEVICE void multiply(const struct matmul_call *call, struct stage *stages,
                     const enum mistake mistake)
{
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned row = threadIdx.y, column = 4 * threadIdx.x;
    struct staged_block block = block_of(call);
    float4 sums[2][EACH][2];
    clear(sums[0]);
    clear(sums[1]);
    for (; block.first_row < call->m; block.first_row += (long long)gridDim.y * TILE) {
        if (mistake != SUM_KEPT)
            clear(sums[0]);
        clear(sums[1]);
        if (call->k > 0)
            load_stage(&stages[0], call, &block, 0, thread);
        copy_async_commit();
        int turn = 0;
        for (long long first_k = 0; first_k < call->k; first_k += DEPTH, turn = 1 - turn) {
            const long long left = call->k - first_k;
            const int there = left < DEPTH ? (int)left : DEPTH;
            if (mistake == BARRIER_EARLY)
                __syncthreads();
            if (mistake == WAIT_SHORT)
                copy_async_wait(1);
            else
                copy_async_wait(0);
            if (mistake != BARRIER_EARLY && mistake != NO_BARRIER)
                __syncthreads();
            if (left > DEPTH)
                load_stage(&stages[mistake == COPIED_INTO_READ ? turn : 1 - turn], call, &block,
                           first_k + DEPTH, thread);
            if (mistake != NOT_COMMITTED)
                copy_async_commit();
            if (mistake == TAIL_DROPPED && there < DEPTH)
                continue;
            add_stage(&stages[mistake == READ_IN_FLIGHT ? 1 - turn : turn], row, column,
                      mistake == TAIL_WHOLE ? DEPTH : there, mistake,
                      sums[mistake == SPLIT_K ? turn : 0]);
        }
        for (unsigned each = 0; each < EACH; each++) {
            const float4 first = sums[0][each][0];
            if (mistake == SPLIT_K && call->k > DEPTH) {
                sums[0][each][0] = sum_of(first, sums[1][each][0]);
                sums[0][each][1] = sum_of(sums[0][each][1], sums[1][each][1]);
            } else if (mistake == COLUMNS_SWAPPED) {
                sums[0][each][0] = sums[0][each][1];
                sums[0][each][1] = first;
            }
        }
        store_tile(call, &block, row, column, sums[0]);
        if (mistake != NO_LAST_BARRIER)
            __syncthreads();
    }
}

#define STAGED(name, mistake)                                                                      \
    KERNEL(name, struct matmul_call, call)                                                         \
    {                                                                                              \
        DYNAMIC_SHARED(float4, shared);                                                            \
        multiply(&call, (struct stage *)shared, mistake);                                          \
    }

STAGED(mutant_staged_over_read, COPIED_INTO_READ)
STAGED(mutant_staged_in_flight, READ_IN_FLIGHT)
STAGED(mutant_staged_wait_short, WAIT_SHORT)
STAGED(mutant_staged_no_commit, NOT_COMMITTED)
STAGED(mutant_staged_no_barrier, NO_BARRIER)
STAGED(mutant_staged_early_barrier, BARRIER_EARLY)
STAGED(mutant_staged_no_last_barrier, NO_LAST_BARRIER)
STAGED(mutant_staged_tail_dropped, TAIL_DROPPED)
STAGED(mutant_staged_tail_whole, TAIL_WHOLE)
STAGED(mutant_staged_sum_reset, SUM_RESET)
STAGED(mutant_staged_sum_kept, SUM_KEPT)
STAGED(mutant_staged_split_k, SPLIT_K)
STAGED(mutant_staged_swizzle, SWIZZLED)
STAGED(mutant_staged_columns_swapped, COLUMNS_SWAPPED)

/* Where fours are not aligned, or not all there, they are copied and stored as if they were. */

/* One thread an element, but a thread whose column is a multiple of four stores four. */
KERNEL(mutant_staged_whole_store, struct matmul_call, call)
{
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    const long long column = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x);
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row >= call.m || column >= call.n)
        return;
    for (long long k = 0; k < call.k; k++)
        four_add(call.a[row * call.lda + k],
                 four_load(call.b + k * call.ldb + column, call.n - column, false), &sum);
    four_store(call.c + row * call.ldc + column, 4, false, sum);
}

/* The same, with loads of 16 bytes whatever the address is. */
KERNEL(mutant_staged_misaligned, struct matmul_call, call)
{
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    const long long column = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x);
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row >= call.m || column >= call.n)
        return;
    for (long long k = 0; k < call.k; k++)
        four_add(call.a[row * call.lda + k],
                 four_load(call.b + k * call.ldb + column, call.n - column, true), &sum);
    four_store(call.c + row * call.ldc + column, call.n - column, false, sum);
}
