/* One repeat of a kernel, of a group's ceiling, of a host call. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_TAKE_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_TAKE_H

#include "conformance/speed/bench.h"

/* The first repeat makes the result again, but for a copy that something was found wrong with. */
void bench_measure_kernel(struct bench *bench, const struct bench_group *group,
                          struct subject subject, int repeat, int samples,
                          struct bench_result *result);
void bench_measure_ceiling(struct bench *bench, const struct bench_group *group, int repeat,
                           int samples, struct bench_ceiling *ceiling);
void bench_measure_latency(struct bench *bench, int call, int repeat, int samples);

#endif
