/* One bench job while it runs in the worker: what is launched, on which buffers, and what is looked
 * at around the samples. */
#ifndef ASSAY_CONFORMANCE_WORK_TASK_H
#define ASSAY_CONFORMANCE_WORK_TASK_H

#include "conformance/work/bindings.h"
#include "conformance/work/buffers.h"
#include "conformance/work/nvml.h"
#include "conformance/work/timer.h"
#include "conformance/work/sensor_watch.h"

struct bench_worker {
    struct nvml nvml;
    char sensors_why[sizeof((struct bench_times *)0)->sensors_why];
    struct bench_buffers buffers;
    struct textures textures;
    struct bench_watch watch;
    cu_stream stream;
    double timed_until_s; /* when the last job's samples ended; 0: none was timed */
};

/* What is launched, or copied, on each buffer in turn. */
struct task {
    struct bench_worker *worker;
    const struct bench_job *job;
    cu_function function;
    struct fuzz_case called; /* what the function is called for: a copy kernel's is its own */
    struct launch plan;
    struct bindings bindings; /* put in place once: every buffer has the same inputs */
    uint64_t words[BENCH_BUFFERS_MAX][CATALOG_CALL_WORDS_MAX];
    size_t copy_bytes;               /* BENCH_MEMCPY and BENCH_COPY */
    uint64_t piece;                  /* whose buffer it is, where launches do not rotate */
    bool reached[BENCH_BUFFERS_MAX]; /* by a launch: others hold what was put there */
    enum bench_content before;       /* what was put there */
    int wrong;                       /* digests between samples that were not the right one */
    bool is_stained;                 /* gaps between outputs hold the stain */
};

/* The driver's copy or the copy kernel. */
bool task_is_copy(const struct bench_job *job);

void task_set_finding(struct bench_times *ret, enum verdict verdict, const char *clause,
                      const char *doing, const char *what);

/* The driver refused something of the harness's own. False. */
bool task_set_error(struct bench_times *ret, const struct bench_worker *worker, cu_result error,
                    const char *doing);

/* How many buffers launches may be on, or pairs of them copies; and which of them, from 0 on, those
 * of a turn are on. */
int task_slots(const struct task *task);
int task_slot(const struct task *task, uint64_t turn);

/* One launch or copy of a struct task. */
cu_result task_enqueue(void *context, uint64_t turn);

/* Digests on the device (task_digest.c), which are held against those that the host took of what it
 * made. False with the finding: where a digest is another, the buffer is compared byte by byte. */

/* What was uploaded is what the task begins with: so a digest can tell bits apart. */
bool task_check_image(struct task *task, struct bench_times *ret);

/* Each buffer holds what the launches or copies since the beginning were to leave. */
bool task_check(struct task *task, const char *when, struct bench_times *ret);

/* What each sample leaves, and what that says of all of them. */
const struct bench_around *task_around(void);
bool task_check_samples(const struct task *task, struct bench_times *ret);

#endif
