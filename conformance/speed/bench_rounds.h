/* A bench from its first group to its last relation. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H

#include "conformance/speed/bench.h"

/* Measures and judges everything on so many devices at once, then reports and records one after the
 * other, and takes the sweep of each. */
void bench_execute(struct bench *const *benches, int count, const struct bench_report *report);

#endif
