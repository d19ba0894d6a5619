/* Taking times on a stream that is held until all of a group of samples is enqueued, so that no
 * host call lies inside a sample. */
#ifndef ASSAY_CONFORMANCE_WORK_TIMER_H
#define ASSAY_CONFORMANCE_WORK_TIMER_H

#include "conformance/model/speed_job.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/nvml.h"

/* Enqueues one launch; `turn` counts them up, to rotate buffers by. */
typedef cu_result bench_enqueue(void *context, uint64_t turn);

/* What is done around each piece of a sample, outside of its time, in the timer's context. A sample
 * of few long launches has a piece for each, or for as many as write a buffer each. */
struct bench_around {
    /* How many launches in a row write a buffer each. */
    int (*apart)(void *context);
    /* How many calls on the stream `settle` and `look` make at most for so many launches. */
    int (*calls)(void *context, int launches);
    cu_result (*begin)(void *context); /* a group of samples */
    /* Before the launches from `turn` on: leaves the caches as a launch before them would. */
    bench_enqueue *settle;
    cu_result (*look)(void *context, uint64_t turn, uint64_t end); /* after those before `end` */
    cu_result (*end)(void *context); /* the group's, when all of it has run */
};

struct bench_timer {
    struct device *device;
    cu_stream stream;
    const struct nvml *nvml;
    bench_enqueue *enqueue;
    void *context;
    const struct bench_around *around; /* NULL: nothing */
    int hold_ms;      /* at most, that the stream waits until its samples are enqueued */
    double warm_up_s; /* before the first sample */
};
enum { TIMER_HOLD_MS = 2000 };

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
