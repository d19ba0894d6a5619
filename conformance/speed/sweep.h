/* The sweep of one bench: its plan, and what the point that was measured last came to. */
#ifndef ASSAY_CONFORMANCE_SPEED_SWEEP_H
#define ASSAY_CONFORMANCE_SPEED_SWEEP_H

#include "conformance/speed/bench.h"
#include "conformance/speed/sweep_plan.h"

struct sweep {
    struct sweep_plan plan;
    struct bench_ceiling ceiling; /* of that point */
    struct bench_result *results; /* of its rows, from row_begin on */
};

/* Plans the bench's sweep (sweep_plan.h). NULL with the reason. */
struct sweep *sweep_open(const struct bench *bench, struct reason *ret_reason);
void sweep_close(struct sweep *sweep);

/* Measures every point and tells it as soon as it is known. */
void sweep_execute(struct bench *bench, const struct bench_report *report);

#endif
