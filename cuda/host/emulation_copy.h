/* Asynchronous copies (cuda/async_copy.h, cuda/bulk_copy.h) on the host device: a copy is made when
 * its thread waits for its group, and until then its destination holds garbage. So a wait that is
 * missing, or for too few groups, or a group that was never committed, shows in every run. */
#ifndef ASSAY_CUDA_HOST_EMULATION_COPY_H
#define ASSAY_CUDA_HOST_EMULATION_COPY_H

#include "arithmetic.h"
#include "emulation_interface.h"

/* Both addresses are used here, in the kernel's own code, so that a misaligned one is a fault, and
 * a watched form sees the read. */
#define EMULATION_ASYNC_COPY(name, type)                                                           \
    static inline void name(void *target, const void *source)                                      \
    {                                                                                              \
        const type value = *(const type *)source;                                                  \
        *(type *)target = value;                                                                   \
        emulation_copy_start(target, &value, sizeof value);                                        \
    }

EMULATION_ASYNC_COPY(copy_async_4, unsigned)
EMULATION_ASYNC_COPY(copy_async_8, uint2)
EMULATION_ASYNC_COPY(copy_async_16, uint4)
EMULATION_ASYNC_COPY(copy_async_16_bypass, uint4)

/* The whole stretch is read, and written, in the kernel's own code. */
static inline void bulk_copy_start(void *target, const void *source, unsigned bytes,
                                   unsigned long long *barrier)
{
    for (unsigned at = 0; at < bytes / sizeof(uint4); at++)
        ((uint4 *)target)[at] = ((const uint4 *)source)[at];
    emulation_bulk_start(target, bytes, barrier);
}

#define bulk_copy_wait(barrier) emulation_bulk_wait(barrier, __FILE__, __LINE__)

#define copy_async_commit()     emulation_copy_commit()
#define copy_async_wait(groups) emulation_copy_wait(groups)

#endif
