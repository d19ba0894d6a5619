/* How the offset_copy kernels are launched: one entry for each size of element. */
#include "cuda/offset_copy/plan.h"
#include "cuda/offset_copy/call.h"
#include "cuda/plan.h"

enum { BLOCK = 256, SLOT_BYTES = 16 };

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

/* The most 16-byte slots that `bytes` can touch, wherever they begin. */
static long long slots_for(long long bytes)
{
    return bytes == 0 ? 0 : (bytes + SLOT_BYTES - 2) / SLOT_BYTES + 1;
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
           plan_line(entries[index], slots_for(copy->n * copy->element), BLOCK, limits, ret);
}
