/* Lowering a device's limits by the case's seed (limits.h). */
#include "conformance/work/limits.h"

#include "fuzz/random.h"

struct device_limits limits_of_case(const struct device_limits *device,
                                    const struct fuzz_case *test_case)
{
    enum { STREAM = 1 }; /* of the seed's random numbers; the fills have others */
    struct device_limits limits = *device;
    if (case_elements(test_case) > LIMITS_LOW_ELEMENTS ||
        random_below(~test_case->seed, STREAM, LIMITS_LOW_EVERY) != 0)
        return limits;
    for (int axis = 1; axis < 3; axis++)
        if (limits.max_grid[axis] > LIMITS_LOW_GRID)
            limits.max_grid[axis] = LIMITS_LOW_GRID;
    return limits;
}
