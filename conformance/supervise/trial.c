/* Running one check alone, again and again (trial.h). */
#include "conformance/supervise/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"

struct trial {
    const struct device_info *device;
    double timeout_s;
    const volatile sig_atomic_t *stop;
    struct pool *pool;      /* NULL until it is needed */
    const struct job *jobs; /* what is run now */
    int job_count;
    bool is_lost;                             /* the device, to the pool */
    int handed;                               /* how many of them the worker was handed */
    uint64_t next_id;                         /* no two jobs of a trial have the same */
    struct subject checks[2 * CATALOG_COUNT]; /* of a job that the trial makes */
    struct check_result result;               /* of the last check */
    enum verdict *verdicts;                   /* NULL, or where those of the last job's checks go */
};

struct trial *trial_open(const struct device_info *device, double timeout_s,
                         const volatile sig_atomic_t *stop)
{
    struct trial *trial = heap_take(1, sizeof *trial);
    *trial = (struct trial){.device = device, .timeout_s = timeout_s, .stop = stop};
    return trial;
}

void trial_close(struct trial *trial)
{
    trial_rest(trial);
    free(trial);
}

static enum pool_next next_job(void *context, int device, int place, struct job *ret)
{
    struct trial *trial = context;
    (void)device, (void)place;
    if (trial->handed == trial->job_count)
        return POOL_NEXT_NONE;
    *ret = trial->jobs[trial->handed++];
    ret->id = trial->next_id++;
    return POOL_NEXT_JOB;
}

static void take_result(void *context, int device, const struct job *job, int index,
                        const struct check_result *result)
{
    struct trial *trial = context;
    (void)device;
    if (trial->handed != trial->job_count || job->id + 1 != trial->next_id)
        return;
    if (trial->verdicts)
        trial->verdicts[index] = result->verdict;
    if (index == job->check_count - 1)
        trial->result = *result;
}

static void take_lost(void *context, int device, const char *why)
{
    struct trial *trial = context;
    (void)device;
    trial->is_lost = true;
    snprintf(trial->result.finding.note, sizeof trial->result.finding.note, "%s", why);
}

static struct check_result run_jobs(struct trial *trial, const struct job *jobs, int count)
{
    struct pool_options options = {.devices = &trial->device,
                                   .device_count = 1,
                                   .workers = 1,
                                   .threads = 1,
                                   .checks_most = 1,
                                   .timeout_s = trial->timeout_s,
                                   .careful = true};
    const struct job *last = &jobs[count - 1];
    trial->result = (struct check_result){.subject = last->checks[last->check_count - 1],
                                          .verdict = VERDICT_ERROR};
    if (trial->is_lost) /* it may open again */
        trial_rest(trial);
    if (trial->pool == NULL)
        trial->pool = pool_open(&options);
    trial->jobs = jobs;
    trial->job_count = count;
    trial->handed = 0;
    const struct pool_calls calls = {
        .context = trial, .next = next_job, .result = take_result, .lost = take_lost};
    pool_run(trial->pool, &calls, trial->stop);
    return trial->result;
}

struct check_result trial_run(struct trial *trial, const struct fuzz_case *test_case,
                              struct subject subject)
{
    return trial_run_after(trial, test_case, NULL, subject);
}

struct check_result trial_run_after(struct trial *trial, const struct fuzz_case *test_case,
                                    const struct subject *before, struct subject subject)
{
    struct job job = {.cost_s = case_cost_s(test_case),
                      .check_count = before ? 2 : 1,
                      .checks = trial->checks,
                      .test_case = *test_case};
    if (before)
        trial->checks[0] = *before;
    trial->checks[job.check_count - 1] = subject;
    return run_jobs(trial, &job, 1);
}

void trial_run_after_each(struct trial *trial, const struct fuzz_case *test_case,
                          const struct subject *before, int count, struct subject subject,
                          enum verdict *ret_verdicts)
{
    enum verdict verdicts[2 * CATALOG_COUNT];
    struct job job = {.cost_s = case_cost_s(test_case),
                      .check_count = 2 * count,
                      .checks = trial->checks,
                      .test_case = *test_case};
    for (int index = 0; index < count; index++) {
        trial->checks[2 * index] = before[index];
        trial->checks[2 * index + 1] = subject;
        verdicts[2 * index + 1] = VERDICT_ERROR;
    }
    trial->verdicts = verdicts;
    if (count > 0)
        run_jobs(trial, &job, 1);
    trial->verdicts = NULL;
    for (int index = 0; index < count; index++)
        ret_verdicts[index] = verdicts[2 * index + 1];
}

void trial_rest(struct trial *trial)
{
    if (trial->pool)
        pool_close(trial->pool);
    trial->pool = NULL;
    trial->is_lost = false;
}

struct check_result trial_run_fresh(struct trial *trial, const struct fuzz_case *test_case,
                                    struct subject subject)
{
    trial_rest(trial);
    return trial_run(trial, test_case, subject);
}

bool trial_same_failure(const struct finding *left, const struct finding *right)
{
    return left->verdict == right->verdict && left->place == right->place &&
           strcmp(left->clause, right->clause) == 0;
}

/* The state of a reduction's tries. */
struct reduction {
    struct trial *trial;
    struct subject subject;
    struct finding wanted;
    struct finding last; /* of the last try that failed in the wanted way */
    double deadline_s;
};

static bool is_wanted(struct reduction *reduction, const struct check_result *result)
{
    if (!verdict_is_failure(result->verdict) ||
        !trial_same_failure(&result->finding, &reduction->wanted))
        return false;
    reduction->last = result->finding;
    return true;
}

bool trial_always_failed(const struct trial_report *report)
{
    return report->repeats > 0 && report->failures == report->repeats;
}

static bool still_fails(void *context, const struct fuzz_case *candidate)
{
    struct reduction *reduction = context;
    if (clock_now_s() > reduction->deadline_s || *reduction->trial->stop)
        return false;
    struct check_result result = trial_run(reduction->trial, candidate, reduction->subject);
    return is_wanted(reduction, &result);
}

struct trial_report trial_reduce(struct trial *trial, const struct fuzz_case *test_case,
                                 struct subject subject, const struct finding *finding,
                                 double limit_s)
{
    enum { TRIES_MAX = 4096 };
    struct trial_report report = {.smallest = *test_case, .finding = *finding};
    struct reduction reduction = {.trial = trial,
                                  .subject = subject,
                                  .wanted = *finding,
                                  .last = *finding,
                                  .deadline_s = clock_now_s() + limit_s};
    for (int tries = 0; tries < TRIAL_REPEATS && !*trial->stop; tries++) {
        /* A hang costs its whole time limit each time: two are enough to believe it. */
        if (tries >= 2 && clock_now_s() > reduction.deadline_s)
            break;
        struct check_result result = trial_run_fresh(trial, test_case, subject);
        if (*trial->stop)
            break;
        /* A try that the harness broke, or that memory lacked for, says neither that it fails nor
         * that it does not (verdicts.flaky.counted). */
        const bool fails = verdict_is_failure(result.verdict);
        const bool is_same = fails && trial_same_failure(&result.finding, finding);
        if (!fails && result.verdict != VERDICT_PASS) {
            if (report.inconclusive++ == 0)
                snprintf(report.inconclusive_note, sizeof report.inconclusive_note, "%s",
                         result.finding.note);
            continue;
        }
        report.repeats++;
        report.failures += is_same;
        report.is_other = report.is_other || (fails && !is_same);
    }
    if (!trial_always_failed(&report))
        return report;
    report.shrink = shrink(&report.smallest, still_fails, &reduction, TRIES_MAX);
    if (clock_now_s() > reduction.deadline_s || *trial->stop)
        report.shrink.complete = false;
    report.finding = reduction.last;
    return report;
}

/* Reducing what came before a failure: halves are left out first, then quarters, down to single
 * cases, until none can be spared; then what is left is made small. */

enum { SEQUENCE_REPEATS = 3, SHRINK_TRIES_MAX = 4096 };

static bool fails(void *context, const struct sequence *sequence)
{
    struct reduction *reduction = context;
    trial_rest(reduction->trial); /* in a worker that has run nothing before */
    struct check_result result = run_jobs(reduction->trial, sequence->jobs, sequence->count);
    return is_wanted(reduction, &result);
}

static int find_check(const struct job *job, struct subject subject)
{
    for (int index = 0; index < job->check_count; index++)
        if (subject_is_same(job->checks[index], subject))
            return index;
    return -1;
}

struct search {
    sequence_test *test;
    void *context;
    double deadline_s;
    struct sequence *best, *candidate;
};

/* One pass over the predecessors in pieces of `size`. True when some could be spared. */
static bool spare(const struct search *search, int size)
{
    bool spared = false;
    for (int from = 0; from < search->best->count - 1;) {
        int left = search->best->count - 1 - from;
        if (clock_now_s() > search->deadline_s)
            return false;
        /* The sequence without `count` cases from `from`. */
        const int count = left < size ? left : size;
        size_t rest = (size_t)(search->best->count - from - count);
        search->candidate->count = search->best->count - count;
        memcpy(search->candidate->jobs, search->best->jobs,
               (size_t)from * sizeof search->candidate->jobs[0]);
        memcpy(&search->candidate->jobs[from], &search->best->jobs[from + count],
               rest * sizeof search->candidate->jobs[0]);
        if (!search->test(search->context, search->candidate)) {
            from += size;
            continue;
        }
        *search->best = *search->candidate;
        spared = true;
    }
    return spared;
}

void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context,
                      double deadline_s)
{
    struct search search = {.test = test,
                            .context = context,
                            .deadline_s = deadline_s,
                            .best = sequence,
                            .candidate = heap_take(1, sizeof *search.candidate)};
    for (int size = sequence->count / 2; size > 1; size /= 2)
        spare(&search, size);
    while (spare(&search, 1))
        continue;
    free(search.candidate);
}

/* The shrinker's candidate for one case, tried in the whole sequence. */
struct candidate_place {
    struct search *search;
    int index;
};

static bool still_fails_whole(void *context, const struct fuzz_case *candidate)
{
    const struct candidate_place *place = context;
    const struct search *search = place->search;
    if (clock_now_s() > search->deadline_s)
        return false;
    *search->candidate = *search->best;
    struct job *job = &search->candidate->jobs[place->index];
    job->test_case = *candidate;
    job->cost_s = case_cost_s(candidate);
    return search->test(search->context, search->candidate);
}

void sequence_shrink(struct sequence *sequence, sequence_test *test, void *context,
                     double deadline_s)
{
    struct search search = {.test = test,
                            .context = context,
                            .deadline_s = deadline_s,
                            .best = sequence,
                            .candidate = heap_take(1, sizeof *search.candidate)};
    struct shrink_report *sum = &sequence->shrink;
    *sum = (struct shrink_report){.complete = true};
    for (bool smaller = true; smaller && sum->complete;) {
        smaller = false;
        for (int step = 0; step < sequence->count && sum->complete; step++) {
            struct candidate_place place = {&search, step == 0 ? sequence->count - 1 : step - 1};
            struct job *job = &sequence->jobs[place.index];
            struct shrink_report report =
                shrink(&job->test_case, still_fails_whole, &place, SHRINK_TRIES_MAX - sum->tried);
            job->cost_s = case_cost_s(&job->test_case);
            smaller = smaller || report.accepted > 0;
            sum->tried += report.tried;
            sum->complete = report.complete && clock_now_s() <= deadline_s;
        }
    }
    free(search.candidate);
}

bool sequence_reduce(struct trial *trial, struct sequence *sequence, struct subject subject,
                     const struct finding *wanted, double limit_s)
{
    struct reduction reduction = {.trial = trial, .wanted = *wanted};
    double deadline_s = clock_now_s() + limit_s;
    if (sequence->count < 2)
        return false;
    struct job *last = &sequence->jobs[sequence->count - 1];
    if (find_check(last, subject) < 0)
        return false;
    last->check_count = find_check(last, subject) + 1;
    sequence->failures = 0;
    sequence->repeats = 2;
    /* With the failing check alone, or else with all checks that were run. */
    struct sequence *whole = heap_take(1, sizeof *whole);
    *whole = *sequence;
    /* The cases that the check was run on, and of their checks that one alone. */
    int kept = 0;
    for (int index = 0; index < sequence->count; index++) {
        const int check = find_check(&sequence->jobs[index], subject);
        if (check < 0)
            continue;
        sequence->jobs[kept] = sequence->jobs[index];
        sequence->jobs[kept].check_count = 1;
        sequence->jobs[kept++].checks += check;
    }
    sequence->count = kept;
    bool found = fails(&reduction, sequence);
    if (!found)
        *sequence = *whole;
    found = found || fails(&reduction, sequence);
    free(whole);
    if (!found)
        return false;
    sequence_shorten(sequence, fails, &reduction, deadline_s);
    sequence_shrink(sequence, fails, &reduction, deadline_s);
    for (sequence->repeats = 0; sequence->repeats < SEQUENCE_REPEATS; sequence->repeats++)
        sequence->failures += fails(&reduction, sequence);
    sequence->finding = reduction.last;
    return sequence->failures > 0;
}
