/* A tile through shared memory, each element first loaded to a register and then stored (document
 * 004, pipeline_kernel_sync). The compiler can lay out four copies in a row, loads before stores.
 * One entry for each size of element.
 * Clauses: shared_copy.value.mirrored, shared_copy.tile.width. */
#include "device.h"
#include "shared_copy/mirrored_tile.h"

#define COPY(tile, source, at) ((tile)[at] = (source)[at])
#define READY()                ((void)0)

TILE_KERNEL(shared_copy_sync_1, unsigned char, COPY, READY)
TILE_KERNEL(shared_copy_sync_2, unsigned short, COPY, READY)
TILE_KERNEL(shared_copy_sync_4, unsigned, COPY, READY)
TILE_KERNEL(shared_copy_sync_8, uint2, COPY, READY)
TILE_KERNEL(shared_copy_sync_16, uint4, COPY, READY)
