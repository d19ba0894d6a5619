/* What every kernel file includes first. The one C subset that nvcc, NVRTC and, through
 * host/emulation.h, the host's C compiler all take:
 *
 *     KERNEL(matmul_naive, struct matmul_call, call) { ... call.a[...] ... }
 *     SHARED float tile[16][16];            static shared memory, inside a kernel
 *     DYNAMIC_SHARED(float, tiles);         the launch's dynamic shared memory
 *     DEVICE int helper(int x) { ... }      a function that kernels of this file call
 *     DEVICE_GLOBAL(unsigned, counter, 1);  an array that lives as long as its module, zero at
 * first CONSTANT(uint4, table, 4096);         one in constant memory, which kernels only read
 *     UNROLL(8)                             how many steps of the next loop are laid out in a row
 *
 * Arithmetic is fmaf, __fadd_rn, __fmul_rn, __fsub_rn; never a*b+c (spec/numerics.md,
 * numerics.contraction.none). A kernel takes one struct by value: the operands' addresses, then the
 * algorithm's axes, 8 bytes each. */
#ifndef ASSAY_CUDA_DEVICE_H
#define ASSAY_CUDA_DEVICE_H

#ifdef __CUDACC__
/* The bound keeps registers few enough for any block that a plan may ask for. The launch may ask
 * which SMs ran it: `sms` is a byte for each, or NULL (launch.h). Only the lowest PTX answers: the
 * few instructions cost a kernel of one element a thread 4 % of its speed on an H200, and what is
 * measured must be the kernel alone. */
#define KERNEL(name, type, call)                                                                   \
    DEVICE void name##_body(type call);                                                            \
    extern "C" __global__ void __launch_bounds__(1024) name(type call, unsigned char *sms)         \
    {                                                                                              \
        device_note_sm(sms);                                                                       \
        name##_body(call);                                                                         \
    }                                                                                              \
    DEVICE void name##_body(type call)
#define SHARED                     __shared__
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#define DEVICE                     static __device__ __forceinline__
/* With C names, by which the driver finds them (kernel.h, bindings). */
#define DEVICE_GLOBAL(type, name, count)                                                           \
    extern "C" {                                                                                   \
    __device__ type name[count];                                                                   \
    }
#define CONSTANT(type, name, count)                                                                \
    extern "C" {                                                                                   \
    __constant__ type name[count];                                                                 \
    }
#define UNROLL(count)       DEVICE_PRAGMA(unroll count)
#define DEVICE_PRAGMA(text) _Pragma(#text)

/* Clause: runner.coverage.sms. */
DEVICE void device_note_sm(unsigned char *sms)
{
#ifdef ASSAY_NOTES_SMS
    unsigned sm;
    if (sms == 0 || (threadIdx.x | threadIdx.y | threadIdx.z) != 0)
        return;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    sms[sm % 1024] = 1;
#else
    (void)sms;
#endif
}
#else /* unit.c.in has included host/emulation.h */
#define DEVICE static inline
#define UNROLL(count)
#endif

#endif
