/* A copy of one element a thread, as one access of its size: which of the two addresses is another
 * GPU's memory is the caller's. */
#ifndef ASSAY_CUDA_PEER_COPY_COPY_BODY_H
#define ASSAY_CUDA_PEER_COPY_COPY_BODY_H

#include "device.h"
#include "peer_copy/call.h"

#define PEER_COPY(entry, type)                                                                     \
    KERNEL(entry, struct peer_copy_call, call)                                                     \
    {                                                                                              \
        const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (index < call.n)                                                                        \
            ((type *)call.target)[index] = ((const type *)call.source)[index];                     \
    }

/* One entry for each size of element. */
#define PEER_COPIES(entry)                                                                         \
    PEER_COPY(entry##_1, unsigned char)                                                            \
    PEER_COPY(entry##_2, unsigned short)                                                           \
    PEER_COPY(entry##_4, unsigned)                                                                 \
    PEER_COPY(entry##_8, uint2)                                                                    \
    PEER_COPY(entry##_16, uint4)

#endif
