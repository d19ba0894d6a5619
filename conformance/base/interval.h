/* A median and the bounds that hold the true one with the confidence that was asked for, and the
 * intervals of a measurement's repeats. */
#pragma once

#include <stddef.h>

struct interval {
    double lower, median, upper;
};

/* One for each repeat. The array is the owner's of what holds them. */
struct intervals {
    const struct interval *each;
    size_t count;
};
