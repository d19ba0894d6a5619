/* How the strided_copy kernels are launched: one entry for each size of element. */
#include "cuda/strided_copy/plan.h"
#include "cuda/strided_copy/call.h"
#include "cuda/plan.h"

enum { BLOCK = 256 };

bool strided_copy_plan_scalar(const void *call, const struct device_limits *limits,
                              struct launch *ret)
{
    static const char *const entries[PLAN_ELEMENT_SIZES] = {
        "strided_copy_scalar_1", "strided_copy_scalar_2",  "strided_copy_scalar_4",
        "strided_copy_scalar_8", "strided_copy_scalar_16",
    };
    const struct strided_copy_call *copy = call;
    const int index = plan_element_index(copy->element);
    return index >= 0 && plan_line(entries[index], copy->n, BLOCK, limits, ret);
}

bool strided_copy_plan_unrolled(const void *call, const struct device_limits *limits,
                                struct launch *ret)
{
    static const char *const entries[PLAN_ELEMENT_SIZES] = {
        "strided_copy_unrolled_1", "strided_copy_unrolled_2",  "strided_copy_unrolled_4",
        "strided_copy_unrolled_8", "strided_copy_unrolled_16",
    };
    enum { THREAD_ELEMENTS = 8 };
    const struct strided_copy_call *copy = call;
    const int index = plan_element_index(copy->element);
    const long long threads = copy->n / THREAD_ELEMENTS + (copy->n % THREAD_ELEMENTS != 0);
    return index >= 0 && plan_line(entries[index], threads, BLOCK, limits, ret);
}
