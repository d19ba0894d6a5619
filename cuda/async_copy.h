/* Asynchronous copies from global to shared memory, of compute capability 8.0 and later (a row with
 * such a kernel says .needs_compute = 80):
 *
 *     copy_async_4(target, source);         starts a copy; _8 and _16 likewise. Both addresses are
 *                                           multiples of its bytes.
 *     copy_async_16_bypass(target, source); the same without the L1 cache
 *     copy_async_4_folded(target, source);  as copy_async_4, with constant offsets in the
 *                                           instruction, and _16_folded as _16_bypass: fewer
 *                                           instructions and more registers (42 instead of 32
 *                                           in shared_copy/async for sm_90)
 *     copy_async_4_or_zero(target, source, is_there);
 *                                           copies 4 bytes, or zeros and does not read the source
 *     copy_async_commit();                  what this thread has started since is one group
 *     copy_async_wait(0);                   until all but that many of its last groups are there
 *
 * A wait is for the thread's own copies: the block's barrier makes them seen by others. Code for an
 * earlier device compiles, and traps. */
#ifndef ASSAY_CUDA_ASYNC_COPY_H
#define ASSAY_CUDA_ASYNC_COPY_H

#include "device.h"

#ifdef __CUDACC__
#if __CUDA_ARCH__ >= 800
#define ASYNC_COPY_ASM(text, ...) asm volatile(text __VA_ARGS__ : "memory")
#else
#define ASYNC_COPY_ASM(text, ...) __trap()
#endif

/* PTX takes addresses of the two spaces, not generic ones. */
#define ASYNC_COPY(name, instruction, bytes)                                                       \
    DEVICE void name(void *target, const void *source)                                             \
    {                                                                                              \
        ASYNC_COPY_ASM("{ .reg .u64 to, from;\n"                                                   \
                       "cvta.to.shared.u64 to, %0;\n"                                              \
                       "cvta.to.global.u64 from, %1;\n" instruction " [to], [from], " bytes "; }", \
                       ::"l"(target), "l"(source));                                                \
    }

ASYNC_COPY(copy_async_4, "cp.async.ca.shared.global", "4")
ASYNC_COPY(copy_async_8, "cp.async.ca.shared.global", "8")
ASYNC_COPY(copy_async_16, "cp.async.ca.shared.global", "16")
ASYNC_COPY(copy_async_16_bypass, "cp.async.cg.shared.global", "16")

/* The compiler sees through the builtins that convert an address, not through assembly. */
#define ASYNC_COPY_FOLDED(name, instruction, bytes)                                                \
    DEVICE void name(void *target, const void *source)                                             \
    {                                                                                              \
        ASYNC_COPY_ASM(instruction " [%0], [%1], " bytes ";",                                      \
                       ::"l"(__cvta_generic_to_shared(target)),                                    \
                       "l"(__cvta_generic_to_global(source)));                                     \
    }

ASYNC_COPY_FOLDED(copy_async_4_folded, "cp.async.ca.shared.global", "4")
ASYNC_COPY_FOLDED(copy_async_16_folded, "cp.async.cg.shared.global", "16")

DEVICE void copy_async_4_or_zero(void *target, const void *source, bool is_there)
{
    ASYNC_COPY_ASM("cp.async.ca.shared.global [%0], [%1], 4, %2;",
                   ::"l"(__cvta_generic_to_shared(target)), "l"(__cvta_generic_to_global(source)),
                   "r"(is_there ? 4 : 0));
}

DEVICE void copy_async_commit(void)
{
    ASYNC_COPY_ASM("cp.async.commit_group;", ::);
}

/* The number is a constant of the instruction. */
#define copy_async_wait(groups) ASYNC_COPY_ASM("cp.async.wait_group %0;", ::"n"(groups))
#endif /* else emulation.h has them */

#endif
