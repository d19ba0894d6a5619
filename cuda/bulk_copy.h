/* Bulk copies from global to shared memory, of compute capability 9.0 and later (a row with such a
 * kernel says .needs_compute = 90). One thread starts the copy of a whole stretch, and a barrier in
 * shared memory counts its bytes:
 *
 *     SHARED unsigned long long barrier;
 *     bulk_copy_start(target, source, bytes, &barrier);  one thread, before __syncthreads(), once
 *     bulk_copy_wait(&barrier);                          each thread, after it
 *
 * Both addresses and the bytes are multiples of 16, and there is at least one. Code for an earlier
 * device compiles, and traps. */
#ifndef ASSAY_CUDA_BULK_COPY_H
#define ASSAY_CUDA_BULK_COPY_H

#include "device.h"

#ifdef __CUDACC__
DEVICE void bulk_copy_start(void *target, const void *source, unsigned bytes,
                            unsigned long long *barrier)
{
#if __CUDA_ARCH__ >= 900
    /* The copy goes past the threads' view of memory: the fence shows it the new barrier. */
    asm volatile("{ .reg .u64 to, from, at; .reg .b64 state;\n"
                 "cvta.to.shared.u64 to, %0;\n"
                 "cvta.to.global.u64 from, %1;\n"
                 "cvta.to.shared.u64 at, %3;\n"
                 "mbarrier.init.shared::cta.b64 [at], 1;\n"
                 "fence.proxy.async.shared::cta;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 state, [at], %2;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], "
                 "%2, [at]; }" ::"l"(target),
                 "l"(source), "r"(bytes), "l"(barrier)
                 : "memory");
#else
    __trap();
#endif
}

DEVICE void bulk_copy_wait(unsigned long long *barrier)
{
#if __CUDA_ARCH__ >= 900
    unsigned done;
    do {
        asm volatile("{ .reg .u64 at; .reg .pred done;\n"
                     "cvta.to.shared.u64 at, %1;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [at], 0;\n"
                     "selp.u32 %0, 1, 0, done; }"
                     : "=r"(done)
                     : "l"(barrier)
                     : "memory");
    } while (!done);
#else
    __trap();
#endif
}
#endif /* else emulation.h has them */

#endif
