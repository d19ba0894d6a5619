/* A tile copied to shared memory without registers, one asynchronous copy an element (document 004,
 * pipeline_kernel_async): all copies of a thread are one group, and it waits for that. The
 * instruction has 4, 8 or 16 bytes, so elements have as many; what it moves stays in the L1 cache.
 * Clauses: shared_copy.value.mirrored, shared_copy.tile.width. */
#include "async_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

#define COPY_4(tile, source, at)  copy_async_4((tile) + (at), (source) + (at))
#define COPY_8(tile, source, at)  copy_async_8((tile) + (at), (source) + (at))
#define COPY_16(tile, source, at) copy_async_16((tile) + (at), (source) + (at))

DEVICE void wait_for_copies(void)
{
    copy_async_commit();
    copy_async_wait(0);
}

TILE_KERNEL(shared_copy_async_4, unsigned, COPY_4, wait_for_copies)
TILE_KERNEL(shared_copy_async_8, uint2, COPY_8, wait_for_copies)
TILE_KERNEL(shared_copy_async_16, uint4, COPY_16, wait_for_copies)
