/* Matrix product with 16 x 8 results a thread, and a tile of C for each warp. Against stages: a
 * warp has 32 rows and all 128 columns of the block's tile; four steps of it read A with 16
 * instructions and B with 8, for 512 multiply-adds instead of 256: the share of the other
 * instructions falls by a third. 128 threads with 255 registers each make a block, two blocks an
 * SM, so that one multiplies while the other waits at its barrier; a third stage, on its way while
 * two are there, hides what two did not. The 3 stages are 48 KiB, all that a block has without
 * opting in: A's tile has no padding, and needs none, as a warp reads two rows at once, one in each
 * half of the banks. Clauses: matmul.order.ascending, matmul.order.tail, numerics.contraction.none.
 */
enum { TILE = 128, DEPTH = 16, THREADS = 128, A_PITCH = DEPTH / 4 };
enum { EACH = 16, ROW_STEP = 2, COLUMN_STEP = 64 };

#include "matmul/staged_tile.inc"

DEVICE unsigned thread_row(unsigned thread)
{
    return thread / 32 * 32 + thread % 32 / 16;
}

DEVICE unsigned thread_column(unsigned thread)
{
    return thread % 16 * 4;
}

STAGED_MATMUL(matmul_warps, __launch_bounds__(THREADS, 2), 3)
