/* Kernels that read outside an operand and do not use what they read: no result differs, and a GPU
 * shows it only where a page is not mapped. The host device watches its reads in some cases
 * (memory.reads.inside). */
#include "aat/call.h"
#include "adjacent_difference/call.h"
#include "mutants/matmul_parts.h"
#include "offset_copy/call.h"

enum { SLOT = 16 };

/* A's tile is loaded without a test against M. */
KERNEL(mutant_row_read_past, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        if (first_k + threadIdx.x < call.k)
            a_tile[threadIdx.y][threadIdx.x] = call.a[row * call.lda + first_k + threadIdx.x];
        load_b(b_tile, &call, column, first_k);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* B's tile is loaded without a test against N: from the gap after a row, or from the next row. */
KERNEL(mutant_column_read_past, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        load_a(a_tile, &call, row, first_k);
        if (first_k + threadIdx.y < call.k)
            b_tile[threadIdx.y][threadIdx.x] = call.b[(first_k + threadIdx.y) * call.ldb + column];
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, tile_depth(&call, first_k), sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}

/* The tile is loaded without a test against K. */
KERNEL(mutant_aat_k_read_past, struct aat_call, call)
{
    SHARED float row_tile[TILE][TILE];
    SHARED float column_tile[TILE][TILE + 1];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long row = thread_row();
    const long long column = thread_column();
    const long long loaded = column - x + y;
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        const long long left = call.k - first_k;
        if (row < call.m)
            row_tile[y][x] = call.a[row * call.lda + first_k + x];
        if (loaded < call.m && x < left)
            column_tile[y][x] = call.a[loaded * call.lda + first_k + x];
        __syncthreads();
        for (int k = 0; k < (left < TILE ? (int)left : TILE); k++)
            sum = fmaf(row_tile[y][k], column_tile[x][k], sum);
        __syncthreads();
    }
    if (row < call.m && column < call.m)
        call.c[row * call.ldc + column] = sum;
}

/* The element before the first one is loaded, too. */
KERNEL(mutant_difference_read_before, struct adjacent_difference_call, call)
{
    const long long index = thread_column();
    if (index >= call.n)
        return;
    const float loaded = *(volatile const float *)(call.a + index - 1);
    call.b[index] = __fsub_rn(call.a[index], index > 0 ? loaded : 0.0f);
}

/* A slot is cut out of the aligned 16 bytes of the source that it begins in, and those after them,
 * also where the copied range does not reach that far. */
KERNEL(mutant_window_read_past, struct offset_copy_call, call)
{
    const long long bytes = call.n * call.element;
    const unsigned char *source = (const unsigned char *)call.source + call.offset * call.element;
    unsigned char *target = (unsigned char *)call.target + call.offset * call.element;
    const long long begin = thread_column() * SLOT;
    if (begin >= bytes)
        return;
    const unsigned shift = (unsigned)((size_t)(source + begin) % SLOT);
    const volatile unsigned *words = (const volatile unsigned *)(source + begin - shift);
    unsigned window[2 * SLOT / 4];
    for (int word = 0; word < 2 * SLOT / 4; word++)
        window[word] = words[word];
    for (long long at = 0; at < SLOT && begin + at < bytes; at++)
        target[begin + at] = ((const unsigned char *)window)[shift + at];
}
