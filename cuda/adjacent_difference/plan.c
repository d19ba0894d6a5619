/* How the adjacent_difference kernels are launched. */
#include "cuda/adjacent_difference/plan.h"
#include "cuda/adjacent_difference/call.h"
#include "cuda/plan.h"

/* The shared form's tile has as many elements (shared.cu). */
enum { BLOCK = 256 };

bool adjacent_difference_plan_global(const void *call, const struct device_limits *limits,
                                     struct launch *ret)
{
    const struct adjacent_difference_call *difference = call;
    return plan_line("adjacent_difference_global", difference->n, BLOCK, limits, ret);
}

bool adjacent_difference_plan_shared(const void *call, const struct device_limits *limits,
                                     struct launch *ret)
{
    const struct adjacent_difference_call *difference = call;
    return plan_line("adjacent_difference_shared", difference->n, BLOCK, limits, ret);
}
