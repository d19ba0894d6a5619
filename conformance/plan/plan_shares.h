/* Dividing a plan among the workers of one device. A driver compiles PTX for one thread of a
 * process at a time, so workers that each had all algorithms would each wait for all of that: every
 * algorithm goes to one worker, and none waits for another's code. */
#ifndef ASSAY_CONFORMANCE_PLAN_PLAN_SHARES_H
#define ASSAY_CONFORMANCE_PLAN_PLAN_SHARES_H

#include "conformance/plan/plan.h"

enum { PLAN_SHARES_MAX = 8 };

struct plan_shares {
    int count;                                  /* 1 at least */
    unsigned char of_algorithm[ALGORITHMS_MAX]; /* by its number in `algorithms` */
};

/* At most `most` shares of about the same work for a device of that kind whose workers have so many
 * threads together. None is empty but of an empty plan. The same plan is divided in the same way.
 */
struct plan_shares plan_divide(const struct plan *plan, const struct device_info *device, int most,
                               int threads);

/* The share that case `index` < plan->count is in, below shares->count. */
int plan_share(const struct plan *plan, const struct plan_shares *shares, uint64_t index);

#endif
