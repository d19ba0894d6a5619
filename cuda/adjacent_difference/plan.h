/* How the adjacent_difference kernels are launched (kernel.h). */
#ifndef ASSAY_CUDA_ADJACENT_DIFFERENCE_PLAN_H
#define ASSAY_CUDA_ADJACENT_DIFFERENCE_PLAN_H

#include "cuda/kernel.h"

bool adjacent_difference_plan_global(const void *call, const struct device_limits *limits,
                                     struct launch *ret);
bool adjacent_difference_plan_shared(const void *call, const struct device_limits *limits,
                                     struct launch *ret);
bool adjacent_difference_plan_vector(const void *call, const struct device_limits *limits,
                                     struct launch *ret);

#endif
