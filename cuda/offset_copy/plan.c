/* How the offset_copy kernels are launched: one entry for each size of element. */
#include "cuda/offset_copy/plan.h"
#include "cuda/offset_copy/call.h"
#include "cuda/plan.h"

enum { BLOCK = 256 };

bool offset_copy_plan_scalar(const void *call, const struct device_limits *limits,
                             struct launch *ret)
{
    static const char *const entries[PLAN_ELEMENT_SIZES] = {
        "offset_copy_scalar_1", "offset_copy_scalar_2",  "offset_copy_scalar_4",
        "offset_copy_scalar_8", "offset_copy_scalar_16",
    };
    const struct offset_copy_call *copy = call;
    const int index = plan_element_index(copy->element);
    return index >= 0 && plan_line(entries[index], copy->n, BLOCK, limits, ret);
}

bool offset_copy_plan_vector(const void *call, const struct device_limits *limits,
                             struct launch *ret)
{
    static const char *const entries[PLAN_ELEMENT_SIZES] = {
        "offset_copy_vector_1", "offset_copy_vector_2",  "offset_copy_vector_4",
        "offset_copy_vector_8", "offset_copy_vector_16",
    };
    const struct offset_copy_call *copy = call;
    const int index = plan_element_index(copy->element);
    return index >= 0 &&
           plan_line(entries[index], plan_slots(copy->n * copy->element), BLOCK, limits, ret);
}
