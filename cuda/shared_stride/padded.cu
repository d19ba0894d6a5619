/* Strided reads of a tile in shared memory, one element left free after each 32 (documents 002 and
 * 004). With 4-byte elements a stride of 32 is then one of 33 in the banks, and no two threads of a
 * warp meet; odd strides, which met nowhere before, meet in pairs at most. One entry for each size
 * of element.
 * Clauses: shared_stride.value.combined, shared_stride.tile.width. */
#include "device.h"
#include "exclusive_or.h"
#include "shared_stride/strided_tile.h"

#define SLOT(place) ((place) + (place) / BANKS)
#define READ(place) tile[SLOT(place)]

#define SHARED_STRIDE_PADDED(entry, type, combine)                                                 \
    TILE_KERNEL(entry, type, combine, TILE + TILE / BANKS, SLOT, READ)

EACH_ELEMENT_SIZE(SHARED_STRIDE_PADDED, shared_stride_padded)
