/* The client that the pool works for (carry_out.h). */
#include "conformance/bits/carry_out.h"
#include "conformance/base/reason.h"
#include "conformance/bits/hand_out.h"
#include "conformance/bits/journal.h"
#include "conformance/bits/resume.h"
#include "conformance/base/stop.h"
#include "conformance/base/turn.h"
#include "conformance/bits/run_lines.h"
#include "conformance/session/session_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_ELEMENTS = 4096 };

static bool is_unwanted(void *context, int device, struct check_result *result)
{
    (void)device;
    return hand_out_unwanted(context, result);
}

static enum pool_next next_job(void *context, int device, int place, struct job *ret)
{
    return hand_out_next(context, device, place, ret);
}

/* Failures and errors are findings; a skip is a reason in the table. */
static void keep_finding(struct run *run, const struct job *job, const struct check_result *result)
{
    struct run_finding finding = {.index = job->index,
                                  .test_case = job->test_case,
                                  .subject = result->subject,
                                  .finding = result->finding,
                                  .history = &run->history};
    finding.needs_history = job->index < run->session->plan.sequenced_count &&
                            run->history.count > 1 && verdict_is_failure(result->verdict);
    session_write(run->session, record_finding(run, &finding));
    const struct tally *row = tally_row(&run->tally, result->subject);
    /* The first of each kernel, path and kind is shown; the record has them all. Hangs are few, and
     * each may be the machine's. */
    bool shown = row->counts[result->verdict] == 1 || result->verdict == VERDICT_TIMEOUT;
    if (!shown || run->finding_count == RUN_FINDINGS_MAX) {
        run->findings_left_out++;
        return;
    }
    finding.history = malloc(sizeof *finding.history);
    if (finding.history)
        *finding.history = run->history;
    else
        finding.needs_history = false;
    run->findings[run->finding_count++] = finding;
    if (run->report)
        run->report->finding(run, &finding);
}

static void take_history(void *context, int device, const struct job *jobs, int count)
{
    struct run *run = context;
    (void)device;
    run->history.count = count;
    memcpy(run->history.jobs, jobs, (size_t)count * sizeof *jobs);
}

static void take_result(void *context, int device, const struct job *job, int index,
                        const struct check_result *result)
{
    struct run *run = context;
    (void)index;
    struct tally *row = tally_row(&run->tally, result->subject);
    tally_add(row, result);
    tally_launch(row, result, run->session->devices[device].info.limits.multiprocessor_count);
    if (run->journal)
        journal_result(run->journal, device, job->index, result);
    if (case_elements(&job->test_case) <= SMALL_ELEMENTS && verdict_was_due(result->verdict))
        run->small_checks++;
    if (verdict_is_failure(result->verdict) || result->verdict == VERDICT_ERROR)
        keep_finding(run, job, result);
}

static void take_reached(void *context, int device, int place,
                         const struct message_reached *reached)
{
    struct run *run = context;
    struct run_share *share = &run->devices[device].shares[place % run->shares.count];
    tally_add_sms(tally_row(&run->tally, reached->subject), reached->sms);
    if (share->touched_bytes < reached->touched_bytes)
        share->touched_bytes = reached->touched_bytes;
}

static void take_done(void *context, int device, const struct job *job)
{
    hand_out_done(context, device, job);
}

static void take_spent(void *context, int device, const double stage_s[STAGE_COUNT])
{
    struct run *run = context;
    (void)device;
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        run->stage_s[stage] += stage_s[stage];
}

static void take_ready(void *context, int device, const struct device_info *info)
{
    struct run *run = context;
    if (--run->unopened == 0 && run->session->options->opened)
        turn_give(run->session->options->opened);
    if (run->session->devices[device].opened)
        return;
    run->session->devices[device].opened = true;
    run->session->devices[device].info = *info;
    if (!run->devices[device].recorded)
        session_write(run->session, session_device_line(&run->session->devices[device]));
}

static void take_lost(void *context, int device, const char *why)
{
    struct run *run = context;
    snprintf(run->devices[device].lost, sizeof run->devices[device].lost, "%s", why);
    fprintf(stderr, "assay: %s: %s\n", run->session->devices[device].label, why);
}

static void take_unexplained(void *context, int device, const char *how)
{
    struct run *run = context;
    snprintf(run->devices[device].unexplained, sizeof run->devices[device].unexplained, "%s", how);
    fprintf(stderr, "assay: %s: a worker died (%s); none of its checks fails when run alone\n",
            run->session->devices[device].label, how);
}

static void take_tick(void *context)
{
    struct run *run = context;
    if (run->journal)
        journal_write(run->journal, run, false);
    if (session_output_works(run->session) && run->report && run->report->progress)
        run->report->progress(run);
}

/* Of this machine. */
static int cores_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 256 ? 256 : (int)cores;
}

/* That a GPU's worker has by default. */
static int gpu_threads(void)
{
    int cores = cores_count();
    return cores < 2 ? 1 : cores > 16 ? 16 : cores - 1; /* one core is the supervisor's */
}

/* How many workers share a GPU, at most. */
static int gpu_workers(const struct run *run, int threads)
{
    enum { STANDARD = 4 };
    const struct options *chosen = run->session->options;
    int workers = chosen->workers ? chosen->workers : STANDARD;
    if (workers > POOL_WORKERS_MAX / run->session->device_count)
        workers = POOL_WORKERS_MAX / run->session->device_count;
    for (int index = 0; index < run->session->device_count; index++)
        if (run->session->devices[index].info.compute_mode != CU_COMPUTE_MODE_DEFAULT)
            workers = 1;
    return workers < threads ? workers : threads;
}

/* A device that threads share has few workers, whose threads share its context, and each of which
 * has a share of the cases; another has as many workers as cores, and all take of the same. A
 * sequence has one thread of one worker. */
static struct pool *open_pool(struct run *run, const struct device_info *const *devices,
                              uint64_t begin, uint64_t end, bool in_sequence)
{
    const struct options *chosen = run->session->options;
    bool shared = device_kind(devices[0])->is_shared;
    int jobs = in_sequence    ? 1
               : chosen->jobs ? chosen->jobs
               : shared       ? gpu_threads()
                              : cores_count();
    const struct plan_shares shares =
        plan_divide(&run->session->plan, devices[0], shared ? gpu_workers(run, jobs) : 1, jobs);
    hand_out_begin(run, begin, end, &shares);
    struct pool_options options = {.devices = devices,
                                   .device_count = run->session->device_count,
                                   .workers = shared ? shares.count : jobs,
                                   .threads = jobs,
                                   .checks_most = plan_checks_most(&run->session->plan),
                                   .timeout_s = chosen->timeout_s,
                                   .careful = run->careful || in_sequence,
                                   .fault_call = chosen->fault.call,
                                   .fault_error = chosen->fault.error};
    run->unopened = options.workers * options.device_count;
    return pool_open(&options);
}

/* Hands out the cases from `begin` to `end` to workers that have run nothing before. */
static void run_cases(struct run *run, uint64_t begin, uint64_t end, bool in_sequence)
{
    const struct pool_client client = {.context = run,
                                       .next = next_job,
                                       .result = take_result,
                                       .history = take_history,
                                       .done = take_done,
                                       .spent = take_spent,
                                       .reached = take_reached,
                                       .ready = take_ready,
                                       .lost = take_lost,
                                       .unexplained = take_unexplained,
                                       .unwanted = is_unwanted,
                                       .tick = take_tick};
    const struct device_info *devices[PROBE_DEVICES_MAX];
    for (int index = 0; index < run->session->device_count; index++)
        devices[index] = &run->session->devices[index].info;
    struct pool *pool = open_pool(run, devices, begin, end, in_sequence);
    if (pool == NULL) {
        for (int index = 0; index < run->session->device_count; index++)
            take_lost(run, index, "no memory for its workers");
        return;
    }
    pool_run(pool, &client, &stop_signal);
    if (!stop_signal)
        pool_end_workers(pool, &client);
    pool_close(pool);
}

/* The sequences of the corpus, each by itself, then all the other cases (runner.corpus.sequence).
 */
static void run_plan(struct run *run)
{
    for (uint64_t first, end = 0; end < run->session->plan.sequenced_count && !stop_signal;) {
        plan_sequence(&run->session->plan, end, &first, &end);
        run_cases(run, first, end, true);
    }
    const struct plan *plan = &run->session->plan;
    if (plan->sequenced_count < plan->count && !stop_signal)
        run_cases(run, plan->sequenced_count, plan->count, false);
}

bool run_open(struct run *run)
{
    bool journals = run->session->options->tier == TIER_DEEP && run->keeps_corpus;
    run->journal = journals ? journal_open(run->session->device_count) : NULL;
    if ((run->journal || !journals) && tally_open(&run->tally, run->session->device_count))
        return true;
    fprintf(stderr, "assay: no memory for the run\n");
    return false;
}

void run_take(struct run *run)
{
    if (run->resume) {
        resume_apply(run->resume, run);
        session_write(run->session, record_resumed(run));
    }
    if (run->report)
        run->report->begin(run);
    run_plan(run);
    if (run->journal)
        journal_write(run->journal, run, true);
}

void run_close(struct run *run)
{
    if (run->journal)
        journal_close(run->journal);
    tally_close(&run->tally);
    for (int index = 0; index < PROBE_DEVICES_MAX; index++)
        hand_out_free(&run->devices[index]);
    for (int index = 0; index < run->finding_count; index++)
        free(run->findings[index].history);
}
