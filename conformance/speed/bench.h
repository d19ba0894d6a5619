/* One bench: what `assay bench` measures on one device, the worker that it asks for times, and what
 * has come of them. Speeds are GB/s, times microseconds; bounds are those of 99 % of the median
 * (statistics.h). The judges (bench_judge.h) put their verdicts into the results, bench_lines.h
 * makes lines of a record of them, and speed.h leads one through:
 *
 *     bench_open(bench, &reason);                            the device's worker
 *     bench_make_plan(bench, &session->plan, 0, 1, &reason);
 *     bench_execute(&bench, 1, report);                      speed.h
 *     bench_close(bench);
 *     bench_release_plan(bench);
 */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_H

#include "conformance/base/reason.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/bench_threads.h"
#include "conformance/speed/floors.h"
#include "conformance/session/session.h"
#include "conformance/speed/statistics.h"

enum { BENCH_ESCALATIONS = 2 };

struct bench;

/* What has repeats: a row, the driver's copy of a group, a regime's best copy, a host call. */
enum bench_sort { BENCH_SORT_ROW, BENCH_SORT_COPY, BENCH_SORT_PEAK, BENCH_SORT_CALL };

/* What is known of a bench before it begins: of a gate, its baseline. */
struct bench_known {
    const void *context;
    /* Whether one that passes so far has been measured often enough: the medians of its repeats,
     * GB/s or microseconds. Several threads ask at once. */
    bool (*is_settled)(const void *context, const struct bench *bench, enum bench_sort sort,
                       int index, const double *medians, int count);
};

/* What is known of anything that was timed, over its repeats. */
struct bench_result {
    bool due;       /* to be measured in this round of repeats */
    bool measured;  /* there are intervals of all repeats so far */
    int settled;    /* by a baseline, after so many repeats; 0: it has all of them */
    int settled_of; /* so many */
    struct finding finding;
    struct limit limit;
    int samples, throttled, late; /* of all repeats */
    int slowed;                   /* of the samples */
    int samples_least;            /* of one */
    int buffers, batch;           /* the last one's */
    int processes, last_worker;   /* how many workers took part; the last one's number */
    struct nvml_reading before, during, after;
    struct nvml_company company;             /* the most in any repeat */
    uint32_t sm_mhz_least, memory_mhz_least; /* of the repeats, under load; 0: not reported */
    struct interval unit_us[BENCH_REPEATS_MAX];
    struct interval gbps[BENCH_REPEATS_MAX];
    struct interval fraction[BENCH_REPEATS_MAX]; /* of its ceiling */
};

/* What a group's kernels are held against: the better of two copies of as many bytes. */
struct bench_ceiling {
    struct bench_result memcpy_result, copy_result;
    struct interval best[BENCH_REPEATS_MAX]; /* GB/s; 0 where neither was measured */
};

struct bench_relation {
    struct relation relation;
    int path;
    struct finding finding;
    bool applies; /* the device is of a generation where it was measured to hold */
    struct interval ratio[BENCH_REPEATS_MAX];
};

/* A sweep's plan, and what came of it. */
struct sweep {
    struct bench_plan plan;
    struct bench_ceiling ceiling; /* of the point that was measured last */
    struct bench_result *results; /* of the plan's rows */
};

struct bench {
    struct session *session;
    int device; /* in session->devices */
    const struct device_info *info;
    const struct floors *floors;
    struct bench_threads *threads; /* what is done at once: other GPUs, and making digests */
    make_digests *make_digests;    /* NULL: the golden's */
    struct digests_ahead *digests; /* while it is measured */
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

/* How a bench is shown; one for each output format, NULL members say nothing. */
struct bench_report {
    void (*begin)(const struct bench *bench);
    void (*progress)(const struct bench *bench, int group, int repeat); /* group -1: done */
    void (*row)(const struct bench *bench, int row);
    void (*end)(const struct bench *bench);              /* ceiling, latencies, relations */
    void (*point)(const struct bench *bench, int point); /* of the sweep */
};

/* Plans for the device as bench_plan_make does, and the sweep where the options ask for one, again
 * where it was planned before, with room for what comes of it. False with the reason. */
bool bench_make_plan(struct bench *bench, const struct plan *select, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason);

/* Gives back what bench_make_plan took. */
void bench_release_plan(struct bench *bench);

/* True where nothing is known but that it was not measured to its end: the summary tells of all
 * these at once. */
bool bench_was_interrupted(const struct bench_result *result);

/* What a selected kernel without a row comes to: SKIP, as it takes none of the shapes, or DECLINED,
 * as its algorithm has none and no speed was due. PASS for every other kernel. */
enum verdict bench_unmeasured(const struct bench *bench, int id);

/* The roofline's GB/s of a row in one repeat; of what crosses the link to the host, the link's. */
struct interval bench_roofline(const struct bench *bench, int row, int repeat);

/* How many repeats it has, as far as they are to be judged. */
int bench_repeats(const struct bench *bench, const struct bench_result *result);

/* The median of the repeats' medians. */
double bench_median(const struct interval *intervals, int repeats);

/* True where somebody may want to: it did not pass, and is not skipped. */
bool bench_is_open(const struct bench_result *result);

/* The first repeat makes the result again, but for a copy that something was found wrong with. */
void bench_measure_kernel(struct bench *bench, const struct bench_group *group,
                          struct subject subject, int repeat, int samples,
                          struct bench_result *result);
void bench_measure_ceiling(struct bench *bench, const struct bench_group *group, int repeat,
                           int samples, struct bench_ceiling *ceiling);
void bench_measure_latency(struct bench *bench, int call, int repeat, int samples);

/* Starts the device's worker and asks what it is. False with the reason. */
bool bench_open(struct bench *bench, struct reason *ret_reason);
void bench_close(struct bench *bench);

/* Ends the worker, if it has done anything, while another starts for the next job and other GPUs
 * may be measured: what it holds is free when this returns. */
void bench_renew(struct bench *bench);

/* Sends one job and waits for its times; a crash or hang of the worker is a result. Where the run
 * is interrupted the worker is killed, and this job and every later one are INCONCLUSIVE. */
void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret);

#endif
