/* C = A times its transpose with k at most 32, both halves from one: element (j, i) is the chain of
 * element (i, j) with the factors of each product swapped, so it has the same bits. Against padded:
 * a block computes a tile of 64 x 64 on the diagonal or right of it, and stores a tile right of it
 * twice, the second time mirrored, so half of the multiply-adds go. The mirrored tile goes through
 * shared memory, where the factors were, so that a warp stores two whole rows of 256 bytes instead
 * of eight pieces of 64. A thread keeps 8 x 8 results in registers, so a step reads shared memory
 * with 4 instructions for 64 multiply-adds instead of with two for each one; and C, nearly all of
 * the bytes that such a product moves, is written 16 bytes a thread. Rows of A are transposed on
 * their way to shared memory by asynchronous copies of 4 bytes: a warp copies 8 steps of 4 rows,
 * whole sectors of 32 bytes, into 32 different banks, thanks to 4 floats of padding. A block left
 * of the diagonal has nothing to do. Eight blocks share an SM, so that some multiply while others
 * store. Clauses: aat.order.ascending, aat.order.tail, aat.value.symmetric,
 * numerics.contraction.none. */
enum { TILE = 64, ROWS = 8, DEPTH = 32, THREADS = 64, PITCH = TILE + 4 };

#include "aat/call.h"
#include "fragment.inc"

/* Starts this thread's copies of TILE rows of A, from first_row on. */
DEVICE void load_rows(float4 tile[DEPTH][PITCH / 4], const struct aat_call *call,
                      long long first_row, unsigned thread)
{
    const unsigned row = thread % 32 / 8;
    UNROLL(2)
    for (unsigned step = thread / 32 * 8 + thread % 8; step < DEPTH; step += THREADS / 4) {
        const float *const a = call->a + (first_row + row) * call->lda + step;
        if (call->m - first_row >= TILE && step < call->k) {
            UNROLL(16)
            for (unsigned each = 0; each < TILE; each += 4)
                copy_async_4_folded((float *)tile[step] + row + each, a + each * call->lda);
        } else if (step < call->k) {
            UNROLL(1)
            for (unsigned each = 0; each < TILE && first_row + row + each < call->m; each += 4)
                copy_async_4_folded((float *)tile[step] + row + each, a + each * call->lda);
        }
    }
}

DEVICE float member(float4 four, unsigned index)
{
    return index == 0 ? four.x : index == 1 ? four.y : index == 2 ? four.z : four.w;
}

/* Puts a thread's results into the tile with its rows as columns: four rows of results are four
 * side by side. */
DEVICE void mirror(float4 tile[TILE][PITCH / 4], struct place place, float4 sum[ROWS][2])
{
    UNROLL(8)
    for (unsigned each = 0; each < 8; each++) {
        const unsigned half = each / 4, index = each % 4;
        UNROLL(4)
        for (unsigned group = 0; group < ROW_GROUPS; group++)
            tile[place.column + half * COLUMN_STEP + index][(place.row + group * ROW_STEP) / 4] =
                make_float4(member(sum[4 * group][half], index),
                            member(sum[4 * group + 1][half], index),
                            member(sum[4 * group + 2][half], index),
                            member(sum[4 * group + 3][half], index));
    }
}

/* Stores the mirrored tile, left of the diagonal: only its last rows may be outside of C. */
DEVICE void store_mirrored(const struct aat_call *call, long long first_row, long long first_column,
                           bool aligned, float4 tile[TILE][PITCH / 4], unsigned thread)
{
    UNROLL(2)
    for (unsigned at = thread; at < TILE * TILE / 4; at += THREADS) {
        const unsigned row = at / (TILE / 4), four = at % (TILE / 4);
        if (first_row + row < call->m)
            four_store_streaming(call->c + (first_row + row) * call->ldc + first_column + 4 * four,
                                 4, aligned, tile[row][four]);
    }
}

KERNEL_WITH(__launch_bounds__(THREADS, 8), aat_whole, struct aat_call, call)
{
    SHARED float4 tile[TILE][PITCH / 4];   /* the mirrored tile; before that, of both factors: */
    float4(*const left)[PITCH / 4] = tile; /* [step][row / 4] */
    float4(*const right)[PITCH / 4] = tile + DEPTH; /* [step][column of C / 4] */
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const struct place place = place_of(thread);
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long column = first_column + place.column;
    const bool aligned = four_are_aligned(call.c, call.ldc);

    for (long long first_row = (long long)blockIdx.y * TILE;
         first_row < call.m && first_row <= first_column;
         first_row += (long long)gridDim.y * TILE) {
        struct fragment fragment;
        float4 sum[ROWS][2];
        UNROLL(8)
        for (unsigned each = 0; each < ROWS; each++)
            sum[each][0] = sum[each][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        load_rows(left, &call, first_row, thread);
        load_rows(right, &call, first_column, thread);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
        if (first_row + place.row < call.m && column < call.m) {
            if (call.k == DEPTH) {
                UNROLL(2)
                for (unsigned step = 0; step < DEPTH; step++) {
                    fragment_read(&fragment, left[step], right[step], place);
                    fragment_add(&fragment, sum);
                }
            } else {
                UNROLL(1)
                for (unsigned step = 0; step < call.k; step++) {
                    fragment_read(&fragment, left[step], right[step], place);
                    fragment_add(&fragment, sum);
                }
            }
            UNROLL(8)
            for (unsigned each = 0; each < ROWS; each++) {
                const long long row = first_row + row_of(place.row, each);
                float *const c = call.c + row * call.ldc + column;
                if (row < call.m) {
                    four_store_streaming(c, call.m - column, aligned, sum[each][0]);
                    four_store_streaming(c + COLUMN_STEP, call.m - column - COLUMN_STEP, aligned,
                                         sum[each][1]);
                }
            }
        }
        __syncthreads();
        if (first_row < first_column) {
            mirror(tile, place, sum);
            __syncthreads();
            store_mirrored(&call, first_column, first_row, aligned, tile, thread);
            __syncthreads();
        }
    }
}
