/* A timer: samples of launches between events, until there are enough of them. One sample is the
 * operations enqueued for it, and the times of its events. */
#pragma once

#include "conformance/model/job.h"
#include "conformance/work/callable.h"
#include "conformance/work/nvml.h"
#include "conformance/work/opened_device.h"

/* Enqueues one launch; `turn` counts them up, to rotate buffers by. */
typedef cu_result bench_enqueue(void *context, uint64_t turn);

/* Calls around each piece of a sample, outside of its time, in the timer's context. A piece is a
 * launch, or as many as write a buffer each. */
struct bench_around {
    /* How many launches in a row write a buffer each. */
    int (*apart)(void *context);
    /* How many calls on the stream `settle` and `look` make at most for that many launches, or
     * `settle`, `poison` and `peek` for one. */
    int (*calls)(void *context, int launches);
    cu_result (*begin)(void *context); /* a group of samples */
    void (*move)(void *context);       /* before a piece, perhaps to another buffer */
    /* Before the launches from `turn` on: leaves the caches as a launch before them would. */
    bench_enqueue *settle;
    /* After the launches before `end`: looks at all of what they wrote in. */
    cu_result (*look)(void *context, uint64_t turn, uint64_t end);
    /* Between `settle` and a launch: writes over what it is to write. */
    bench_enqueue *poison;
    /* After it: looks at what it wrote; or at the poison, where it was left out. */
    cu_result (*peek)(void *context, uint64_t turn, bool was_launched);
    cu_result (*end)(void *context); /* the group's, when all of it has run */
};

struct bench_timer {
    struct device *device;
    cu_stream stream;
    const struct nvml *nvml;
    bench_enqueue *enqueue;
    void *context;
    const struct bench_around *around; /* NULL: nothing */
    int hold_ms;      /* at most, that the stream waits until its samples are enqueued; 0: it does
                         not, as a call returns when the copy has been made */
    double warm_up_s; /* before the first sample */
};
enum { TIMER_HOLD_MS = 2000 };

/* Each launch is looked at before a later one writes over what it wrote. So a sample is divided
 * into pieces of as many launches as there are buffers. A pair of events around each piece adds 2
 * us to it, which is nothing to 100 us, and in the L2 cache a launch takes 6. Short launches on one
 * buffer therefore have no event between them: what is around each lies, without the launches,
 * between a first and a second event, and with them between the second and a third. The difference
 * is the launches' time. Such pieces are on one buffer each, and not all on the same. */
struct sample_shape {
    int batch;          /* launches of all pieces */
    int launches;       /* of each piece but the last */
    bool by_difference; /* each piece has three events; else a pair */
    int events, events_each;
    int calls; /* on the stream, at most */
};

/* Measuring times on a stream that waits until a whole group of samples is enqueued, so that no
 * host call falls into a sample. */

/* How long to warm up so long after other samples: clocks come up, and power and heat to where they
 * stay; or the caches alone, where nothing else has changed since. */
double bench_warm_up_s(double idle_s);

/* Warms up, then fills in the samples, what was discarded, and the readings; if the
 * events' time is not the host's, a finding and no sample (event_clock.h). */
cu_result bench_time(const struct bench_timer *timer, int samples, struct bench_times *ret);

/* Takes a reading between samples and gathers it in ret->during; true when the GPU is slowed. */
bool bench_look(const struct nvml *nvml, struct bench_times *ret);

/* Times a driver call (callable_host_call) by the host's clock, one at a time on an idle stream:
 * drivers have become slow there (spec/bandwidth.md). */
cu_result bench_latency_time(const struct callable *callable, struct callable_operands *operands,
                             const struct nvml *nvml, int samples, struct bench_times *ret);
