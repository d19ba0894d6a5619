/* One sample of a timer: what of it is put on the stream, and what its events say. */
#ifndef ASSAY_CONFORMANCE_WORK_TIMER_SAMPLE_H
#define ASSAY_CONFORMANCE_WORK_TIMER_SAMPLE_H

#include "conformance/model/speed_job.h"
#include "conformance/work/nvml.h"
#include "conformance/work/opened_device.h"

/* Enqueues one launch; `turn` counts them up, to rotate buffers by. */
typedef cu_result bench_enqueue(void *context, uint64_t turn);

/* What is done around each piece of a sample, outside of its time, in the timer's context. A piece
 * is a launch, or as many as write a buffer each. */
struct bench_around {
    /* How many launches in a row write a buffer each. */
    int (*apart)(void *context);
    /* How many calls on the stream `settle` and `look` make at most for so many launches, or
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
    int hold_ms;      /* at most, that the stream waits until its samples are enqueued */
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

/* How many launches that take so long each make a sample long enough. */
int sample_batch(const struct bench_timer *timer, double unit_us);

struct sample_shape sample_shape(const struct bench_timer *timer, int batch);

/* Puts a sample on the stream; `events` are the shape's. */
cu_result sample_enqueue(const struct bench_timer *timer, const struct sample_shape *shape,
                         const cu_event *events, uint64_t *turn);

/* The time of a sample's launches together, when it has run. */
cu_result sample_elapsed(const struct cuda_driver *driver, const struct sample_shape *shape,
                         const cu_event *events, double *ret_ms);

#endif
