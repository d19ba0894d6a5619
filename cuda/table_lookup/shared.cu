/* Lookups in shared memory: a block has the whole table there, 32 KiB at most, and takes eight
 * elements a thread, a block's width apart, for each that it loads. Different addresses cost where
 * they meet in a bank. One entry for each size of element.
 * Clause: table_lookup.value.combined. */
#include "device.h"
#include "exclusive_or.h"
#include "table_lookup/lookup_body.h"

enum { THREAD_ELEMENTS = 8 };

SHARED uint4 table[2048];

#define READ(type, place) ((const type *)table)[place]

#define TABLE_LOOKUP_SHARED(entry, type, combine)                                                  \
    KERNEL(entry, struct table_lookup_call, call)                                                  \
    {                                                                                              \
        const long long first = (long long)blockIdx.x * blockDim.x * THREAD_ELEMENTS;              \
        for (long long at = threadIdx.x; at < call.entries; at += blockDim.x)                      \
            ((type *)table)[at] = ((const type *)call.table)[at];                                  \
        __syncthreads();                                                                           \
        for (int turn = 0; turn < THREAD_ELEMENTS; turn++) {                                       \
            const long long at = first + (long long)turn * blockDim.x + threadIdx.x;               \
            if (at < call.n)                                                                       \
                LOOK_UP(call, at, type, combine, READ);                                            \
        }                                                                                          \
    }

EACH_ELEMENT_SIZE(TABLE_LOOKUP_SHARED, table_lookup_shared)
