/* Matrix product that reads the operands of the next step while it multiplies those of this one.
 * Against warps: A's tile is transposed on its way to shared memory, so a thread's 16 rows of a
 * step are 4 reads of 16 bytes instead of 16 reads for four steps. A step's operands are then 24
 * registers instead of 96 for four, and two steps fit next to the sums: no multiply-add waits for
 * shared memory, not even the first of a tile, whose operands are read before the last step of the
 * tile before. Two stages suffice, since the last reads of a stage precede the barrier that shows
 * the next one.
 * Nothing else may slow the multiply-adds, so: six steps are laid out in a row, 13 KB of code,
 * which an SM's instruction cache holds, as it does not hold all 24 of a tile; each six steps start
 * a third of the next tile's copies, between reads of shared memory instead of before them all; and
 * results are stored one by one, which leaves the compiler free to keep each sum in the bank of
 * registers that its factors are not in (stores of 16 bytes need sums side by side).
 * A multiplying warp has 64 x 64 results: its reads of 16 bytes have 4 and 8 addresses, side by
 * side. Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
enum { TILE = 128, ROWS = 16, THREADS = 128, DEPTH = 24, GROUP = 6, GROUPS = DEPTH / GROUP };

#include "matmul/transposed_tile.inc"

struct stage {
    a_tile a;
    b_tile b;
};

DEVICE void copy_part(struct stage *stage, struct a_copies *a, struct b_copies *b, unsigned part,
                      unsigned left, bool is_whole)
{
    a_copy_part(stage->a, a, part, left);
    b_copy_part(stage->b, b, part, left, is_whole);
}

DEVICE void copy_stage(struct stage *stage, struct a_copies *a, struct b_copies *b, unsigned left,
                       bool is_whole)
{
    UNROLL(1)
    for (unsigned part = 0; part < PARTS; part++)
        copy_part(stage, a, b, part, left, is_whole);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
}

DEVICE void read_step(struct fragment *ret, const struct stage *stage, unsigned step,
                      struct place place)
{
    fragment_read(ret, stage->a[step], stage->b[step], place);
}

/* The chains of a block's tile. */
DEVICE void add_tile(struct stage *stages, struct a_copies *a, struct b_copies *b,
                     struct place place, long long k, bool is_whole, float4 sum[ROWS][2])
{
    struct fragment fragments[2];
    unsigned reads = 0;
    if (k >= DEPTH) {
        copy_stage(&stages[0], a, b, DEPTH, is_whole);
        read_step(&fragments[0], &stages[0], 0, place);
    }
    UNROLL(1)
    for (; k >= DEPTH; k -= DEPTH) {
        const struct stage *const stage = &stages[reads];
        const bool is_more = k >= 2 * DEPTH;
        reads = 1 - reads;
        UNROLL(1)
        for (unsigned group = 0; group < GROUPS - 1; group++) {
            if (is_more)
                copy_part(&stages[reads], a, b, group, DEPTH, is_whole);
            UNROLL(6)
            for (unsigned step = 0; step < GROUP; step++) {
                read_step(&fragments[(step + 1) % 2], stage, group * GROUP + step + 1, place);
                fragment_add(&fragments[step % 2], sum);
            }
        }
        copy_async_commit();
        UNROLL(6)
        for (unsigned step = DEPTH - GROUP; step < DEPTH - 1; step++) {
            read_step(&fragments[(step + 1) % 2], stage, step + 1, place);
            fragment_add(&fragments[step % 2], sum);
        }
        copy_async_wait(0);
        __syncthreads();
        read_step(&fragments[0], &stages[reads], 0, place); /* not used after the last tile */
        fragment_add(&fragments[(DEPTH - 1) % 2], sum);
    }
    /* Not into the stage that the loop has read last, though no result is of it: that would be a
     * race. */
    if (k > 0)
        copy_stage(&stages[1 - reads], a, b, (unsigned)k, is_whole);
    UNROLL(1)
    for (unsigned step = 0; step < (unsigned)k; step++) {
        read_step(&fragments[0], &stages[1 - reads], step, place);
        fragment_add(&fragments[0], sum);
    }
}

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_fragments, struct matmul_call, call)
{
    DYNAMIC_SHARED(struct stage, stages);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const struct place place = place_of(thread);
    const long long first_column = (long long)blockIdx.x * TILE;

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += (long long)gridDim.y * TILE) {
        struct a_copies a = a_copies_of(&call, first_row, thread);
        struct b_copies b = b_copies_of(&call, first_column, thread);
        float4 sum[ROWS][2];
        UNROLL(16)
        for (unsigned each = 0; each < ROWS; each++)
            sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (b.is_whole)
            add_tile(stages, &a, &b, place, call.k, true, sum);
        else
            add_tile(stages, &a, &b, place, call.k, false, sum);
        fragment_store(&call, first_row, first_column, place, false, sum);
        __syncthreads(); /* the next tile's copies overwrite what others may still read */
    }
}
