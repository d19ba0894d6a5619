/* A tile copied to shared memory by one instruction of one thread, of any number of bytes that is a
 * multiple of 16 (later than document 004). The tile is in shared memory at the source's distance
 * from an aligned address; what its ends have of 16 bytes goes element by element. One entry for
 * each size of element.
 * Clauses: shared_copy.value.mirrored, memory.reads.inside. */
#include "bulk_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

/* The part of the tile's `bytes` that is whole slots, `lead` bytes past an aligned address. */
DEVICE int whole_begin(int lead, int bytes)
{
    const int begin = (SLOT - lead) % SLOT;
    return begin < bytes ? begin : bytes;
}

DEVICE int whole_bytes(int lead, int bytes)
{
    const int begin = whole_begin(lead, bytes);
    return (bytes - begin) / SLOT * SLOT;
}

/* Elements of the tile from byte `first` to byte `end`. */
#define COPY_END(type, tile, source, first, end)                                                   \
    for (int at = (first) + (int)(threadIdx.x * sizeof(type)); at < (end);                         \
         at += THREADS * (int)sizeof(type))                                                        \
    *(type *)((tile) + at) = *(const type *)((source) + at)

#define SHARED_COPY_BULK(entry, type)                                                              \
    KERNEL(entry, struct shared_copy_call, call)                                                   \
    {                                                                                              \
        DYNAMIC_SHARED(uint4, slots);                                                              \
        SHARED unsigned long long arrived;                                                         \
        const unsigned char *source =                                                              \
            (const unsigned char *)((const type *)call.source + tile_first(&call));                \
        type *target = (type *)call.target + tile_first(&call);                                    \
        const int width = tile_width(&call), bytes = width * (int)sizeof(type);                    \
        const int lead = (int)((size_t)source % SLOT);                                             \
        const int begin = whole_begin(lead, bytes), whole = whole_bytes(lead, bytes);              \
        unsigned char *tile = (unsigned char *)slots + lead;                                       \
        if (threadIdx.x == 0 && whole > 0)                                                         \
            bulk_copy_start(tile + begin, source + begin, (unsigned)whole, &arrived);              \
        COPY_END(type, tile, source, 0, begin);                                                    \
        COPY_END(type, tile, source, begin + whole, bytes);                                        \
        __syncthreads();                                                                           \
        if (whole > 0)                                                                             \
            bulk_copy_wait(&arrived);                                                              \
        for (int at = (int)threadIdx.x; at < width; at += THREADS)                                 \
            target[at] = ((const type *)tile)[width - 1 - at];                                     \
    }

SHARED_COPY_BULK(shared_copy_bulk_1, unsigned char)
SHARED_COPY_BULK(shared_copy_bulk_2, unsigned short)
SHARED_COPY_BULK(shared_copy_bulk_4, unsigned)
SHARED_COPY_BULK(shared_copy_bulk_8, uint2)
SHARED_COPY_BULK(shared_copy_bulk_16, uint4)
