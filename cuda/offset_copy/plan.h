/* How the offset_copy kernels are launched (kernel.h). */
#ifndef ASSAY_CUDA_OFFSET_COPY_PLAN_H
#define ASSAY_CUDA_OFFSET_COPY_PLAN_H

#include "cuda/kernel.h"

bool offset_copy_plan_scalar(const void *call, const struct device_limits *limits,
                             struct launch *ret);
bool offset_copy_plan_vector(const void *call, const struct device_limits *limits,
                             struct launch *ret);

#endif
