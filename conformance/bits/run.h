/* One run: a plan carried out on devices, reported to a record and to a reader as it goes. */
#pragma once

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/session/session.h"
#include "conformance/supervise/trial.h"
#include "conformance/work/checker.h"
#include "cuda/launch.h"

/* Results of each kernel through each path on each device: counts and digests. */

struct tally {
    uint64_t counts[VERDICT_COUNT];
    uint64_t digest[2];     /* the sum of its passed outputs' digests */
    uint16_t *ranges;       /* of each RANGE_CASES cases from 0 on: its low 16 bits */
    size_t range_count;     /* up to the last range with a passed check */
    uint64_t launches;      /* since this process began */
    uint64_t full_launches; /* of those, with at least one block for each SM */
    unsigned char sms[LAUNCH_SMS_MAX / 8]; /* a bit for each SM that ran a block */
    enum verdict explained;                /* the verdict that `reason` explains, if any */
    char reason[FINDING_NOTE_BYTES]; /* of the first of its worst SKIP, ERROR or INCONCLUSIVE */
};

struct tally_table {
    int device_count;
    struct tally *rows; /* by subject_index */
};

void tally_open(struct tally_table *ret, int device_count);
void tally_close(struct tally_table *table);

struct tally *tally_row(const struct tally_table *table, struct subject subject);

/* Counts the result of a case's check, by the case's number in the plan. */
void tally_add(struct tally *row, uint64_t index, const struct check_result *result);

/* The ranges' digests as 4 hex digits each, or "" without any. The result is passed to free(). */
char *tally_ranges(const struct tally *row);

/* Counts the result's launch, if there was one, on a device of `sms` SMs. */
void tally_launch(struct tally *row, const struct check_result *result, int sms);

/* Adds SMs; and counts them. */
void tally_add_sms(struct tally *row, const unsigned char sms[LAUNCH_SMS_MAX / 8]);
int tally_sms(const struct tally *row);

/* One TIMEOUT recurred in none of `tries` tries: it is INCONCLUSIVE. */
void tally_pass_timeout(struct tally *row, int tries);

/* Keeps the reason of one check's verdict: the first reason of the worst verdict stays. */
void tally_explain(struct tally *row, enum verdict verdict, const char *reason);

/* Why it is not a PASS, or why nothing was launched; "" if unknown. */
const char *tally_reason(const struct tally *row);

/* Checks that were due: all but the declined and the empty. */
uint64_t tally_checks(const struct tally *row);

/* The row in one verdict (verdict_of_counts). */
enum verdict tally_verdict(const struct tally *row);

/* The sums over a table: of each verdict, and of the checks that were due. */
void tally_total(const struct tally_table *table, uint64_t ret_counts[VERDICT_COUNT]);
uint64_t tally_total_checks(const struct tally_table *table);

/* After this number of crashes or hangs of a kernel through a path, it is launched no more on that
 * device: each costs a worker, and the verdict stays. */
enum { RUN_CRASHES_MAX = 3, RUN_FINDINGS_MAX = 64 };

/* A check that did not pass, kept for the report. */
struct run_finding {
    uint64_t index; /* of the case in the plan */
    struct fuzz_case test_case;
    struct subject subject;
    struct finding finding;
    bool retried; /* then `reduced` has the result */
    bool passing; /* a TIMEOUT that did not recur: it is INCONCLUSIVE */
    struct trial_report reduced;
    char corpus_file[512];    /* where the smallest case was kept, or "" */
    char layer[LAYER_BYTES];  /* the layer at fault, as its smallest case shows it, or "" */
    struct sequence *history; /* the cases that its worker ran before it */
    bool needs_history;       /* it is reported after those: it came in a sequence of the corpus, or
                               * does not fail by itself */
};

struct hand_out_list;

/* A run's state of one share of the plan on a device (plan.h). */
struct run_share {
    uint64_t next_index;    /* no case before it is left to be handed out */
    uint64_t touched_bytes; /* of its memory, by the worker that touched most */
};

/* A run's state of each device of its session, under the same index. */
struct run_device {
    char lost[FINDING_NOTE_BYTES];        /* why it is gone, or "" */
    char unexplained[FINDING_NOTE_BYTES]; /* a worker's death without an explanation, or "" */
    struct run_share shares[PLAN_SHARES_MAX];
    uint64_t handed;                  /* jobs so far: the next one's id */
    struct hand_out_list *lists;      /* of checks, that its jobs have (run.h) */
    uint64_t cases_done, checks_done; /* of finished cases */
    struct ranges finished;           /* their numbers */
    size_t finished_joined;           /* how many ranges there were when they were last joined */
};

struct run {
    struct session *session;
    int first_device;          /* of those that run now: the pool's device 0 */
    uint64_t handed_end;       /* cases up to here are handed out now: a sequence, or all */
    struct plan_shares shares; /* among the workers that they are handed out to */
    int unopened;              /* workers that have not opened their devices yet */
    struct run_device devices[PROBE_DEVICES_MAX];
    struct tally_table tally;
    struct sequence history; /* of the failure that is reported next */
    struct run_finding findings[RUN_FINDINGS_MAX];
    int finding_count;
    uint64_t findings_untried;   /* failures that were not run again, unlike others */
    double stage_s[STAGE_COUNT]; /* of all threads together */
    bool careful;                /* one check at a time: a replay, and cases that fill a device */
    bool keeps_corpus;           /* failures are written to files */
    bool passes_declined;        /* a kernel that declines every case does not count as unchecked */
};

/* The lines of a run's record (spec/record.md), made and not yet written, and the command that runs
 * one check again. */

/* Room for the longest: as many cases as are kept, every kernel, and a compiler in quotes. */
enum {
    RUN_REPLAY_BYTES = POOL_HISTORY_MAX * (CASE_TEXT_BYTES + 16) +
                       CATALOG_COUNT * (CATALOG_NAME_BYTES + 1) + PATH_OPTION_BYTES +
                       SHELL_WORD_BYTES + 256
};

/* Why the row of a subject is not a PASS, or why nothing was launched (tally_reason): also that the
 * device was lost, time had ended, or the GPU lacks what the kernel needs. */
const char *run_reason(const struct run *run, struct subject subject, const struct tally *row);

/* With the smallest case once it is known, after the cases that it needs. */
void run_replay_command(const struct run *run, const struct run_finding *finding, char *ret_text,
                        size_t text_bytes);

/* A finding, and the smallest case that fails like it. */
const struct line *record_finding(const struct run *run, const struct run_finding *finding,
                                  struct zone *zone);
const struct line *record_reduced(const struct run *run, const struct run_finding *finding,
                                  struct zone *zone);

/* The results of a run that has ended, in the zone's memory: a line for each subject, and one for
 * each device. */
struct result_lines {
    const struct line **each;
    size_t count;
};
struct result_lines record_bits(const struct run *run, struct zone *zone);
struct result_lines record_coverage(const struct run *run, struct zone *zone);

/* The line of the cases that finished on a device: a new reference. */
const struct line *record_cases(const struct run *run, int device, struct zone *zone);

/* Carrying out a run's plan: which job a device gets next, and what becomes of its results. The
 * pool (pool.h) starts the workers and watches over them; this is its client.
 *
 *     run_open(&run);
 *     run_take(&run);              // until the plan is done, its time is up, or a signal ends it
 *     run_close(&run);
 */

/* Opens the run's tables. */
void run_open(struct run *run);

/* Carries out the session's plan on its devices. */
void run_take(struct run *run);

/* Frees what both have allocated. */
void run_close(struct run *run);

/* Devices of the session that run at the same time: `count` from `first` on. */
struct run_group {
    int first, count;
};

/* From this call on, the cases from `begin` to `end` are handed out to those devices, in these
 * shares. */
void hand_out_begin(struct run *run, struct run_group group, uint64_t begin, uint64_t end,
                    const struct plan_shares *shares);

/* In a deep run no share is further ahead of another than this, so that the cases finished when it
 * ends cover all algorithms evenly, and its record lists them in few ranges. */
enum { HAND_OUT_AHEAD_MOST = 512 };

/* A worker that has finished its share continues with the share that has the most cases left, if it
 * has more than this: fewer are not worth compiling its code again. */
enum { HAND_OUT_HELP_LEAST = 8192 };

/* The next job for the worker at a place of a device, if there is one (pool.h): place n gets share
 * n, or where there is one share all places get of it. `context` is the run. */
enum pool_next hand_out_next(void *context, int device, int place, struct job *ret);

/* The outcome of a run (spec/verdicts.md). */

/* True if the kernel declined every case since the GPU lacks hardware, which is nothing that could
 * be checked. */
bool run_leaves_out(const struct run *run, struct subject subject, const struct tally *row);

/* All but the rows, and but what comes over the session itself. */
void run_outcome(const struct run *run, struct outcome *ret);

/* The layer at fault for the kernel's failures on the subject's device, as its rows show it: "" if
 * none of its paths is right, or none is wrong. Returns `ret_text`. */
const char *run_layer(const struct run *run, struct subject subject, char ret_text[LAYER_BYTES]);

/* The measure of bits: the kernels' outputs, compared with the golden. */

/* The measures of a plan of cases, and of the one case of the command line. */
extern const struct measure bits_measure, bits_measure_replay;

/* Runs the kept failures again, reduces them and keeps the results. */
void run_reduce(struct run *run, const volatile sig_atomic_t *stop);
