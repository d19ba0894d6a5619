/* Taking times on a stream that is held until all of a group of samples is enqueued, so that no
 * host call lies inside a sample. */
#ifndef ASSAY_CONFORMANCE_WORK_TIMER_H
#define ASSAY_CONFORMANCE_WORK_TIMER_H

#include "conformance/model/speed_job.h"
#include "conformance/work/timer_sample.h"

/* How long to warm up so long after other samples: clocks come up, and power and heat to where they
 * stay; or the caches alone, where nothing else has changed since. */
double bench_warm_up_s(double idle_s);

/* Warms up, then fills in the samples, what was discarded, and the readings. */
cu_result bench_time(const struct bench_timer *timer, int samples, struct bench_times *ret);

/* Looks who else is on the GPU, and keeps the most in ret->company. */
void bench_look_around(const struct nvml *nvml, struct bench_times *ret);

/* Takes a reading between samples and gathers it in ret->during; true when the GPU is slowed. */
bool bench_look(const struct nvml *nvml, struct bench_times *ret);

#endif
