/* Matrix product with accesses of 16 bytes. Against registers: a thread's 8 rows and 8 columns are
 * two groups of four that are side by side, so a step of the chain reads shared memory with 4
 * instructions instead of 16 for 64 multiply-adds, and a tile takes 4 loads from global memory
 * instead of 16. Each instruction that is no multiply-add takes a turn from one. Four steps of a
 * row of A become words of four steps on their way through registers, since the reads go along the
 * rows of C; the padding of 4 words halves the conflicts of these stores and keeps reads aligned.
 *
 * Rows and columns outside the matrices are read as zeros, and results outside C are not stored; a
 * chain ends at k, so no zero is ever added to an element of C.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
#include "matmul/call.h"
#include "four.h"

enum {
    SIDE = 16,
    EACH = 8,
    TILE = SIDE * EACH,
    DEPTH = 16,
    HALF = TILE / 2,
    THREADS = SIDE * SIDE
};

enum { FOURS = TILE * DEPTH / 4 / THREADS }; /* that a thread loads of either tile */

/* One step of all chains; a and b are this thread's first four of either tile's step. */
DEVICE void add_step(const float4 *a, const float4 *b, float4 sum[EACH][2])
{
    const float4 lefts[2] = {a[0], a[HALF / 4]}, rights[2] = {b[0], b[HALF / 4]};
    UNROLL(2)
    for (int group = 0; group < 2; group++)
        UNROLL(2)
    for (int column = 0; column < 2; column++) {
        four_add(lefts[group].x, rights[column], &sum[4 * group][column]);
        four_add(lefts[group].y, rights[column], &sum[4 * group + 1][column]);
        four_add(lefts[group].z, rights[column], &sum[4 * group + 2][column]);
        four_add(lefts[group].w, rights[column], &sum[4 * group + 3][column]);
    }
}

KERNEL_WITH(__launch_bounds__(THREADS, 2), matmul_vectors, struct matmul_call, call)
{
    SHARED float4 a_tile[DEPTH][TILE / 4 + 1]; /* [k][row] */
    SHARED float4 b_tile[DEPTH][TILE / 4];     /* [k][column] */
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned thread = y * SIDE + x;
    const unsigned a_row = thread / (DEPTH / 4), a_step = thread % (DEPTH / 4) * 4;
    const unsigned b_step = thread / (TILE / 4), b_column = thread % (TILE / 4) * 4;
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long row_step = (long long)gridDim.y * TILE;
    const bool a_aligned = four_are_aligned(call.a, call.lda);
    const bool b_aligned = four_are_aligned(call.b, call.ldb);
    const bool c_aligned = four_are_aligned(call.c, call.ldc);

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long rows = call.m - first_row;
        const long long columns = call.n - first_column;
        const bool whole = a_aligned && b_aligned && columns >= TILE;
        const bool has_results = 4 * y < rows && 4 * x < columns;
        float4 sum[EACH][2];
        UNROLL(8)
        for (int row = 0; row < EACH; row++)
            sum[row][0] = sum[row][1] = zero;
        for (long long first_k = 0; first_k < call.k; first_k += DEPTH) {
            const long long left = call.k - first_k;
            const float *const a = call.a + (first_row + a_row) * call.lda + first_k + a_step;
            const float *const b = call.b + (first_k + b_step) * call.ldb + first_column + b_column;
            float4 a_fours[FOURS], b_fours[FOURS]; /* all are on their way before a store waits */
            if (whole && left >= DEPTH && rows >= TILE) {
                UNROLL(2)
                for (unsigned each = 0; each < FOURS; each++) {
                    a_fours[each] = *(const float4 *)(a + each * (TILE / FOURS) * call.lda);
                    b_fours[each] = *(const float4 *)(b + each * (DEPTH / FOURS) * call.ldb);
                }
            } else {
                UNROLL(2)
                for (unsigned each = 0; each < FOURS; each++) {
                    const unsigned row = a_row + each * (TILE / FOURS);
                    const unsigned step = b_step + each * (DEPTH / FOURS);
                    a_fours[each] = four_load(a + each * (TILE / FOURS) * call.lda,
                                              row < rows ? left - a_step : 0, a_aligned);
                    b_fours[each] = four_load(b + each * (DEPTH / FOURS) * call.ldb,
                                              step < left ? columns - b_column : 0, b_aligned);
                }
            }
            UNROLL(2)
            for (unsigned each = 0; each < FOURS; each++) {
                const unsigned row = a_row + each * (TILE / FOURS);
                ((float *)a_tile[a_step])[row] = a_fours[each].x;
                ((float *)a_tile[a_step + 1])[row] = a_fours[each].y;
                ((float *)a_tile[a_step + 2])[row] = a_fours[each].z;
                ((float *)a_tile[a_step + 3])[row] = a_fours[each].w;
                b_tile[b_step + each * (DEPTH / FOURS)][b_column / 4] = b_fours[each];
            }
            __syncthreads();
            if (has_results && left >= DEPTH) {
                UNROLL(16)
                for (int k = 0; k < DEPTH; k++)
                    add_step(&a_tile[k][y], &b_tile[k][x], sum);
            } else if (has_results) {
                UNROLL(1)
                for (int k = 0; k < left; k++)
                    add_step(&a_tile[k][y], &b_tile[k][x], sum);
            }
            __syncthreads();
        }
        UNROLL(8)
        for (unsigned each = 0; each < EACH; each++) {
            const unsigned row = each / 4 * HALF + 4 * y + each % 4;
            float *const c = call.c + (first_row + row) * call.ldc + first_column;
            if (row < rows) {
                four_store(c + 4 * x, columns - 4 * x, c_aligned, sum[each][0]);
                four_store(c + HALF + 4 * x, columns - HALF - 4 * x, c_aligned, sum[each][1]);
            }
        }
    }
}
