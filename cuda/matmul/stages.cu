/* Matrix product with two buffers that asynchronous copies fill. Against vectors: the next tiles go
 * from global to shared memory while these are multiplied, past the registers and without waiting,
 * so the 600 cycles and more of a load from global memory cost nothing, and neither do the 16
 * stores into shared memory that a tile took of each thread. One barrier a tile instead of two. A
 * row of A's tile has 4 floats of padding: the 4 rows that a warp reads at once are in different
 * banks.
 * A warp has 32 rows and 64 columns of C: its 4 rows of threads read A as broadcasts of 8 lanes,
 * its 8 columns of threads read 128 adjacent bytes of B. Clauses: matmul.order.ascending,
 * matmul.order.tail, numerics.contraction.none. */
enum { TILE = 128, DEPTH = 16, THREADS = 256, A_PITCH = DEPTH / 4 + 1 };
enum { EACH = 8, ROW_STEP = 4, COLUMN_STEP = 32 };

#include "matmul/staged_tile.inc"

DEVICE unsigned thread_row(unsigned thread)
{
    return thread / 64 * 32 + thread % 32 / 8;
}

DEVICE unsigned thread_column(unsigned thread)
{
    return thread / 32 % 2 * 64 + thread % 8 * 4;
}

STAGED_MATMUL(matmul_stages, __launch_bounds__(THREADS, 2), 2)
