/* Matrix product that reads the operands of the next step while it multiplies those of this one.
 * Against warps: A's tile is transposed on its way to shared memory, by asynchronous copies of 4
 * bytes, so a thread's 16 rows of a step are 4 reads of 16 bytes instead of 16 reads for four
 * steps. A step's operands are then 24 registers instead of 96 for four, and two steps fit beside
 * the sums: no multiply-add waits for shared memory, not even the first of a tile, whose operands
 * are read before the last step of the tile before. Two stages suffice, since the last reads of a
 * stage precede the barrier that shows the next one. A need not be aligned.
 * A copying warp has 4 rows and 8 steps of A: whole sectors of 32 bytes, and with 4 floats of
 * padding 32 different banks. A multiplying warp has 64 x 64 results: the reads of 16 bytes have 4
 * and 8 addresses, side by side. Clauses: matmul.order.ascending, matmul.order.tail,
 * numerics.contraction.none. */
enum { TILE = 128, ROWS = 16, DEPTH = 16, THREADS = 128, PITCH = TILE + 4, STAGES = 2 };

#include "matmul/call.h"
#include "fragment.inc"

struct stage {
    float4 a[DEPTH][PITCH / 4]; /* [step][row / 4] */
    float4 b[DEPTH][TILE / 4];  /* [step][column / 4] */
};

/* This thread's part of the copies of a block's tiles. */
struct copies {
    const float *a, *b;      /* the first elements, at this step of the chain */
    long long rows, columns; /* of the matrices, from those elements on */
    unsigned a_row, a_step;  /* where they go in a stage */
    unsigned b_step, b_column;
    int lda, ldb;
    bool whole; /* no row or column is outside, and B is aligned */
};

/* Starts this thread's copies of one stage's tiles, and goes to the next ones. */
DEVICE void load_stage(struct stage *stage, const struct matmul_call *call, struct copies *copies,
                       long long left)
{
    if (copies->whole && left >= DEPTH) {
        UNROLL(16)
        for (unsigned row = 0; row < TILE / 2; row += 4)
            copy_async_4_folded((float *)stage->a[copies->a_step] + copies->a_row + row,
                                copies->a + (long long)row * copies->lda);
        UNROLL(4)
        for (unsigned step = 0; step < DEPTH; step += THREADS / (TILE / 4))
            copy_async_16_folded(&stage->b[copies->b_step + step][copies->b_column / 4],
                                 copies->b + (long long)step * copies->ldb);
    } else {
        const bool aligned = four_are_aligned(call->b, call->ldb);
        UNROLL(1)
        for (unsigned row = 0; row < TILE / 2 && copies->a_step < left; row += 4)
            if (row < copies->rows)
                copy_async_4_folded((float *)stage->a[copies->a_step] + copies->a_row + row,
                                    copies->a + row * call->lda);
        UNROLL(1)
        for (unsigned step = 0; step < DEPTH; step += THREADS / (TILE / 4))
            if (copies->b_step + step < left)
                copy_four(&stage->b[copies->b_step + step][copies->b_column / 4],
                          copies->b + step * call->ldb, copies->columns, aligned);
    }
    copies->a += DEPTH;
    copies->b += DEPTH * call->ldb;
}

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_fragments, struct matmul_call, call)
{
    SHARED struct stage stages[STAGES];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const struct place place = place_of(thread);
    const long long first_column = (long long)blockIdx.x * TILE;
    const bool aligned = four_are_aligned(call.c, call.ldc);

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += (long long)gridDim.y * TILE) {
        const bool has_results =
            first_row + place.row < call.m && first_column + place.column < call.n;
        float4 sum[ROWS][2];
        struct fragment fragments[2];
        unsigned reads = 0;
        UNROLL(16)
        for (unsigned each = 0; each < ROWS; each++)
            sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        struct copies copies;
        copies.a_row = thread / 64 * 64 + thread % 32 / 8;
        copies.a_step = thread / 32 % 2 * 8 + thread % 8;
        copies.b_step = thread / (TILE / 4);
        copies.b_column = thread % (TILE / 4) * 4;
        copies.lda = (int)call.lda;
        copies.ldb = (int)call.ldb;
        copies.a = call.a + (first_row + copies.a_row) * call.lda + copies.a_step;
        copies.b = call.b + copies.b_step * call.ldb + first_column + copies.b_column;
        copies.rows = call.m - first_row - copies.a_row;
        copies.columns = call.n - first_column - copies.b_column;
        copies.whole = call.m - first_row >= TILE && call.n - first_column >= TILE &&
                       four_are_aligned(call.b, call.ldb) && call.lda < 1 << 24 &&
                       call.ldb < 1 << 24;
        if (call.k > 0)
            load_stage(&stages[0], &call, &copies, call.k);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
        if (call.k > 0 && has_results)
            fragment_read(&fragments[0], stages[0].a[0], stages[0].b[0], place);
        for (long long first_k = 0; first_k < call.k; first_k += DEPTH) {
            const struct stage *const stage = &stages[reads];
            const long long left = call.k - first_k;
            reads = 1 - reads;
            if (left > DEPTH)
                load_stage(&stages[reads], &call, &copies, left - DEPTH);
            copy_async_commit();
            if (has_results && left >= DEPTH) {
                UNROLL(16)
                for (unsigned step = 0; step < DEPTH - 1; step++) {
                    fragment_read(&fragments[(step + 1) % 2], stage->a[step + 1],
                                  stage->b[step + 1], place);
                    fragment_add(&fragments[step % 2], sum);
                }
            } else if (has_results) {
                UNROLL(1)
                for (unsigned step = 0; step < left; step++) {
                    fragment_read(&fragments[0], stage->a[step], stage->b[step], place);
                    fragment_add(&fragments[0], sum);
                }
            }
            copy_async_wait(0);
            __syncthreads();
            if (has_results && left > DEPTH)
                fragment_read(&fragments[0], stages[reads].a[0], stages[reads].b[0], place);
            if (has_results && left >= DEPTH)
                fragment_add(&fragments[(DEPTH - 1) % 2], sum);
        }
        UNROLL(16)
        for (unsigned each = 0; each < ROWS; each++) {
            const long long at = first_row + row_of(place.row, each);
            const long long columns = call.n - first_column - place.column;
            float *const c = call.c + at * call.ldc + first_column + place.column;
            if (has_results && at < call.m) {
                four_store(c, columns, aligned, sum[each][0]);
                four_store(c + COLUMN_STEP, columns - COLUMN_STEP, aligned, sum[each][1]);
            }
        }
    }
}
