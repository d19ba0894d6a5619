/* The same strided reads from global memory, to compare with: a warp touches as many sectors as
 * the stride spreads it over, and finds most of them in the L1 cache. One entry for each size of
 * element.
 * Clauses: shared_stride.value.combined, shared_stride.tile.width. */
#include "device.h"
#include "exclusive_or.h"
#include "shared_stride/strided_tile.h"

#define READ(place) source[place]

#define SHARED_STRIDE_GLOBAL(entry, type, combine)                                                 \
    KERNEL(entry, struct shared_stride_call, call)                                                 \
    {                                                                                              \
        const type *source = (const type *)call.source + (long long)blockIdx.x * TILE;             \
        COMBINE_TILE(call, type, combine, READ);                                                   \
    }

EACH_ELEMENT_SIZE(SHARED_STRIDE_GLOBAL, shared_stride_global)
