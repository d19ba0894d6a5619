/* Matrix product of few steps, k at most 32, so that C is nearly all of the bytes that it moves.
 * Against fragments: the whole chain is in shared memory at once, so a block copies its columns of
 * B one time, for two tiles of C below each other; while it multiplies one tile, the rows of A for
 * the next are on their way, and while one warp stores its results, 16 bytes a thread, the others
 * multiply. What bounds it is not the memory: at 64 operations for the 4 bytes of a result, the
 * roofline's two roofs meet. Clauses: matmul.order.ascending, matmul.order.tail,
 * numerics.contraction.none. */
enum { TILE = 128, ROWS = 16, THREADS = 128, DEPTH = 32, GROUP = 4, GROUPS = DEPTH / GROUP };
enum { TILES = 2 }; /* of a block, one below the other */

#include "matmul/transposed_tile.inc"

struct operands {
    b_tile b;
    a_tile a[2];
};

/* The chains of a tile; meanwhile the rows of the next one come, if there is one. */
DEVICE void add_tile(struct operands *operands, unsigned reads, bool is_more, struct a_copies *next,
                     struct place place, unsigned k, float4 sum[ROWS][2])
{
    float4(*const a)[PITCH / 4] = operands->a[reads];
    struct fragment fragments[2];
    if (k < DEPTH) {
        UNROLL(1)
        for (unsigned part = 0; is_more && part < PARTS; part++)
            a_copy_part(operands->a[1 - reads], next, part, k);
        UNROLL(1)
        for (unsigned step = 0; step < k; step++) {
            fragment_read(&fragments[0], a[step], operands->b[step], place);
            fragment_add(&fragments[0], sum);
        }
        return;
    }
    fragment_read(&fragments[0], a[0], operands->b[0], place);
    UNROLL(1)
    for (unsigned group = 0; group < GROUPS; group++) {
        if (is_more && group < PARTS)
            a_copy_part(operands->a[1 - reads], next, group, DEPTH);
        UNROLL(4)
        for (unsigned step = 0; step < GROUP; step++) {
            const unsigned after =
                group * GROUP + step + 1; /* the last one reads the first again */
            fragment_read(&fragments[(step + 1) % 2], a[after % DEPTH], operands->b[after % DEPTH],
                          place);
            fragment_add(&fragments[step % 2], sum);
        }
    }
}

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_whole, struct matmul_call, call)
{
    DYNAMIC_SHARED(struct operands, operands);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const struct place place = place_of(thread);
    const unsigned k = (unsigned)call.k;
    const long long first_column = (long long)blockIdx.x * TILE;
    const bool is_aligned = four_are_aligned(call.c, call.ldc);
    struct b_copies b = b_copies_of(&call, first_column, thread);
    UNROLL(1)
    for (unsigned part = 0; part < PARTS; part++)
        b_copy_part(operands->b, &b, part, k, b.is_whole);

    for (long long block_row = (long long)blockIdx.y * (TILES * TILE); block_row < call.m;
         block_row += (long long)gridDim.y * (TILES * TILE)) {
        struct a_copies copies = a_copies_of(&call, block_row, thread);
        unsigned reads = 0;
        UNROLL(1)
        for (unsigned part = 0; part < PARTS; part++)
            a_copy_part(operands->a[0], &copies, part, k);
        UNROLL(1)
        for (unsigned tile = 0; tile < TILES; tile++) {
            const long long first_row = block_row + tile * TILE;
            const bool is_more = tile + 1 < TILES && first_row + TILE < call.m;
            float4 sum[ROWS][2];
            if (first_row >= call.m)
                break;
            copy_async_commit();
            copy_async_wait(0);
            __syncthreads();
            copies = a_copies_of(&call, first_row + TILE, thread);
            UNROLL(16)
            for (unsigned each = 0; each < ROWS; each++)
                sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            add_tile(operands, reads, is_more, &copies, place, k, sum);
            fragment_store(&call, first_row, first_column, place, is_aligned, sum);
            reads = 1 - reads;
        }
        __syncthreads(); /* the next tile's copies overwrite what others may still read */
    }
}
