/* The right parts that wrong matmul kernels are put together from, so that each mutant shows its
 * one mistake and little else. */
#ifndef ASSAY_CUDA_MUTANTS_MATMUL_PARTS_H
#define ASSAY_CUDA_MUTANTS_MATMUL_PARTS_H

#include "device.h"
#include "matmul/call.h"

enum { TILE = 16 };

/* The element of C that this thread has. */
DEVICE long long thread_row(void)
{
    return (long long)blockIdx.y * blockDim.y + threadIdx.y;
}

DEVICE long long thread_column(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* One step of an element's chain. */
DEVICE float step(const struct matmul_call *call, long long row, long long column, long long k,
                  float sum)
{
    return fmaf(call->a[row * call->lda + k], call->b[k * call->ldb + column], sum);
}

/* Steps first to end - 1, ascending, from +0. */
DEVICE float chain(const struct matmul_call *call, long long row, long long column, long long first,
                   long long end)
{
    float sum = 0.0f;
    for (long long k = first; k < end; k++)
        sum = step(call, row, column, k, sum);
    return sum;
}

DEVICE void store(const struct matmul_call *call, long long row, long long column, float sum)
{
    if (row < call->m && column < call->n)
        call->c[row * call->ldc + column] = sum;
}

/* A kernel of one thread an element, whose value is element(&call, row, column). */
#define PER_ELEMENT(entry, element)                                                                \
    KERNEL(entry, struct matmul_call, call)                                                        \
    {                                                                                              \
        const long long row = thread_row();                                                        \
        const long long column = thread_column();                                                  \
        if (row < call.m && column < call.n)                                                       \
            call.c[row * call.ldc + column] = element(&call, row, column);                         \
    }

/* This thread's element of either tile for the steps from first_k on; outside nothing is loaded. */
DEVICE void load_a(float (*tile)[TILE], const struct matmul_call *call, long long row,
                   long long first_k)
{
    if (row < call->m && first_k + threadIdx.x < call->k)
        tile[threadIdx.y][threadIdx.x] = call->a[row * call->lda + first_k + threadIdx.x];
}

DEVICE void load_b(float (*tile)[TILE], const struct matmul_call *call, long long column,
                   long long first_k)
{
    if (first_k + threadIdx.y < call->k && column < call->n)
        tile[threadIdx.y][threadIdx.x] = call->b[(first_k + threadIdx.y) * call->ldb + column];
}

/* How many steps the tiles from first_k hold. */
DEVICE int tile_depth(const struct matmul_call *call, long long first_k)
{
    const long long left = call->k - first_k;
    return left < TILE ? (int)left : TILE;
}

DEVICE float tile_chain(float (*a_tile)[TILE], float (*b_tile)[TILE], int depth, float sum)
{
    for (int k = 0; k < depth; k++)
        sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum);
    return sum;
}

#endif
