/* Shared by the kernels of sliding_window: one element a thread, as document 004 has it. A thread
 * moves 12 bytes, 4 of them of the hot data. */
#ifndef ASSAY_CUDA_SLIDING_WINDOW_SUM_BODY_H
#define ASSAY_CUDA_SLIDING_WINDOW_SUM_BODY_H

#include "device.h"
#include "sliding_window/call.h"

/* at modulo count. A remainder of 64 bits takes so long that it would hide what the cache does. */
DEVICE long long sliding_place(long long at, long long count)
{
    if (at <= 0xffffffffLL && count <= 0xffffffffLL)
        return (unsigned)at % (unsigned)count;
    return at % count;
}

/* The hot element is only read. */
#define SLIDING_PLAIN(address) (*(const unsigned *)(address))

/* It is read and written at once, in L2; all threads find the same value, and leave it there. */
#define SLIDING_ATOMIC(address) atomicAdd(address, 0u)

#define SLIDING_KERNEL(entry, READ)                                                                \
    KERNEL(entry, struct sliding_window_call, call)                                                \
    {                                                                                              \
        const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;                     \
        if (at < call.n)                                                                           \
            call.target[at] =                                                                      \
                call.stream[at] + READ(&call.hot[sliding_place(at, call.hot_count)]);              \
    }

#endif
