/* The limits that a case's launches are planned under: the device's, or in some cases lower ones.
 */
#ifndef ASSAY_CONFORMANCE_WORK_LAUNCH_PLAN_H
#define ASSAY_CONFORMANCE_WORK_LAUNCH_PLAN_H

#include "conformance/model/finding.h"
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

/* How a kernel is launched on a case, or why it is not: a shape that it does not take is one thing,
 * a device that cannot launch it another. */

/* PASS: *ret is how it is launched. DECLINED: the kernel does not take the case's shape. SKIP: it
 * does, and a launch needs more than the device has: `ret_why` names the limit. */
enum verdict launch_plan(const struct kernel *kernel, const struct fuzz_case *test_case,
                         const struct device_limits *limits, struct launch *ret,
                         char ret_why[FINDING_NOTE_BYTES]);

/* True where a dimension of the grid is 0: the case leaves nothing to do. */
bool launch_is_empty(const struct launch *launch);

#endif
