/* Strided copy, one element a thread (document 004, strideCopy). A warp touches one element in each
 * `stride`, so from a stride of one sector on, every element costs a sector of its own. One entry
 * for each size of element.
 * Clauses: strided_copy.value.same, memory.gaps.untouched. */
#include "device.h"
#include "strided_copy/call.h"

#define STRIDED_COPY_SCALAR(entry, type)                                                           \
    KERNEL(entry, struct strided_copy_call, call)                                                  \
    {                                                                                              \
        const type *source = (const type *)call.source;                                            \
        type *target = (type *)call.target;                                                        \
        const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (index < call.n)                                                                        \
            target[index * call.stride] = source[index * call.stride];                             \
    }

STRIDED_COPY_SCALAR(strided_copy_scalar_1, unsigned char)
STRIDED_COPY_SCALAR(strided_copy_scalar_2, unsigned short)
STRIDED_COPY_SCALAR(strided_copy_scalar_4, unsigned)
STRIDED_COPY_SCALAR(strided_copy_scalar_8, uint2)
STRIDED_COPY_SCALAR(strided_copy_scalar_16, uint4)
