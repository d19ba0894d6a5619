/* Offset copy, one element a thread (document 004, offsetCopy). A warp reads 32 neighbouring
 * elements; where the offset is no multiple of a 32-byte sector it touches one sector more, which
 * its neighbour finds in the cache. One entry for each size of element.
 * Clauses: offset_copy.value.same, memory.guards.untouched. */
#include "device.h"
#include "offset_copy/call.h"

#define OFFSET_COPY_SCALAR(entry, type)                                                            \
    KERNEL(entry, struct offset_copy_call, call)                                                   \
    {                                                                                              \
        const type *source = (const type *)call.source;                                            \
        type *target = (type *)call.target;                                                        \
        const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (index < call.n)                                                                        \
            target[call.offset + index] = source[call.offset + index];                             \
    }

OFFSET_COPY_SCALAR(offset_copy_scalar_1, unsigned char)
OFFSET_COPY_SCALAR(offset_copy_scalar_2, unsigned short)
OFFSET_COPY_SCALAR(offset_copy_scalar_4, unsigned)
OFFSET_COPY_SCALAR(offset_copy_scalar_8, uint2)
OFFSET_COPY_SCALAR(offset_copy_scalar_16, uint4)
