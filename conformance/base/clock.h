/* The one clock: a moment that only goes forward, in seconds. */
#ifndef ASSAY_CONFORMANCE_BASE_CLOCK_H
#define ASSAY_CONFORMANCE_BASE_CLOCK_H

#include <time.h>

static inline double clock_now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
