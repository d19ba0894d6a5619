/* One bench: a plan measured on one device, judged against floors, and told. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_H

#include "conformance/base/reason.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/wire/child.h"
#include "conformance/speed/floors.h"
#include "conformance/session/session.h"
#include "conformance/speed/statistics.h"

enum { BENCH_RELATIONS_MAX = 64, BENCH_LATENCIES_MAX = 16, BENCH_ESCALATIONS = 2 };

/* What is known of anything that was timed, over its repeats. */
struct bench_result {
    bool measured; /* there are intervals of all repeats so far */
    enum verdict verdict;
    char clause[64];
    char note[FINDING_NOTE_BYTES];
    struct floor floor;
    int samples, throttled, late; /* of all repeats */
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
    enum verdict verdict;
    bool applies; /* the device is of a generation where it was measured to hold */
    struct interval ratio[BENCH_REPEATS_MAX];
    char note[FINDING_NOTE_BYTES];
};

struct bench {
    struct session *session;
    int device; /* in session->devices */
    const struct device_info *info;
    const struct floors *floors;
    struct child child;
    bool alive;
    uint64_t jobs, worker_jobs; /* in all, and of this worker */
    int workers;                /* started so far */
    int repeats, samples;
    char sensors_why[64]; /* why the GPU tells nothing of itself, or "" */
    bool own_sizes;       /* no --bytes: the floors hold */
    struct host_machine host;
    struct bench_plan plan;
    struct bench_result results[BENCH_ROWS_MAX];
    struct bench_ceiling ceilings[BENCH_GROUPS_MAX];
    struct bench_result peaks[REGIME_COUNT]; /* the best copy of each against the derived peak */
    int peak_groups[REGIME_COUNT];           /* the group that it was best in, or -1 */
    int latency_count;
    struct bench_result latencies[BENCH_LATENCIES_MAX];
    int relation_count;
    struct bench_relation relations[BENCH_RELATIONS_MAX];
    struct sweep *sweep;              /* NULL: none was asked for */
    uint64_t verdicts[VERDICT_COUNT]; /* of everything above */
};

/* How a bench is shown; one for each output format, NULL members say nothing. */
struct bench_report {
    void (*begin)(const struct bench *bench);
    void (*progress)(const struct bench *bench, int group, int repeat); /* group -1: done */
    void (*row)(const struct bench *bench, int row);
    void (*end)(const struct bench *bench);              /* ceiling, latencies, relations */
    void (*point)(const struct bench *bench, int point); /* of the sweep */
};
extern const struct bench_report bench_report_text, bench_report_tap;

/* Calls `tell` for each of the two copies that is not a PASS. */
typedef void bench_tell_copy(const char *what, const struct bench_result *copy);
void bench_tell_wrong_copies(const struct bench_ceiling *ceiling, const char *where,
                             bench_tell_copy *tell);
bench_tell_copy bench_tap_copy; /* as a line of TAP */

/* Starts the device's worker and asks what it is. False with the reason. */
bool bench_open(struct bench *bench, struct reason *ret_reason);
void bench_close(struct bench *bench);

/* Ends the worker, if it has done anything; the next job gets a new one. */
void bench_renew(struct bench *bench);

/* Sends one job and waits for its times; a crash or hang of the worker is a result. Where the run
 * is interrupted the worker is killed, and this job and every later one are INCONCLUSIVE. */
void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret);

/* True where nothing is known but that it was not measured to its end: the summary tells of all
 * these at once. */
bool bench_was_interrupted(const struct bench_result *result);

/* Counts what is wrong with the copies of a group (bench.c). */
void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling);

/* True where a kernel is selected and takes none of the shapes. */
bool bench_is_unfit(const struct bench *bench, int id);

/* Measures and judges everything; rows are told when all repeats are done. */
void bench_execute(struct bench *bench, const struct bench_report *report);

/* Measuring (measure.c): one repeat of a kernel, of a group's ceiling, of a host call. The first
 * repeat makes the result anew, but for a copy that something was found wrong with. */
void bench_measure_kernel(struct bench *bench, const struct bench_group *group, struct check check,
                          int repeat, int samples, struct bench_result *result);
void bench_measure_ceiling(struct bench *bench, const struct bench_group *group, int repeat,
                           int samples, struct bench_ceiling *ceiling);
void bench_measure_latency(struct bench *bench, int call, int repeat, int samples);

/* Judging (judge.c). Without any floor: uncorrected memory errors, too few samples; true when the
 * result still stands. */
bool bench_judge_soundness(const struct bench *bench, struct bench_result *result);
extern const char bench_no_floors[]; /* the note of all that is skipped on the host device */
/* The clause of what may have slowed a healthy GPU while the result was measured, and why, or NULL:
 * then no speed fails (disturbed.c). Of host calls only who else was there counts, as the GPU idles
 * meanwhile. */
enum { BENCH_WHY_BYTES = 128 };
const char *bench_disturbance(const struct bench *bench, const struct bench_result *result,
                              char ret_why[BENCH_WHY_BYTES]);
/* True when more samples may help. */
bool bench_judge_row(struct bench *bench, int row);
bool bench_judge_latency(struct bench *bench, int call);
bool bench_judge_peak(struct bench *bench, enum regime regime);
void bench_judge_relations(struct bench *bench);
struct floor_key bench_floor_key(const struct bench *bench, int row, char name[CATALOG_NAME_BYTES]);

/* True where kernels of the regime are measured whose ceiling is its best copy. */
bool bench_has_peak(const struct bench *bench, enum regime regime);

/* Of a group's case: bytes and flops, and flops a byte. */
struct traffic bench_traffic(const struct bench_group *group);
double bench_intensity(const struct bench_group *group);

/* The roofline's GB/s of a row in one repeat. */
struct interval bench_roofline(const struct bench *bench, int row, int repeat);

/* The median of the repeats' medians. */
double bench_median(const struct interval *intervals, int repeats);

/* What the lines of kernels have in common (bench_lines.c). */
void bench_line_put_case(json_t *object, const struct bench_group *group, const char *shape);
void bench_line_put_result(json_t *object, const struct bench_result *result);
json_t *bench_line_intervals(const struct interval intervals[BENCH_REPEATS_MAX]);

/* The command that measures a row again, with the options of this bench (bench_lines.c). */
enum { BENCH_REPLAY_BYTES = 512 };
const char *bench_replay(const struct bench *bench, int row, char ret_text[BENCH_REPLAY_BYTES]);

/* True where somebody may want to: it did not pass, and is not skipped. */
bool bench_is_open(const struct bench_result *result);

/* The lines of a record (bench_lines.c). New references. */
json_t *bench_line_row(const struct bench *bench, int row);
json_t *bench_line_ceiling(const struct bench *bench, int group);
json_t *bench_line_peak(const struct bench *bench, enum regime regime);
json_t *bench_line_latency(const struct bench *bench, int call);
json_t *bench_line_relation(const struct bench *bench, int index);

#endif
