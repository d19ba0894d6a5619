/* The worker's side of measuring speed: one job is bits, times, bits again.
 *
 *     struct bench_worker *state = NULL;
 *     bench_work(&state, &device, &job, &times);
 *     bench_worker_close(state);
 */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/model/job.h"
#include "conformance/work/buffers.h"
#include "conformance/work/callable.h"
#include "conformance/work/harness.h"
#include "conformance/work/nvml.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/timer.h"

/* The buffers after each sample of a timing, by digests that the device takes of them: a launch
 * with wrong bits is not forgotten when a later one puts them right. */
enum { BENCH_WATCH_MAX = 256 }; /* digests between two ends */

/* At bytes of a buffer, all multiples of 8. */
struct bench_look {
    cu_address buffer;
    size_t from, bytes;
    enum bench_content content; /* of the whole buffer */
    uint64_t right;             /* by harness_sum, at those places of the buffer */
    bool is_right;              /* the computed digest must equal it; else it must differ */
};

struct bench_watch {
    struct harness harness;
    cu_address reports; /* on the device; 0: not yet */
    struct harness_report seen[BENCH_WATCH_MAX];
    struct bench_look looks[BENCH_WATCH_MAX];
    int count;
};

/* Loads the harness's kernels and takes the memory for reports; nothing to do the second time.
 * False with the finding. */
bool bench_watch_open(struct bench_watch *watch, struct device *device, cu_stream stream,
                      struct finding *ret);
void bench_watch_close(struct bench_watch *watch);

/* The worker's state from job to job. */
struct bench_worker {
    struct nvml nvml;
    char sensors_why[sizeof((struct bench_times *)0)->sensors_why];
    struct bench_buffers buffers;
    struct callable_holder holder;
    struct bench_watch watch;
    cu_stream stream;
    double timed_until_s; /* when the last job's samples ended; 0: none was timed */
};

struct task;

/* A row of the table of the kinds of jobs (job.h, bench_kind). */
struct task_kind {
    /* Makes the callable, ready to be placed. False: `ret` says why not. */
    bool (*make)(struct task *task, struct bench_times *ret);
    bool is_copy;    /* from one buffer of a pair to the other; else each launch has one buffer */
    bool is_call;    /* timed by the host's clock, one call at a time */
    bool is_library; /* what it writes is what its first launch wrote */
    enum bench_content first;                 /* of a buffer before its first launch */
    enum bench_content written, written_part; /* of what is written, after any launch */
};
const struct task_kind *task_kind(const struct bench_job *job);

/* One running job: the operations enqueued on each buffer in turn. */
struct task {
    struct bench_worker *worker;
    const struct bench_job *job;
    const struct task_kind *kind;
    struct fuzz_case called;  /* what a kernel is called for: a copy kernel's is its own */
    struct callable callable; /* bound and prepared once: every buffer has the same inputs */
    struct callable_operands operands[BENCH_BUFFERS_MAX];
    size_t copy_bytes;               /* BENCH_MEMCPY and BENCH_COPY */
    uint64_t piece;                  /* whose buffer it is, where launches do not rotate */
    bool reached[BENCH_BUFFERS_MAX]; /* by a launch: others hold what was put there */
    enum bench_content before;       /* what was put there */
    int wrong;                       /* digests between samples that were not the right one */
    bool is_poisoned;                /* gaps between outputs hold poison */
    bool is_refused;                 /* the last launch failed */
};

/* The calls around the samples of a task, the timer's context: digests on the device, held against
 * those that the host took of what it made. */
const struct bench_around *task_around(void);

/* Runs one job. `state` is NULL at first and is allocated and kept by it. */
void bench_work(struct bench_worker **state, struct device *device, const struct bench_job *job,
                struct bench_times *ret);
void bench_worker_close(struct bench_worker *state);
