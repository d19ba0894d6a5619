/* A bench from its first group to its last relation. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H

#include "conformance/speed/bench.h"

/* Measures and judges everything. The worker is ended: it dies with the thread that started it. */
void bench_measure(struct bench *bench, const struct bench_report *report);

/* Reports and records what was measured; then takes the sweep. */
void bench_tell(struct bench *bench, const struct bench_report *report);

/* All of it for one device. */
void bench_execute(struct bench *bench, const struct bench_report *report);

/* All of it for so many, which are measured at once and reported in their order. */
void bench_execute_all(struct bench *const *benches, int count, const struct bench_report *report);

#endif
