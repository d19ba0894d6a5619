/* The client that the pool works for (run.h): which job a device gets next, what becomes of a
 * result, and when a case has finished. Clause: runner.checks.parts. */
#include "conformance/bits/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"

/* True if a check is not to be run any more, as its kernel crashed often enough; fills in the
 * result that it gets instead. */
static bool is_unwanted(void *context, int device, struct check_result *result)
{
    const struct run *run = context;
    (void)device;
    const struct tally *row = tally_row(&run->tally, result->subject);
    if (row->counts[VERDICT_CRASH] + row->counts[VERDICT_TIMEOUT] < RUN_CRASHES_MAX)
        return false;
    result->verdict = VERDICT_SKIP;
    snprintf(result->finding.note, sizeof result->finding.note,
             "not launched again after %d crashes or hangs", RUN_CRASHES_MAX);
    return true;
}

void hand_out_begin(struct run *run, struct run_group group, uint64_t begin, uint64_t end,
                    const struct plan_shares *shares)
{
    run->first_device = group.first;
    run->handed_end = end;
    run->shares = *shares;
    for (int device = group.first; device < group.first + group.count; device++)
        for (int share = 0; share < shares->count; share++)
            if (run->devices[device].shares[share].next_index < begin)
                run->devices[device].shares[share].next_index = begin;
}

/* Skips cases of other shares, and of other shards. */
static void skip_others(const struct run *run, int number, struct run_share *share)
{
    const struct plan *plan = &run->session->plan;
    while (share->next_index < plan->count &&
           (!plan_has_case(plan, share->next_index) ||
            plan_share(plan, &run->shares, share->next_index) != number))
        share->next_index++;
}

/* Cases of several workers finish nearly in order: joined now and then, their ranges take little
 * memory, however long a run is. */
enum { LOOSE_RANGES = 4096 };

static void finish_case(void *context, int device, const struct job *job)
{
    struct run *run = context;
    struct run_device *it = &run->devices[run->first_device + device];
    it->cases_done++;
    it->checks_done += (uint64_t)job->check_count;
    ranges_add(&it->finished, job->index, job->index);
    if (it->finished.count < 2 * it->finished_joined + LOOSE_RANGES)
        return;
    ranges_settle(&it->finished);
    it->finished_joined = it->finished.count;
}

/* Checks of the cases of one algorithm on one device: all that are planned, or what was left of
 * them when a kernel had crashed often enough. */
struct hand_out_list {
    struct hand_out_list *older;
    const struct algorithm *algorithm;
    bool is_whole;
    int count;
    struct subject checks[];
};

/* The newest list of the algorithm, or the whole one, or NULL. */
static struct hand_out_list *find_list(const struct run_device *device,
                                       const struct algorithm *algorithm, bool is_whole)
{
    struct hand_out_list *it = device->lists;
    while (it && (it->algorithm != algorithm || (is_whole && !it->is_whole)))
        it = it->older;
    return it;
}

/* A new list with that capacity. */
static struct hand_out_list *add_list(struct run_device *device, const struct algorithm *algorithm,
                                      int room)
{
    struct hand_out_list *it = heap_take(1, sizeof *it + (size_t)room * sizeof it->checks[0]);
    *it = (struct hand_out_list){.older = device->lists, .algorithm = algorithm};
    return device->lists = it;
}

/* The next case, which may come out without a check. */
static void make_job(struct run *run, int device, struct run_share *share, struct job *ret)
{
    struct run_device *it = &run->devices[device];
    *ret = (struct job){.id = it->handed++, .index = share->next_index};
    const struct plan *plan = &run->session->plan;
    const struct algorithm *algorithm = plan_algorithm(plan, ret->index);
    const struct device_info *info = &run->session->devices[device].info;
    struct hand_out_list *whole = find_list(it, algorithm, true);
    if (whole == NULL) {
        const int all = plan_checks(plan, algorithm, info, NULL);
        whole = add_list(it, algorithm, all);
        whole->is_whole = true;
        whole->count = plan_checks(plan, algorithm, info, whole->checks);
    }
    if (whole->count ==
        0) { /* of a set or a single device, where the algorithm runs on the other */
        share->next_index++;
        return;
    }
    plan_case(plan, ret->index, &ret->test_case);
    /* The checks that are wanted: as those of the job before, while no kernel of theirs has crashed
     * too often since. */
    const struct hand_out_list *wanted = find_list(it, whole->algorithm, false);
    int count = 0;
    for (int number = 0; number < whole->count; number++) {
        struct check_result result = {.subject = whole->checks[number]};
        count += !is_unwanted(run, device, &result);
    }
    if (count != wanted->count) {
        struct hand_out_list *fewer = add_list(it, whole->algorithm, count);
        for (int number = 0; number < whole->count; number++) {
            struct check_result result = {.subject = whole->checks[number]};
            if (!is_unwanted(run, device, &result))
                fewer->checks[fewer->count++] = whole->checks[number];
        }
        wanted = fewer;
    }
    ret->checks = wanted->checks;
    ret->check_count = wanted->count;
    share->next_index++;
    /* Those that are not wanted have their result at once. */
    for (int number = 0; ret->check_count < whole->count && number < whole->count; number++) {
        struct check_result skipped = {.subject = whole->checks[number]};
        if (is_unwanted(run, device, &skipped))
            tally_add(tally_row(&run->tally, skipped.subject), ret->index, &skipped);
    }
    ret->cost_s = case_cost_s(&ret->test_case);
}

/* True if a share of a deep run has to wait for others. */
static bool is_ahead(const struct run *run, struct run_device *it, const struct run_share *share)
{
    uint64_t least = share->next_index;
    if (run->session->options->tier != TIER_DEEP || it->lost[0])
        return false;
    for (int number = 0; number < run->shares.count; number++) {
        struct run_share *other = &it->shares[number];
        if (other != share)
            skip_others(run, number, other);
        least = other->next_index < least ? other->next_index : least;
    }
    return share->next_index - least > HAND_OUT_AHEAD_MOST;
}

/* The share that a worker gets of: its own, or at its end one that it helps with. */
static int share_at(const struct run *run, struct run_device *it, int own)
{
    int most = own;
    skip_others(run, own, &it->shares[own]);
    if (it->shares[own].next_index < run->handed_end)
        return own;
    for (int number = 0; number < run->shares.count; number++) {
        skip_others(run, number, &it->shares[number]);
        if (it->shares[number].next_index + HAND_OUT_HELP_LEAST < run->handed_end &&
            it->shares[number].next_index < it->shares[most].next_index)
            most = number;
    }
    return most;
}

enum pool_next hand_out_next(void *context, int device, int place, struct job *ret)
{
    struct run *run = context;
    const int own = run->first_device + device;
    struct run_device *it = &run->devices[own];
    const int number = share_at(run, it, place % run->shares.count);
    struct run_share *share = &it->shares[number];
    if (run->session->options->time_s > 0 &&
        session_seconds(run->session) >= run->session->options->time_s &&
        share->next_index < run->session->plan.count) {
        run->session->out_of_time = true;
        return POOL_NEXT_NONE;
    }
    while (share->next_index < run->handed_end) {
        if (is_ahead(run, it, share))
            return POOL_NEXT_LATER;
        make_job(run, own, share, ret);
        if (ret->check_count > 0)
            return POOL_NEXT_JOB;
        finish_case(run, device, ret);
        skip_others(run, number, share);
    }
    return POOL_NEXT_NONE;
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
    struct zone zone = {.blocks = NULL};
    session_write_line(run->session, record_finding(run, &finding, &zone));
    zone_free(&zone);
    const struct tally *row = tally_row(&run->tally, result->subject);
    /* The first of each kernel, path and kind is tried again; the record has them all. Hangs are
     * few, and each may be the machine's. */
    bool shown = row->counts[result->verdict] == 1 || result->verdict == VERDICT_TIMEOUT;
    if (!shown || run->finding_count == RUN_FINDINGS_MAX)
        return;
    finding.history = heap_take(1, sizeof *finding.history);
    *finding.history = run->history;
    run->findings[run->finding_count++] = finding;
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
    tally_launch(
        tally_row(&run->tally, result->subject), result,
        run->session->devices[run->first_device + device].info.limits.multiprocessor_count);
    tally_add(tally_row(&run->tally, result->subject), job->index, result);
    if (verdict_is_failure(result->verdict) || result->verdict == VERDICT_ERROR)
        keep_finding(run, job, result);
}

static void take_reached(void *context, int device, int place,
                         const struct message_reached *reached)
{
    struct run *run = context;
    struct run_share *share =
        &run->devices[run->first_device + device].shares[place % run->shares.count];
    tally_add_sms(tally_row(&run->tally, reached->subject), reached->sms);
    if (share->touched_bytes < reached->touched_bytes)
        share->touched_bytes = reached->touched_bytes;
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
        token_give(run->session->options->opened);
    const int own = run->first_device + device;
    if (run->session->devices[own].opened)
        return;
    run->session->devices[own].opened = true;
    run->session->devices[own].info = *info;
    session_write_device(run->session, own);
}

static void take_lost(void *context, int device, const char *why)
{
    struct run *run = context;
    const int own = run->first_device + device;
    snprintf(run->devices[own].lost, sizeof run->devices[own].lost, "%s", why);
    if (run->session->options->opened) /* not all of its workers may have opened it */
        token_give(run->session->options->opened);
    fprintf(stderr, "assay: %s: %s\n", run->session->devices[own].label, why);
}

static void take_unexplained(void *context, int device, const char *how)
{
    struct run *run = context;
    const int own = run->first_device + device;
    snprintf(run->devices[own].unexplained, sizeof run->devices[own].unexplained, "%s", how);
    fprintf(stderr, "assay: %s: a worker died (%s); none of its checks fails when run alone\n",
            run->session->devices[own].label, how);
}

static void take_tick(void *context)
{
    struct run *run = context;
    const struct session *session = run->session;
    if (!session_output_works(run->session) || session->sink == NULL)
        return;
    const double seconds = session_seconds(session);
    const uint64_t checks = tally_total_checks(&run->tally);
    struct session_progress progress = {
        .due = plan_cases(&session->plan) * (uint64_t)session->device_count, .noun = "case"};
    char rate[64];
    for (int device = 0; device < session->device_count; device++)
        progress.done += run->devices[device].cases_done;
    const uint64_t left = progress.due - progress.done;
    progress.left_s = progress.done ? seconds / (double)progress.done * (double)left : 0;
    if (session->options->time_s > 0 && session->options->time_s - seconds < progress.left_s)
        progress.left_s = session->options->time_s - seconds;
    snprintf(rate, sizeof rate, "%s a second",
             NUMBER_COUNT((uint64_t)((double)checks / (seconds > 0 ? seconds : 1)), "check"));
    progress.doing = rate;
    session->sink->progress(session->sink->context, &progress);
}

/* Devices from `first` on that can run at the same time: single ones, or sets. A GPU that opens for
 * one process at a time is in one set of a group. */
static struct run_group group_at(const struct session *session, int first)
{
    const bool is_alone =
        session_is_exclusive(session) && session->devices[first].info.id.others > 0;
    struct run_group group = {.first = first, .count = is_alone};
    bool meet = !is_alone;
    while (meet && first + group.count < session->device_count) {
        const struct device_set *next = &session->devices[first + group.count].info.id;
        for (int other = first; other < first + group.count; other++)
            meet = meet && device_sets_can_run_together(&session->devices[other].info.id, next);
        group.count += meet;
    }
    return group;
}

/* Hands out the cases from `begin` to `end` to workers of those devices that have run nothing
 * before. */
static void run_cases(struct run *run, struct run_group group, uint64_t begin, uint64_t end,
                      bool in_sequence)
{
    enum { STANDARD = 4 }; /* workers that share a GPU */
    const struct pool_calls calls = {.context = run,
                                     .next = hand_out_next,
                                     .result = take_result,
                                     .history = take_history,
                                     .done = finish_case,
                                     .spent = take_spent,
                                     .reached = take_reached,
                                     .ready = take_ready,
                                     .lost = take_lost,
                                     .unexplained = take_unexplained,
                                     .unwanted = is_unwanted,
                                     .tick = take_tick};
    const struct device_info *devices[PROBE_DEVICES_MAX];
    for (int index = 0; index < group.count; index++)
        devices[index] = &run->session->devices[group.first + index].info;
    /* A device that threads share has few workers, whose threads share its context, and each of
     * which has a share of the cases; another has as many workers as cores, and all take of the
     * same. A sequence has one thread of one worker. */
    const struct options *chosen = run->session->options;
    bool shared = device_kind(devices[0])->is_shared;
    const int cores = host_cores(), most = POOL_WORKERS_MAX / group.count;
    const int threads = cores < 2 ? 1 : cores > 16 ? 16 : cores - 1; /* one is the supervisor's */
    int jobs = shared ? threads : cores;
    if (in_sequence || chosen->jobs)
        jobs = in_sequence ? 1 : chosen->jobs;
    int workers = chosen->workers ? chosen->workers : STANDARD;
    workers = workers > most ? most : workers;
    /* On a set one algorithm runs, which is not divided. */
    workers = session_is_exclusive(run->session) || devices[0]->id.others > 0 ? 1 : workers;
    workers = workers < jobs ? workers : jobs;
    const struct plan_shares shares =
        plan_divide(&run->session->plan, devices[0], shared ? workers : 1, jobs);
    hand_out_begin(run, group, begin, end, &shares);
    struct pool_options options = {.devices = devices,
                                   .device_count = group.count,
                                   .workers = shared ? shares.count : jobs,
                                   .threads = jobs,
                                   .checks_most = plan_checks_most(&run->session->plan),
                                   .timeout_s = chosen->timeout_s,
                                   .careful = run->careful || in_sequence};
    run->unopened = options.workers * options.device_count;
    struct pool *pool = pool_open(&options);
    pool_run(pool, &calls, &stop_signal);
    if (!stop_signal)
        pool_end_workers(pool, &calls);
    pool_close(pool);
}

void run_open(struct run *run)
{
    tally_open(&run->tally, run->session->device_count);
}

/* The sequences of the corpus, each by itself, then all the other cases
 * (runner.corpus.sequence). */
static void take_group(struct run *run, struct run_group group)
{
    const struct plan *plan = &run->session->plan;
    for (uint64_t first, end = 0; end < plan->sequenced_count && !stop_signal;) {
        plan_sequence(plan, end, &first, &end);
        if (plan_has_case(plan, first))
            run_cases(run, group, first, end, true);
    }
    if (plan->sequenced_count < plan->count && !stop_signal)
        run_cases(run, group, plan->sequenced_count, plan->count, false);
}

void run_take(struct run *run)
{
    const int count = run->session->device_count;
    for (int first = 0; first < count && !stop_signal;) {
        const struct run_group group = group_at(run->session, first);
        take_group(run, group);
        first += group.count;
    }
    for (int device = 0; device < run->session->device_count; device++)
        ranges_settle(&run->devices[device].finished);
}

void run_close(struct run *run)
{
    tally_close(&run->tally);
    for (int index = 0; index < PROBE_DEVICES_MAX; index++) {
        while (run->devices[index].lists) {
            struct hand_out_list *older = run->devices[index].lists->older;
            free(run->devices[index].lists);
            run->devices[index].lists = older;
        }
        ranges_free(&run->devices[index].finished);
    }
    for (int index = 0; index < run->finding_count; index++)
        free(run->findings[index].history);
}
