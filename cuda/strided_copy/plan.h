/* How the strided_copy kernels are launched (kernel.h). */
#ifndef ASSAY_CUDA_STRIDED_COPY_PLAN_H
#define ASSAY_CUDA_STRIDED_COPY_PLAN_H

#include "cuda/kernel.h"

bool strided_copy_plan_scalar(const void *call, const struct device_limits *limits,
                              struct launch *ret);
bool strided_copy_plan_unrolled(const void *call, const struct device_limits *limits,
                                struct launch *ret);

#endif
