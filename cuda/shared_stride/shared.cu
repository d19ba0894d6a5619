/* Strided reads of a tile in shared memory as it is in the source (documents 002 and 004). Banks
 * are 4 bytes wide and there are 32: with 4-byte elements the threads of a warp meet in one bank
 * gcd(stride, 32) at a time, and such reads follow one another. At stride 0 all read one word,
 * which is one read. One entry for each size of element. Clauses: shared_stride.value.combined,
 * shared_stride.tile.width. */
#include "device.h"
#include "exclusive_or.h"
#include "shared_stride/strided_tile.h"

#define SLOT(place) (place)
#define READ(place) tile[place]

#define SHARED_STRIDE_SHARED(entry, type, combine)                                                 \
    TILE_KERNEL(entry, type, combine, TILE, SLOT, READ)

EACH_ELEMENT_SIZE(SHARED_STRIDE_SHARED, shared_stride_shared)
