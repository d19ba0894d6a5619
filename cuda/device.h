/* Every kernel file includes this first. The one C subset that nvcc, NVRTC and, through
 * host/emulation.h, the host's C compiler all take:
 *
 *     KERNEL(matmul_naive, struct matmul_call, call) { ... call.a[...] ... }
 *     KERNEL_WITH(bounds, name, ...)         a kernel with bounds of its own, or none
 *     SHARED float tile[16][16];             static shared memory, inside a kernel
 *     DYNAMIC_SHARED(float, tiles);          the launch's dynamic shared memory
 *     DEVICE int helper(int x) { ... }       a function that kernels of this file call
 *     DEVICE_GLOBAL(unsigned, counter, 1);   an array that is zero when its module is loaded, and
 *                                            lives as long as that
 *     CONSTANT(uint4, table, 4096);          one in constant memory, which kernels only read
 *     LOCAL_ARRAY(float, line, 16);          an array of the thread's own, inside a kernel: in
 *                                            local memory if an index is known only at run time
 *     UNROLL(8)                              how many steps of the next loop are laid out in a row
 *     EACH_SLOT(slot, 1, end, 32) ...        a loop from 1 to end - 1, which is below 32, laid out
 *                                            in a row: what `slot` indexes can be in registers
 *
 * Arithmetic is fmaf, __fadd_rn, __fmul_rn, __fsub_rn; never a*b+c (spec/numerics.md,
 * numerics.contraction.none). A kernel takes one struct by value: the operands' addresses, then the
 * algorithm's axes, 8 bytes each. Headers of kernels have guards: NVRTC, which takes them from
 * memory, ignores #pragma once. */
#ifndef ASSAY_CUDA_DEVICE_H
#define ASSAY_CUDA_DEVICE_H

#ifdef __CUDACC__
/* The bound keeps registers few enough for any block that a plan may ask for. The launch may ask
 * which SMs ran it: `sms` is a byte for each, or NULL (launch.h). Only the lowest PTX answers: the
 * few instructions cost a kernel of one element a thread 4 % of its speed on an H200, and what is
 * measured must be the kernel alone. */
#define KERNEL(name, type, call) KERNEL_WITH(__launch_bounds__(1024), name, type, call)
#define KERNEL_WITH(bounds, name, type, call)                                                      \
    DEVICE void name##_body(type call);                                                            \
    extern "C" __global__ void bounds name(type call, unsigned char *sms)                          \
    {                                                                                              \
        device_note_sm(sms);                                                                       \
        name##_body(call);                                                                         \
    }                                                                                              \
    DEVICE void name##_body(type call)
#define SHARED                     __shared__
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#define DEVICE                     static __device__ __forceinline__
/* nvcc has __maxnreg__ from 12.4 on, and writes it into the PTX. Before, its option -maxrregcount
 * alone says so, for whole files and not in the PTX: then the compiler takes what it likes. */
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4)
#define MOST_REGISTERS(count) __maxnreg__(count)
#else
#define MOST_REGISTERS(count)
#endif
/* Threads that every multiprocessor of a generation can hold at once (spec/architectures.def); one
 * compilation serves a generation. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ < 800
#define SM_THREADS 1024
#elif __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100
#define SM_THREADS 2048
#else
#define SM_THREADS 1536
#endif
#define LOCAL_ARRAY(type, name, count) type name[count]
/* With C names, by which the driver finds them (kernel.h, bindings). */
#define DEVICE_GLOBAL(type, name, count)                                                           \
    extern "C" {                                                                                   \
    __device__ type name[count];                                                                   \
    }
#define CONSTANT(type, name, count)                                                                \
    extern "C" {                                                                                   \
    __constant__ type name[count];                                                                 \
    }
#define EACH_SLOT(slot, begin, end, most)                                                          \
    DEVICE_PRAGMA(unroll)                                                                          \
    for (int slot = (begin); slot < (most); slot++)                                                \
        if (slot < (end))
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
#define EACH_SLOT(slot, begin, end, most)                                                          \
    for (int slot = (begin); slot < (most) && slot < (end); slot++)
#endif

#endif
