/* C = A times its transpose with k at most 32, both halves from one: element (j, i) is the chain of
 * element (i, j) with the factors of each product swapped, so it has the same bits. Against padded:
 * a block computes a tile of 64 x 64 on the diagonal or right of it, and stores a tile right of it
 * twice, the second time mirrored, so half of the multiply-adds go. A thread keeps 8 x 8 results in
 * registers, and reads shared memory with 16 instructions for 256 multiply-adds instead of with two
 * for each one. C, nearly all of the bytes that such a product moves, is written 16 bytes a thread:
 * the mirrored tile goes through shared memory, where the factors were, so that a warp stores two
 * whole rows of 256 bytes. A block left of the diagonal has nothing to do. Eight blocks share an
 * SM, so that some multiply while others store. Clauses: aat.order.ascending, aat.order.tail,
 * aat.value.symmetric, numerics.contraction.none. */
enum { QUADS_AT_ONCE = 1 };

#include "aat/call.h"
#include "whole.inc"

enum { PITCH = TILE * 4 }; /* bytes of a row of the mirrored tile */

DEVICE float member(float4 four, unsigned index)
{
    return index == 0 ? four.x : index == 1 ? four.y : index == 2 ? four.z : four.w;
}

/* Puts a thread's results into the tile with its rows as columns: four rows of results are four
 * side by side, at four ^ row / 4 % 8. */
DEVICE void mirror(char *tile, struct place place, float4 sum[ROWS][2])
{
    UNROLL(8)
    for (unsigned each = 0; each < 8; each++) {
        const unsigned half = each / 4, index = each % 4;
        char *const row = tile + (place.column + half * COLUMN_STEP + index) * PITCH;
        UNROLL(2)
        for (unsigned group = 0; group < ROW_GROUPS; group++)
            *(float4 *)(row + (((place.row + group * ROW_STEP) / 4 ^ place.column / 4 % 8) * 16)) =
                make_float4(member(sum[4 * group][half], index),
                            member(sum[4 * group + 1][half], index),
                            member(sum[4 * group + 2][half], index),
                            member(sum[4 * group + 3][half], index));
    }
}

/* Stores the mirrored tile, left of the diagonal: only its last rows may be outside of C. `c` is
 * its first element. */
DEVICE void store_mirrored(float *c, long long leading, long long rows, bool is_whole,
                           const char *tile, unsigned thread)
{
    enum { FOURS = TILE / 4, STEP = THREADS / FOURS };
    const unsigned first = thread / FOURS, four = thread % FOURS;
    c += first * leading + 4 * four;
    if (is_whole) {
        UNROLL(16)
        for (unsigned row = 0; row < TILE; row += STEP) {
            const unsigned byte = row * PITCH + first * PITCH + (four ^ row / 4 % 8) * 16;
            __stcs((float4 *)c, four_at(tile, byte));
            c += STEP * leading;
        }
        return;
    }
    UNROLL(1)
    for (unsigned row = first; row < TILE && row < rows; row += STEP) {
        four_store(c, 4, false, four_at(tile, row * PITCH + (four ^ row / 4 % 8) * 16));
        c += STEP * leading;
    }
}

/* A block's tile, and the one that mirrors it. */
DEVICE void compute(const struct aat_call *call, long long first_row, long long first_column,
                    bool is_whole, row_tile tiles[2])
{
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, k = (unsigned)call->k;
    const struct place place = whole_place(thread);
    const long long rows = call->m - first_row, columns = call->m - first_column;
    float4 sum[ROWS][2];
    copy_rows(tiles[0], call->a + first_row * call->lda, call->lda, rows, k, is_whole, thread);
    copy_rows(tiles[1], call->a + first_column * call->lda, call->lda, columns, k, is_whole,
              thread);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    add_chains(tiles[0], tiles[1], true, place, k, is_whole, sum);
    store_tile(call->c + first_row * call->ldc + first_column, call->ldc, rows, columns, is_whole,
               place, sum);
    if (first_row == first_column)
        return;
    __syncthreads();
    mirror((char *)tiles, place, sum);
    __syncthreads();
    store_mirrored(call->c + first_column * call->ldc + first_row, call->ldc, columns, is_whole,
                   (const char *)tiles, thread);
}

KERNEL_WITH(__launch_bounds__(THREADS, 8), aat_whole, struct aat_call, call)
{
    SHARED row_tile tiles[2]; /* of both factors, then the mirrored tile */
    const long long row = (long long)blockIdx.y * TILE, step = (long long)gridDim.y * TILE;
    const long long column = (long long)blockIdx.x * TILE;
    const bool is_whole = call.k == DEPTH && call.m - column >= TILE && call.m <= step &&
                          four_are_aligned(call.a, call.lda) && four_are_aligned(call.c, call.ldc);
    if (row > column)
        return;
    if (__builtin_expect(is_whole, 1)) {
        compute(&call, row, column, true, tiles);
        return;
    }
    for (long long first_row = row; first_row < call.m && first_row <= column; first_row += step) {
        compute(&call, first_row, column, false, tiles);
        __syncthreads(); /* the next tile's copies overwrite what others may still read */
    }
}
