/* Shared by the kernels of shared_copy: a block's tile, and how it comes back mirrored. */
#ifndef ASSAY_CUDA_SHARED_COPY_MIRRORED_TILE_H
#define ASSAY_CUDA_SHARED_COPY_MIRRORED_TILE_H

#include "device.h"
#include "shared_copy/call.h"

/* A block has 128 threads, and a tile that many elements for each copy of a thread. */
enum { THREADS = 128, SLOT = 16 };

/* The first element of the block's tile. */
DEVICE long long tile_first(const struct shared_copy_call *call)
{
    return (long long)blockIdx.x * (THREADS * call->copy_count);
}

/* How many elements the block's tile has: the last one has what is left. */
DEVICE int tile_width(const struct shared_copy_call *call)
{
    const long long left = call->n - tile_first(call), whole = THREADS * call->copy_count;
    return (int)(left < whole ? left : whole);
}

/* Copies the elements of `type` in the part of the slot of 16 bytes at byte `at` that is in
 * [0, bytes), through registers. */
#define COPY_PART(type, to, from, at, bytes)                                                       \
    do {                                                                                           \
        const int end = (at) + SLOT < (bytes) ? (at) + SLOT : (bytes);                             \
        for (int byte = (at) < 0 ? 0 : (at); byte < end; byte += (int)sizeof(type))                \
            *(type *)((to) + byte) = *(const type *)((from) + byte);                               \
    } while (0)

/* Starts the copy of that slot where it is whole, which one instruction does, and copies what there
 * is of it where it is not. `to` and `from` are the tile's first bytes, 16 bytes aligned alike. */
#define COPY_SLOT(type, copy, to, from, at, bytes)                                                 \
    do {                                                                                           \
        if ((at) >= 0 && (at) + SLOT <= (bytes))                                                   \
            copy((to) + (at), (from) + (at));                                                      \
        else                                                                                       \
            COPY_PART(type, to, from, at, bytes);                                                  \
    } while (0)

/* A kernel whose tile is in dynamic shared memory, element after element: COPY(tile, source, at)
 * copies element `at` of it, and READY() makes the thread's own copies be there. */
#define TILE_KERNEL(entry, type, COPY, READY)                                                      \
    KERNEL(entry, struct shared_copy_call, call)                                                   \
    {                                                                                              \
        DYNAMIC_SHARED(type, entry##_tile);                                                        \
        const type *source = (const type *)call.source + tile_first(&call);                        \
        type *target = (type *)call.target + tile_first(&call);                                    \
        const int width = tile_width(&call);                                                       \
        for (int at = (int)threadIdx.x; at < width; at += THREADS)                                 \
            COPY(entry##_tile, source, at);                                                        \
        READY();                                                                                   \
        __syncthreads();                                                                           \
        for (int at = (int)threadIdx.x; at < width; at += THREADS)                                 \
            target[at] = entry##_tile[width - 1 - at];                                             \
    }

#endif
