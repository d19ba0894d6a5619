/* Which shapes the matmul kernels accept and how they are launched (kernel.h). */
#ifndef ASSAY_CUDA_MATMUL_PLAN_H
#define ASSAY_CUDA_MATMUL_PLAN_H

#include "cuda/kernel.h"

/* K is 32, M and N are multiples of 32: document 004's shapes. */
bool matmul_accepts_k32(const void *call);

bool matmul_plan_naive(const void *call, const struct device_limits *limits, struct launch *ret);
bool matmul_plan_tiled(const void *call, const struct device_limits *limits, struct launch *ret);
bool matmul_plan_tiled_dynamic(const void *call, const struct device_limits *limits,
                               struct launch *ret);
bool matmul_plan_padded(const void *call, const struct device_limits *limits, struct launch *ret);
bool matmul_plan_simple(const void *call, const struct device_limits *limits, struct launch *ret);
bool matmul_plan_shared_a(const void *call, const struct device_limits *limits, struct launch *ret);
bool matmul_plan_shared_ab(const void *call, const struct device_limits *limits,
                           struct launch *ret);

#endif
