/* One bench: what `assay bench` measures on one device, the worker that it asks for times, and what
 * has come of them. Speeds are GB/s, times microseconds; bounds are those of 99 % of the median
 * (statistics.h). The judges put their verdicts into the results, and bench_line_* makes lines of a
 * record of them:
 *
 *     bench_open(bench, &reason);                            the device's worker
 *     bench_make_plan(bench, &session->plan, 0, 1);
 *     bench_execute(&bench, 1);
 *     bench_close(bench);
 *     bench_release_plan(bench);
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "conformance/base/reason.h"
#include "conformance/session/session.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/floors.h"
#include "conformance/speed/statistics.h"
#include "conformance/work/buffers.h"

/* The function that makes digests: case_digests, but for tests. */
typedef bool make_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                          uint64_t ret[BENCH_CONTENT_COUNT]);

struct digests_of_case;

/* Threads of a bench on one host: one for each GPU, which asks a worker of its own, and one that
 * makes the digests that buffers are compared with, by the golden, while the GPUs measure. A timing
 * on a device is not disturbed by another thread; a host call is, and is timed while no other
 * thread is inside. A case's digests are made once, for all repeats and for every GPU of the host.
 */
struct bench_threads {
    pthread_rwlock_t measuring; /* for writing: where host calls are timed */
    pthread_mutex_t output;     /* progress, and a look at whether somebody still reads */
    make_digests *make;
    struct digests_of_case *cases;
    int count;
    pthread_mutex_t lock;      /* of what has become of the cases */
    pthread_mutex_t filtering; /* of the golden's texture filter, which differs between GPUs */
    pthread_cond_t made;
    pthread_t thread;
    bool has_thread;
    atomic_bool ended;
};

void bench_threads_open(struct bench_threads *threads, make_digests *make);

/* Before digests are made: one more case, in the order in which they are needed. One that is there
 * already is not added. `filter`: the texture filter of the GPU that needs it, which must outlive
 * the threads; NULL: that of compute capability 9.0. */
void bench_digests_add(struct bench_threads *threads, const struct fuzz_case *test_case,
                       const struct golden_filter *filter);

/* Starts making them, in a thread that yields to every other. */
void bench_digests_start(struct bench_threads *threads);

/* A case's digests: made already, or now. Several threads ask at once. False without memory, or
 * where the run is interrupted. */
bool bench_digests_take(struct bench_threads *threads, const struct fuzz_case *test_case,
                        const struct golden_filter *filter, uint64_t ret[BENCH_CONTENT_COUNT]);

/* Ends what is under way. */
void bench_threads_close(struct bench_threads *threads);

enum { BENCH_ESCALATIONS = 2 };

struct bench;

/* Known before a bench begins: the baseline of a gate. */
struct bench_known {
    const void *context;
    /* True if the baseline needs no more repeats of a result that passes so far; `line` is what the
     * record would say now of the row, the copies of a group, a regime's best copy or a host call.
     * Several threads ask at once. */
    bool (*is_settled)(const void *context, const struct bench *bench, const struct line *line);
};

/* The result of a subject that was timed, over its repeats. */
struct bench_result {
    bool due;       /* to be measured in this round of repeats */
    bool measured;  /* there are intervals of all repeats so far */
    int settled;    /* by a baseline, after that many repeats; 0: it has all of them */
    int settled_of; /* that many */
    struct finding finding;
    struct limit limit;
    int samples, throttled, late; /* of all repeats */
    int slowed;                   /* of the samples */
    int samples_least;            /* of one */
    int buffers, batch;           /* the last one's */
    int processes, last_worker;   /* how many workers took part; the last one's number */
    struct nvml_reading before, during, after;
    double event_ratio;          /* of job.h, of the repeat whose is furthest from 1; 0: of none */
    struct nvml_company company; /* the most in any repeat */
    uint32_t sm_mhz_least, memory_mhz_least; /* of repeats that nothing slowed; 0: not reported */
    struct interval unit_us[BENCH_REPEATS_MAX];
    struct interval gbps[BENCH_REPEATS_MAX];
    struct interval fraction[BENCH_REPEATS_MAX]; /* of its ceiling */
};

/* The ceiling of a group's kernels: the better of two copies of as many bytes. */
struct bench_ceiling {
    struct bench_result memcpy_result, copy_result;
    struct interval best[BENCH_REPEATS_MAX]; /* GB/s; 0 if neither was measured */
    bool is_unfit[BENCH_REPEATS_MAX];        /* a copy was slowed, or hardly measured: no ceiling */
};

struct bench_relation {
    struct relation relation;
    int path;
    struct finding finding;
    bool applies; /* its bounds were measured on GPUs of this model */
    struct interval ratio[BENCH_REPEATS_MAX];
};

/* A sweep's plan, and what came of it. */
struct sweep {
    struct bench_plan plan;
    struct bench_ceiling ceiling; /* of the point that was measured last */
    bool has_library;             /* the same: a library's product was to be measured */
    struct bench_result library;  /* PASS: its note is the library's name */
    struct bench_result *results; /* of the plan's rows */
};

struct bench {
    struct session *session;
    int device; /* in session->devices */
    const struct device_info *info;
    const struct floors *floors;
    struct bench_threads *threads; /* while it is measured: other GPUs, and making digests */
    make_digests *make_digests;    /* NULL: the golden's */
    struct client client;
    uint64_t jobs, worker_jobs; /* in all, and of this worker */
    int workers;                /* started so far */
    int repeats, samples;
    int taken;            /* of the repeats, where what there is so far is judged; 0: all */
    char sensors_why[64]; /* why the GPU tells nothing of itself, or "" */
    bool own_sizes;       /* no --bytes: the floors hold */
    struct host_machine host;
    struct bench_plan plan;
    struct bench_result *results; /* of the plan's rows */
    struct bench_ceiling ceilings[BENCH_GROUPS_MAX];
    struct bench_result peaks[REGIME_COUNT]; /* the best copy of each against the derived peak */
    int peak_groups[REGIME_COUNT];           /* the group that it was best in, or -1 */
    int latency_count;
    struct bench_result latencies[BENCH_LATENCIES_MAX];
    int relation_count;
    struct bench_relation *relations; /* room for each of the floors', through each path */
    struct sweep sweep;               /* without points where none was asked for */
    uint64_t verdicts[VERDICT_COUNT]; /* of everything above */
    double phase_s[BENCH_PHASE_COUNT];
};

/* Plans for the device as bench_plan_make does, and the sweep where the options ask for one, again
 * where it was planned before, with room for what comes of it. */
void bench_make_plan(struct bench *bench, const struct plan *select, uint64_t bytes, uint64_t seed);

/* Gives back what bench_make_plan took. */
void bench_release_plan(struct bench *bench);

/* True if nothing is known but that it was not measured to its end: the summary tells of all
 * these at once. */
bool bench_was_interrupted(const struct bench_result *result);

/* The verdict of a selected kernel without a row, and why: SKIP if it takes none of the shapes,
 * DECLINED if no speed was due, since its algorithm has no shape or the GPU lacks what the kernel
 * needs. PASS, with "", for every other kernel. */
enum verdict bench_unmeasured(const struct bench *bench, int id, const char **ret_why);

/* The roofline's GB/s of a row in one repeat; the link's for data that crosses the link to the
 * host. */
struct interval bench_roofline(const struct bench *bench, int row, int repeat);

/* How many repeats it has, as far as they are to be judged. */
int bench_repeats(const struct bench *bench, const struct bench_result *result);

/* The median of the repeats' medians. */
double bench_median(const struct interval *intervals, int repeats);

/* True if it needs a replay: neither PASS nor SKIP. */
bool bench_is_open(const struct bench_result *result);

/* The first repeat makes the result again, but for a copy that something was found wrong with. */
void bench_measure_kernel(struct bench *bench, const struct bench_group *group,
                          struct subject subject, int repeat, int samples,
                          struct bench_result *result);
void bench_measure_ceiling(struct bench *bench, const struct bench_group *group, int repeat,
                           int samples, struct bench_ceiling *ceiling);
void bench_measure_latency(struct bench *bench, int call, int repeat, int samples);

/* Measures one repeat of the library's product of the group's case. False if its algorithm is no
 * product, or the device is not timed. */
bool bench_measure_library(struct bench *bench, const struct bench_group *group, int samples,
                           struct bench_result *result);

/* Starts the device's worker and asks what it is. False with the reason. */
bool bench_open(struct bench *bench, struct reason *ret_reason);
void bench_close(struct bench *bench);

/* Ends the worker, if it has done anything, while another starts for the next job and other GPUs
 * may be measured: what it holds is free when this returns. */
void bench_renew(struct bench *bench);

/* Sends one job and waits for its times; a crash or hang of the worker is a result. If the run is
 * interrupted, the worker is killed, and this job and every later one are INCONCLUSIVE. */
void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret);

/* Judging the measurements. */

/* Without any floor: uncorrected memory errors, too few samples. True if a PASS stays one. */
bool bench_judge_soundness(const struct bench *bench, struct bench_result *result);
/* True if more samples may help. */
bool bench_judge_row(struct bench *bench, int row);
bool bench_judge_latency(struct bench *bench, int call);
bool bench_judge_peak(struct bench *bench, enum regime regime);
void bench_judge_relations(struct bench *bench);
/* True if the plan has a relation whole of which the row is one half. */
bool bench_is_related(const struct bench *bench, int row);
struct floor_key bench_floor_key(const struct bench *bench, int row, char name[CATALOG_NAME_BYTES]);

/* True if kernels of the regime are measured whose ceiling is its best copy. */
bool bench_has_peak(const struct bench *bench, enum regime regime);

/* Counts wrong bits of a group's copies, which have no floor there. */
void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling);

/* The lines that a bench adds to a record (spec/record.md). What they hold is the zone's or the
 * bench's, and stays as long as both. */

/* What several of them have in common. */
struct line_shaped bench_line_shaped(struct zone *zone, const struct bench_group *group);
struct line_result bench_line_result(struct zone *zone, const struct bench_result *result);
struct line_work bench_line_work(const struct bench_group *group, double gbps);

const struct line *bench_line_row(const struct bench *bench, int row, struct zone *zone);
const struct line *bench_line_ceiling(const struct bench *bench, int group, struct zone *zone);
const struct line *bench_line_peak(const struct bench *bench, enum regime regime,
                                   struct zone *zone);
const struct line *bench_line_latency(const struct bench *bench, int call, struct zone *zone);
const struct line *bench_line_relation(const struct bench *bench, int index, struct zone *zone);
/* Of a point that was measured last. */
const struct line *bench_line_sweep(const struct bench *bench, int row, struct zone *zone);

/* The measure of speed: bandwidth and host calls, compared with floors, ceilings and relations. */

/* The lines of a device follow each other, its sweep last. */
extern const struct measure speed_measure;

/* Measures and judges everything on that many devices at once, then reports and records one after
 * the other, and takes the sweep of each. */
void bench_execute(struct bench *const *benches, int count);
