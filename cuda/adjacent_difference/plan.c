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

bool adjacent_difference_plan_vector(const void *call, const struct device_limits *limits,
                                     struct launch *ret)
{
    const struct adjacent_difference_call *difference = call;
    const long long slots = plan_slots(difference->n * (long long)sizeof(float));
    /* The kernel's shuffle spans a warp of 32. */
    return limits->warp_size == 32 &&
           plan_line("adjacent_difference_vector", slots, BLOCK, limits, ret);
}
