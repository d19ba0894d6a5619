/* Matrix product with 8 x 8 results a thread, kept in registers. Against tiled: a step of the chain
 * reads 8 values of A's tile and 8 of B's for 64 multiply-adds, a quarter of a read each instead of
 * two, so shared memory, which limits tiled, serves eight times as many. A block's 256 threads make
 * 128 x 128 results from tiles 16 steps deep: an element of A or B is read from global memory once
 * for 128 results instead of 16. A thread's results are 16 rows and 16 columns apart, so that a
 * warp's reads of B are side by side and its reads of A are broadcasts; and A's tile is stored by
 * steps, with a word of padding, since a warp loads it along k.
 *
 * What is outside the matrices is not loaded, and is 0 in the tiles. Results outside C are not
 * stored; a chain of an element of C has its k terms and no other, not even 0 times 0.
 * Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none. */
#include "device.h"
#include "matmul/call.h"

enum { SIDE = 16, EACH = 8, TILE = SIDE * EACH, DEPTH = 16 };

/* One step of all chains. */
DEVICE void add_step(const float *a, const float *b, float sum[EACH][EACH])
{
    float right[EACH];
    UNROLL(8)
    for (int column = 0; column < EACH; column++)
        right[column] = b[column * SIDE];
    UNROLL(8)
    for (int row = 0; row < EACH; row++) {
        const float left = a[row * SIDE];
        UNROLL(8)
        for (int column = 0; column < EACH; column++)
            sum[row][column] = fmaf(left, right[column], sum[row][column]);
    }
}

KERNEL_WITH(__launch_bounds__(SIDE *SIDE, 2), matmul_registers, struct matmul_call, call)
{
    SHARED float a_tile[DEPTH][TILE + 1];
    SHARED float b_tile[DEPTH][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long first_column = (long long)blockIdx.x * TILE;
    const long long row_step = (long long)gridDim.y * TILE;

    for (long long first_row = (long long)blockIdx.y * TILE; first_row < call.m;
         first_row += row_step) {
        const long long rows = call.m - first_row;
        const long long columns = call.n - first_column;
        const bool has_results = y < rows && x < columns;
        float sum[EACH][EACH] = {{0.0f}};
        for (long long first_k = 0; first_k < call.k; first_k += DEPTH) {
            const long long left = call.k - first_k;
            float a[EACH], b[EACH]; /* all loads are on their way before the first store waits */
            UNROLL(8)
            for (unsigned each = 0; each < EACH; each++) {
                const unsigned at = y + each * SIDE;
                a[each] = at < rows && x < left ? call.a[(first_row + at) * call.lda + first_k + x]
                                                : 0.0f;
            }
            UNROLL(8)
            for (unsigned each = 0; each < EACH; each++) {
                const unsigned at = x + each * SIDE;
                b[each] = y < left && at < columns
                              ? call.b[(first_k + y) * call.ldb + first_column + at]
                              : 0.0f;
            }
            UNROLL(8)
            for (unsigned each = 0; each < EACH; each++) {
                a_tile[x][y + each * SIDE] = a[each];
                b_tile[y][x + each * SIDE] = b[each];
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
        for (unsigned row = 0; row < EACH; row++) {
            float *const c = call.c + (first_row + y + row * SIDE) * call.ldc + first_column + x;
            UNROLL(8)
            for (unsigned column = 0; column < EACH; column++)
                if (y + row * SIDE < rows && x + column * SIDE < columns)
                    c[column * SIDE] = sum[row][column];
        }
    }
}
