/* Taking times on a stream that is held until all of a group of samples is enqueued, so that no
 * host call lies inside a sample. */
#ifndef ASSAY_CONFORMANCE_BENCH_TIME_H
#define ASSAY_CONFORMANCE_BENCH_TIME_H

#include "conformance/bench/bench.h"

/* Enqueues one launch; `turn` counts them up, to rotate buffers by. */
typedef cu_result bench_enqueue(void *context, uint64_t turn);

struct bench_timer {
    struct device *device;
    cu_stream stream;
    const struct nvml *nvml;
    bench_enqueue *enqueue;
    void *context;
};

/* Warms up, then fills in the samples, what was discarded, and the readings. */
cu_result bench_time(const struct bench_timer *timer, int samples, struct bench_times *ret);

/* Looks who else is on the GPU, and keeps the most in ret->company. */
void bench_look_around(const struct nvml *nvml, struct bench_times *ret);

/* Takes a reading between samples and gathers it in ret->during; true when the GPU is slowed. */
bool bench_look(const struct nvml *nvml, struct bench_times *ret);

double bench_clock_us(void);

#endif
