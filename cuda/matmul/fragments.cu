/* Matrix product that reads the operands of the next step while it multiplies those of this one.
 * Against warps: A's tile is transposed on its way to shared memory, by asynchronous copies of 4
 * bytes, so a thread's 16 rows of a step are 4 reads of 16 bytes instead of 16 reads for four
 * steps. A step's operands are then 24 registers instead of 96 for four, and two steps fit beside
 * the sums: no multiply-add waits for shared memory, not even the first of a tile, whose operands
 * are read before the last step of the tile before. Two stages suffice, since the last reads of a
 * stage precede the barrier that shows the next one.
 * Nothing else may slow the multiply-adds, so: six steps are laid out in a row, 13 KB of code,
 * which an SM's instruction cache holds, as it does not hold all 24 of a tile; each six steps start
 * a third of the next tile's copies, between the reads of shared memory instead of before them all;
 * and results are stored one by one, which leaves the compiler free to keep each sum in the bank of
 * registers that its factors are not in (stores of 16 bytes need sums side by side).
 * A copying warp has 4 rows and 8 steps of A: whole sectors of 32 bytes, and with 4 floats of
 * padding 32 different banks. A multiplying warp has 64 x 64 results: the reads of 16 bytes have 4
 * and 8 addresses, side by side. A row of A below the last one is the last one again, columns of B
 * after the last one are zeros; their results are not stored. Clauses: matmul.order.ascending,
 * matmul.order.tail, numerics.contraction.none, memory.reads.inside. */
enum { TILE = 128, ROWS = 16, THREADS = 128, PITCH = TILE + 4, STAGES = 2 };
enum {
    DEPTH = 24,
    GROUP = 6,
    GROUPS = DEPTH / GROUP,
    PART = 8,
    PARTS = DEPTH / PART,
    PART_ROWS = 8
};

#include "matmul/call.h"
#include "fragment.inc"

struct stage {
    float4 a[DEPTH][PITCH / 4]; /* [step][row / 4] */
    float4 b[DEPTH][TILE / 4];  /* [step][column / 4] */
};

/* This thread's part of the copies of a block's tiles. */
struct copies {
    const float *a, *b;          /* the first elements, at this step of the chain */
    long long a_rows[PART_ROWS]; /* from the first row to each */
    long long ldb;
    unsigned a_row, a_step; /* where they go in a stage */
    unsigned b_step, b_column;
    unsigned b_left; /* columns of B that there are from this one on, up to four */
};

DEVICE void copy_b(float4 *to, const float *from, unsigned left, bool aligned)
{
    if (aligned) {
        copy_async_16_part(to, from, 4 * left);
        return;
    }
    UNROLL(4)
    for (unsigned column = 0; column < 4; column++)
        copy_async_4_part((float *)to + column, from + column, column < left ? 4 : 0);
}

/* Starts this thread's copies of 8 of a stage's steps, of which `left` are there, and goes to the
 * next ones. */
DEVICE void copy_part(struct stage *stage, struct copies *copies, unsigned part, unsigned left,
                      bool aligned)
{
    const unsigned a_step = part * PART + copies->a_step, b_step = part * PART + copies->b_step;
    UNROLL(8)
    for (unsigned each = 0; each < PART_ROWS; each++)
        if (left == DEPTH || a_step < left)
            copy_async_4_folded((float *)stage->a[a_step] + copies->a_row + 4 * each,
                                copies->a + copies->a_rows[each]);
    UNROLL(2)
    for (unsigned each = 0; each < PART; each += 4)
        if (left == DEPTH || b_step + each < left)
            copy_b(&stage->b[b_step + each][copies->b_column / 4], copies->b + each * copies->ldb,
                   copies->b_left, aligned);
    copies->a += PART;
    copies->b += PART * copies->ldb;
}

DEVICE void copy_stage(struct stage *stage, struct copies *copies, unsigned left, bool aligned)
{
    UNROLL(1)
    for (unsigned part = 0; part < PARTS; part++)
        copy_part(stage, copies, part, left, aligned);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
}

/* The chains of a block's tile. */
DEVICE void add_tile(struct stage *stages, struct copies *copies, struct place place, long long k,
                     bool aligned, float4 sum[ROWS][2])
{
    struct fragment fragments[2];
    unsigned reads = 0;
    if (k >= DEPTH) {
        copy_stage(&stages[0], copies, DEPTH, aligned);
        fragment_read(&fragments[0], stages[0].a[0], stages[0].b[0], place);
    }
    UNROLL(1)
    for (; k >= DEPTH; k -= DEPTH) {
        const struct stage *const stage = &stages[reads];
        const bool is_more = k >= 2 * DEPTH;
        reads = 1 - reads;
        UNROLL(1)
        for (unsigned group = 0; group < GROUPS - 1; group++) {
            if (is_more)
                copy_part(&stages[reads], copies, group, DEPTH, aligned);
            UNROLL(6)
            for (unsigned step = 0; step < GROUP; step++) {
                const unsigned next = group * GROUP + step + 1;
                fragment_read(&fragments[(step + 1) % 2], stage->a[next], stage->b[next], place);
                fragment_add(&fragments[step % 2], sum);
            }
        }
        copy_async_commit();
        UNROLL(6)
        for (unsigned step = DEPTH - GROUP; step < DEPTH - 1; step++) {
            fragment_read(&fragments[(step + 1) % 2], stage->a[step + 1], stage->b[step + 1],
                          place);
            fragment_add(&fragments[step % 2], sum);
        }
        copy_async_wait(0);
        __syncthreads();
        if (is_more)
            fragment_read(&fragments[0], stages[reads].a[0], stages[reads].b[0], place);
        fragment_add(&fragments[(DEPTH - 1) % 2], sum);
    }
    if (k > 0)
        copy_stage(&stages[reads], copies, (unsigned)k, aligned);
    UNROLL(1)
    for (unsigned step = 0; step < (unsigned)k; step++) {
        fragment_read(&fragments[0], stages[reads].a[step], stages[reads].b[step], place);
        fragment_add(&fragments[0], sum);
    }
}

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_fragments, struct matmul_call, call)
{
    DYNAMIC_SHARED(struct stage, stages);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const struct place place = place_of(thread);
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long columns = call.n - first_column;

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += (long long)gridDim.y * TILE) {
        const long long rows = call.m - first_row;
        float4 sum[ROWS][2];
        struct copies copies;
        UNROLL(16)
        for (unsigned each = 0; each < ROWS; each++)
            sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        copies.a_row = thread / 32 * 32 + thread % 32 / 8;
        copies.a_step = thread % 8;
        copies.b_step = thread / 32;
        copies.b_column = thread % 32 * 4;
        copies.b_left = copies.b_column + 4 <= columns ? 4
                        : copies.b_column < columns    ? (unsigned)columns - copies.b_column
                                                       : 0;
        copies.ldb = call.ldb;
        copies.a = call.a + copies.a_step;
        copies.b = call.b + copies.b_step * call.ldb + first_column + copies.b_column;
        UNROLL(8)
        for (unsigned each = 0; each < PART_ROWS; each++) {
            const long long row = copies.a_row + 4 * each;
            copies.a_rows[each] = (first_row + (row < rows ? row : rows - 1)) * call.lda;
        }
        if (four_are_aligned(call.b, call.ldb))
            add_tile(stages, &copies, place, call.k, true, sum);
        else
            add_tile(stages, &copies, place, call.k, false, sum);
        UNROLL(16)
        for (unsigned each = 0; each < ROWS; each++) {
            const unsigned row = row_of(place.row, each);
            float *const c = call.c + (first_row + row) * call.ldc + first_column + place.column;
            if (row < rows) {
                four_store(c, columns - place.column, false, sum[each][0]);
                four_store(c + COLUMN_STEP, columns - place.column - COLUMN_STEP, false,
                           sum[each][1]);
            }
        }
        __syncthreads(); /* the next tile's copies overwrite what others may still read */
    }
}
