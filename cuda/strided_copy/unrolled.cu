/* Strided copy, eight elements a thread. Against scalar: all loads of a thread are on their way
 * before its first store, so that fewer threads keep as much memory busy. A thread's elements are a
 * block's width apart, so that a warp still touches neighbours. On an H200 that is 1.6 times as
 * fast at stride 1; from stride 2 on both forms wait for the memory, which reads the sectors of the
 * target that are written in part, too. One entry for each size of element.
 * Clauses: strided_copy.value.same, memory.gaps.untouched. */
#include "device.h"
#include "strided_copy/call.h"

enum { THREAD_ELEMENTS = 8 };

#define STRIDED_COPY_UNROLLED(entry, type)                                                         \
    KERNEL(entry, struct strided_copy_call, call)                                                  \
    {                                                                                              \
        const type *source = (const type *)call.source;                                            \
        type *target = (type *)call.target;                                                        \
        const long long width = blockDim.x;                                                        \
        const long long first = blockIdx.x * width * THREAD_ELEMENTS + threadIdx.x;                \
        if (first + (THREAD_ELEMENTS - 1) * width < call.n) {                                      \
            type elements[THREAD_ELEMENTS];                                                        \
            for (int at = 0; at < THREAD_ELEMENTS; at++)                                           \
                elements[at] = source[(first + at * width) * call.stride];                         \
            for (int at = 0; at < THREAD_ELEMENTS; at++)                                           \
                target[(first + at * width) * call.stride] = elements[at];                         \
            return;                                                                                \
        }                                                                                          \
        for (int at = 0; at < THREAD_ELEMENTS && first + at * width < call.n; at++)                \
            target[(first + at * width) * call.stride] =                                           \
                source[(first + at * width) * call.stride];                                        \
    }

STRIDED_COPY_UNROLLED(strided_copy_unrolled_1, unsigned char)
STRIDED_COPY_UNROLLED(strided_copy_unrolled_2, unsigned short)
STRIDED_COPY_UNROLLED(strided_copy_unrolled_4, unsigned)
STRIDED_COPY_UNROLLED(strided_copy_unrolled_8, uint2)
STRIDED_COPY_UNROLLED(strided_copy_unrolled_16, uint4)
