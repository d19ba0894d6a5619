/* The limits that a case's launches are planned under: the device's, or in some cases lower ones.
 */
#ifndef ASSAY_CONFORMANCE_WORK_LIMITS_H
#define ASSAY_CONFORMANCE_WORK_LIMITS_H

#include "cuda/kernel.h"
#include "fuzz/case.h"

enum {
    LIMITS_LOW_EVERY = 4, /* one small case in so many, by its seed */
    LIMITS_LOW_GRID = 3,  /* blocks in y and in z */
    LIMITS_LOW_ELEMENTS = 1 << 15
};

/* A grid's limits in y and z are so high that a kernel's loop over the rows beyond them would
 * hardly ever take a second turn: some cases lower them (runner.plan.low_grid). */
struct device_limits limits_of_case(const struct device_limits *device,
                                    const struct fuzz_case *test_case);

#endif
