/* A tile copied to shared memory 16 bytes at a time past the L1 cache, which only copies of 16
 * bytes can do (document 004). The tile is in shared memory at the source's distance from an
 * aligned address, so any element and any placement has its slots of 16 bytes; what the tile's ends
 * have of a slot goes element by element. One entry for each size of element.
 * Clauses: shared_copy.value.mirrored, memory.reads.inside. */
#include "async_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

#define SHARED_COPY_BYPASS(entry, type)                                                            \
    KERNEL(entry, struct shared_copy_call, call)                                                   \
    {                                                                                              \
        DYNAMIC_SHARED(uint4, slots);                                                              \
        const unsigned char *source =                                                              \
            (const unsigned char *)((const type *)call.source + tile_first(&call));                \
        type *target = (type *)call.target + tile_first(&call);                                    \
        const int width = tile_width(&call);                                                       \
        const int bytes = width * (int)sizeof(type);                                               \
        const int lead = (int)((size_t)source % SLOT);                                             \
        unsigned char *tile = (unsigned char *)slots + lead;                                       \
        for (int at = (int)threadIdx.x * SLOT - lead; at < bytes; at += THREADS * SLOT)            \
            COPY_SLOT(type, copy_async_16_bypass, tile, source, at, bytes);                        \
        copy_async_commit();                                                                       \
        copy_async_wait(0);                                                                        \
        __syncthreads();                                                                           \
        for (int at = (int)threadIdx.x; at < width; at += THREADS)                                 \
            target[at] = ((const type *)tile)[width - 1 - at];                                     \
    }

SHARED_COPY_BYPASS(shared_copy_bypass_1, unsigned char)
SHARED_COPY_BYPASS(shared_copy_bypass_2, unsigned short)
SHARED_COPY_BYPASS(shared_copy_bypass_4, unsigned)
SHARED_COPY_BYPASS(shared_copy_bypass_8, uint2)
SHARED_COPY_BYPASS(shared_copy_bypass_16, uint4)
