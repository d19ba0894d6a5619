/* What every kernel file includes first. The one C subset that nvcc, NVRTC and, through
 * host/emulation.h, the host's C compiler all take:
 *
 *     KERNEL(matmul_naive, struct matmul_call, call) { ... call.a[...] ... }
 *     SHARED float tile[16][16];            static shared memory, inside a kernel
 *     DYNAMIC_SHARED(float, tiles);         the launch's dynamic shared memory
 *
 * Arithmetic is fmaf, __fadd_rn, __fmul_rn, __fsub_rn; never a*b+c (spec/numerics.md,
 * numerics.contraction.none). A kernel takes one struct by value: the operands' addresses, then the
 * algorithm's axes, 8 bytes each. */
#ifndef ASSAY_CUDA_DEVICE_H
#define ASSAY_CUDA_DEVICE_H

#ifdef __CUDACC__
#define KERNEL(name, type, call)   extern "C" __global__ void name(type call)
#define SHARED                     __shared__
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#else
#include "host/emulation.h"
#endif

#endif
