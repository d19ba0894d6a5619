/* Whether two cases are one. */
#pragma once

#include "fuzz/case.h"

static inline bool case_equal(const struct fuzz_case *left, const struct fuzz_case *right)
{
    if (left->algorithm != right->algorithm || left->fill != right->fill ||
        left->seed != right->seed)
        return false;
    for (int index = 0; index < left->algorithm->axis_count; index++)
        if (left->axis[index] != right->axis[index])
            return false;
    return true;
}
