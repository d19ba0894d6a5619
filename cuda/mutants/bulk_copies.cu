/* Bulk copies that move the wrong bytes. They take elements of 4, 8 and 16 bytes; the tile's ends
 * go byte by byte. */
#include "bulk_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

SHARED unsigned long long arrived;

/* Copies the block's tile: its whole slots but the last `short_by` bytes in bulk, from `skip` bytes
 * further on, and its ends if asked to. Returns where it is. */
DEVICE unsigned char *copy_tile(const struct shared_copy_call *call, unsigned char *slots, int skip,
                                int short_by, bool ends)
{
    const unsigned char *source =
        (const unsigned char *)call->source + tile_first(call) * call->element;
    const int bytes = tile_width(call) * (int)call->element;
    const int lead = (int)((size_t)source % SLOT);
    const int first = (SLOT - lead) % SLOT, begin = first < bytes ? first : bytes;
    const int whole = (bytes - begin) / SLOT * SLOT;
    const int moved = whole - short_by - skip > 0 ? whole - short_by - skip : 0;
    unsigned char *tile = slots + lead;
    if (threadIdx.x == 0 && moved > 0)
        bulk_copy_start(tile + begin, source + begin + skip, (unsigned)moved, &arrived);
    for (int at = (int)threadIdx.x; at < bytes; at += THREADS)
        if (ends && (at < begin || at >= begin + whole))
            tile[at] = source[at];
    __syncthreads();
    if (moved > 0)
        bulk_copy_wait(&arrived);
    return tile;
}

DEVICE void write_mirrored(const struct shared_copy_call *call, const unsigned char *tile)
{
    const int element = (int)call->element, width = tile_width(call);
    unsigned char *target = (unsigned char *)call->target + tile_first(call) * element;
    for (int at = (int)threadIdx.x; at < width; at += THREADS)
        for (int byte = 0; byte < element; byte++)
            target[at * element + byte] = tile[(width - 1 - at) * element + byte];
}

#define BULK(name, skip, short_by, ends)                                                           \
    KERNEL(mutant_bulk_##name, struct shared_copy_call, call)                                      \
    {                                                                                              \
        DYNAMIC_SHARED(unsigned char, slots);                                                      \
        write_mirrored(&call, copy_tile(&call, slots, skip, short_by, ends));                      \
    }

BULK(ends_dropped, 0, 0, false)
BULK(short, 0, SLOT, true)
BULK(source_off, SLOT, 0, true)
