/* Shared by the kernels of table_lookup: the places that a thread reads. */
#ifndef ASSAY_CUDA_TABLE_LOOKUP_LOOKUP_BODY_H
#define ASSAY_CUDA_TABLE_LOOKUP_LOOKUP_BODY_H

#include "device.h"
#include "table_lookup/call.h"

/* Writes element `at`: the elements of the table from its index on, modulo the table's. READ(type,
 * place) is one of them. */
#define LOOK_UP(call, at, type, combine, READ)                                                     \
    do {                                                                                           \
        long long place = (call).index[at];                                                        \
        type sum = READ(type, place);                                                              \
        for (long long round = 1; round < (call).rounds; round++) {                                \
            place = place + 1 == (call).entries ? 0 : place + 1;                                   \
            combine(sum, READ(type, place));                                                       \
        }                                                                                          \
        ((type *)(call).target)[at] = sum;                                                         \
    } while (0)

/* A kernel with one element a thread. */
#define LOOKUP_KERNEL(entry, type, combine, READ)                                                  \
    KERNEL(entry, struct table_lookup_call, call)                                                  \
    {                                                                                              \
        const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;                     \
        if (at < call.n)                                                                           \
            LOOK_UP(call, at, type, combine, READ);                                                \
    }

#endif
