/* A trial: one check run by itself in its own worker, as often as needed. The shrinker, the search
 * for flaky failures and the mutants use it. */
#pragma once

#include "conformance/supervise/pool.h"
#include "fuzz/shrink.h"

struct trial;

/* Starts nothing yet. The device stays the caller's. */
struct trial *trial_open(const struct device_info *device, double timeout_s,
                         const volatile sig_atomic_t *stop);
void trial_close(struct trial *trial);

/* Ends the worker and frees its memory and the device's. The next run starts another. */
void trial_rest(struct trial *trial);

/* Runs the check on the case in the trial's worker, a fresh one after every crash or hang. The
 * result's verdict is ERROR if the device does not open, with a note, or the trial was stopped. */
struct check_result trial_run(struct trial *trial, const struct fuzz_case *test_case,
                              struct subject subject);

/* The same, with another kernel's check of the case just before it, on the same stream; NULL:
 * none. */
struct check_result trial_run_after(struct trial *trial, const struct fuzz_case *test_case,
                                    const struct subject *before, struct subject subject);

/* The same after each of `count` kernels, CATALOG_COUNT at most, in one job: the golden's answer is
 * computed once. A verdict for each; ERROR as above. After a death the next check may run in a
 * fresh worker, so only a failure is conclusive. */
void trial_run_after_each(struct trial *trial, const struct fuzz_case *test_case,
                          const struct subject *before, int count, struct subject subject,
                          enum verdict *ret_verdicts);

/* As trial_run, in a worker that has run nothing before. */
struct check_result trial_run_fresh(struct trial *trial, const struct fuzz_case *test_case,
                                    struct subject subject);

/* True if both failed in the same way: verdict, place and clause. */
bool trial_same_failure(const struct finding *left, const struct finding *right);

enum { TRIAL_REPEATS = 5 };

/* The report on a failure that was tried again. */
struct trial_report {
    int repeats;      /* how often the case was run again by itself, to a verdict */
    int failures;     /* and failed in the same way */
    bool is_other;    /* a try failed in another way */
    int inconclusive; /* further tries, which were inconclusive */
    char inconclusive_note[FINDING_NOTE_BYTES]; /* the note of the first of them */
    struct fuzz_case smallest;                  /* when it always did: the smallest that fails so */
    struct finding finding;                     /* of the smallest */
    struct shrink_report shrink;
};

/* True when it failed in every try that had a verdict, and there was one. */
bool trial_always_failed(const struct trial_report *report);

/* Runs a failing case again, TRIAL_REPEATS times, each in a fresh worker; if it failed every time,
 * shrinks it for at most `limit_s` seconds. */
struct trial_report trial_reduce(struct trial *trial, const struct fuzz_case *test_case,
                                 struct subject subject, const struct finding *finding,
                                 double limit_s);

/* A failure that needs its predecessors: what the worker had run before it, the shortest part of
 * that which still ends in the failure, and the smallest cases (cases.sequence.shortest,
 * cases.sequence.smallest). */

struct sequence {
    int count; /* the failing case is the last; 0: what ran before it is not known */
    struct job jobs[POOL_HISTORY_MAX];
    /* The last tries of the reduced case: */
    int repeats;
    int failures;
    struct finding finding;
    struct shrink_report shrink; /* of all cases together */
};

/* Runs what is left of a sequence; true when it ends in the failure. */
typedef bool sequence_test(void *context, const struct sequence *candidate);

/* Leaves out predecessors as long as the failure stays, until none can be spared or clock_now_s()
 * passes `deadline_s`; the order is kept, and the last case stays. */
void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context,
                      double deadline_s);

/* Makes the cases smaller, one at a time, as long as the failure of the whole stays: the failing
 * case first, then the others in their order, and again until none gets smaller. */
void sequence_shrink(struct sequence *sequence, sequence_test *test, void *context,
                     double deadline_s);

/* Reduces the sequence as far as it goes in `limit_s` seconds, each try in a fresh worker. First
 * with the failing check alone in every case; where that does not fail, with all the checks that
 * were run. False when neither fails in the way that is wanted: nothing is known then but how often
 * it was tried. */
bool sequence_reduce(struct trial *trial, struct sequence *sequence, struct subject subject,
                     const struct finding *wanted, double limit_s);
