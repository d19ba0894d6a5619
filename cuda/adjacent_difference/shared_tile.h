/* Shared by the adjacent differences with a tile and a barrier. */
#ifndef ASSAY_CUDA_ADJACENT_DIFFERENCE_SHARED_TILE_H
#define ASSAY_CUDA_ADJACENT_DIFFERENCE_SHARED_TILE_H

#include "device.h"
#include "adjacent_difference/call.h"

/* A block loads `threads` elements; each `group` of threads, which the barrier holds together,
 * takes the element before from there, all but its first. Threads past the end load and write
 * nothing, but reach the barrier. */
#define SHARED_DIFFERENCE(name, threads, group, barrier)                                           \
    KERNEL(name, struct adjacent_difference_call, call)                                            \
    {                                                                                              \
        SHARED float tile[threads];                                                                \
        const unsigned x = threadIdx.x;                                                            \
        const long long index = (long long)blockIdx.x * (threads) + x;                             \
        if (index < call.n)                                                                        \
            tile[x] = call.a[index];                                                               \
        barrier();                                                                                 \
        if (index >= call.n)                                                                       \
            return;                                                                                \
        float before = 0.0f;                                                                       \
        if (x % (group) > 0)                                                                       \
            before = tile[x - 1];                                                                  \
        else if (index > 0)                                                                        \
            before = call.a[index - 1];                                                            \
        call.b[index] = __fsub_rn(tile[x], before);                                                \
    }

#endif
