/* Which shapes the aat kernels accept and how they are launched (kernel.h). */
#ifndef ASSAY_CUDA_AAT_PLAN_H
#define ASSAY_CUDA_AAT_PLAN_H

#include "cuda/kernel.h"

/* K is 32, M is a multiple of 32: document 004's shapes. */
bool aat_accepts_k32(const void *call);

bool aat_plan_naive(const void *call, const struct device_limits *limits, struct launch *ret);
bool aat_plan_tiled(const void *call, const struct device_limits *limits, struct launch *ret);
bool aat_plan_simple(const void *call, const struct device_limits *limits, struct launch *ret);
bool aat_plan_coalesced(const void *call, const struct device_limits *limits, struct launch *ret);
bool aat_plan_padded(const void *call, const struct device_limits *limits, struct launch *ret);

#endif
