/* Shared by the kernels of shared_stride: how a block goes through its tile. */
#ifndef ASSAY_CUDA_SHARED_STRIDE_STRIDED_TILE_H
#define ASSAY_CUDA_SHARED_STRIDE_STRIDED_TILE_H

#include "device.h"
#include "shared_stride/call.h"

enum { TILE = 1024, BANKS = 32 };

/* How many elements the block's tile has: the last one has what is left. */
DEVICE int tile_width(const struct shared_stride_call *call)
{
    const long long left = call->n - (long long)blockIdx.x * TILE;
    return left < TILE ? (int)left : TILE;
}

/* Writes the block's results: element `at` combines the tile's elements from `at` times stride on,
 * modulo its width. READ(place) is one of them. */
#define COMBINE_TILE(call, type, combine, READ)                                                    \
    do {                                                                                           \
        type *target = (type *)(call).target + (long long)blockIdx.x * TILE;                       \
        const int width = tile_width(&(call));                                                     \
        const int step = (int)((call).stride % width);                                             \
        for (int at = (int)threadIdx.x; at < width; at += (int)blockDim.x) {                       \
            int place = at * step % width;                                                         \
            type sum = READ(place);                                                                \
            for (long long round = 1; round < (call).rounds; round++) {                            \
                place = place + 1 == width ? 0 : place + 1;                                        \
                combine(sum, READ(place));                                                         \
            }                                                                                      \
            target[at] = sum;                                                                      \
        }                                                                                          \
    } while (0)

/* A kernel that has its tile in shared memory: element `place` at SLOT(place), of `slots`. */
#define TILE_KERNEL(entry, type, combine, slots, SLOT, READ)                                       \
    KERNEL(entry, struct shared_stride_call, call)                                                 \
    {                                                                                              \
        SHARED type tile[slots];                                                                   \
        const type *source = (const type *)call.source + (long long)blockIdx.x * TILE;             \
        const int tile_elements = tile_width(&call);                                               \
        for (int at = (int)threadIdx.x; at < tile_elements; at += (int)blockDim.x)                 \
            tile[SLOT(at)] = source[at];                                                           \
        __syncthreads();                                                                           \
        COMBINE_TILE(call, type, combine, READ);                                                   \
    }

#endif
