/* Shared by the forms of C = AB with A's tile in shared memory: all but the barrier. */
#ifndef ASSAY_CUDA_MATMUL_SHARED_A_H
#define ASSAY_CUDA_MATMUL_SHARED_A_H

#include "device.h"
#include "matmul/call.h"

/* A row of the tile is written and read by one warp alone. All threads of a block take the same
 * turns, since m is a multiple of 32. */
#define SHARED_A(name, barrier)                                                                    \
    KERNEL(name, struct matmul_call, call)                                                         \
    {                                                                                              \
        enum { TILE = 32 };                                                                        \
        SHARED float a_tile[TILE][TILE];                                                           \
        const unsigned x = threadIdx.x;                                                            \
        const unsigned y = threadIdx.y;                                                            \
        const long long column = (long long)blockIdx.x * TILE + x;                                 \
        const long long row_step = (long long)gridDim.y * TILE;                                    \
        for (long long row = (long long)blockIdx.y * TILE + y; row < call.m; row += row_step) {    \
            float sum = 0.0f;                                                                      \
            a_tile[y][x] = call.a[row * call.lda + x];                                             \
            barrier();                                                                             \
            UNROLL(8) /* all 32 would need more registers than 1024 threads have */                \
            for (int k = 0; k < TILE; k++)                                                         \
                sum = fmaf(a_tile[y][k], call.b[k * call.ldb + column], sum);                      \
            call.c[row * call.ldc + column] = sum;                                                 \
            barrier(); /* the row is not overwritten while others read it */                       \
        }                                                                                          \
    }

#endif
