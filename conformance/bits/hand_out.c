/* The plan's cases as jobs (hand_out.h). Clause: runner.checks.parts. */
#include "conformance/bits/hand_out.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/bits/journal.h"
#include "conformance/bits/run_lines.h"
#include "conformance/record/ranges.h"

bool hand_out_unwanted(const struct run *run, struct check_result *result)
{
    const struct tally *row = tally_row(&run->tally, result->subject);
    if (row->counts[VERDICT_CRASH] + row->counts[VERDICT_TIMEOUT] < RUN_CRASHES_MAX)
        return false;
    result->verdict = VERDICT_SKIP;
    snprintf(result->finding.note, sizeof result->finding.note,
             "not launched again after %d crashes or hangs", RUN_CRASHES_MAX);
    return true;
}

void hand_out_begin(struct run *run, uint64_t begin, uint64_t end, const struct plan_shares *shares)
{
    run->handed_end = end;
    run->shares = *shares;
    for (int device = 0; device < run->session->device_count; device++)
        for (int share = 0; share < shares->count; share++)
            if (run->devices[device].shares[share].next_index < begin)
                run->devices[device].shares[share].next_index = begin;
}

/* Passes over what was finished before the run was resumed. */
static void skip_finished(const struct run_device *it, struct run_share *share)
{
    for (; it->finished && share->finished_next < it->finished->count; share->finished_next++) {
        const struct range *range = &it->finished->items[share->finished_next];
        if (share->next_index < range->first)
            return;
        if (share->next_index <= range->last)
            share->next_index = range->last + 1;
    }
}

/* Passes over what is no case of the share. */
static void skip_others(const struct run *run, const struct run_device *it, int number,
                        struct run_share *share)
{
    const struct plan *plan = &run->session->plan;
    for (skip_finished(it, share); share->next_index < plan->count &&
                                   plan_share(plan, &run->shares, share->next_index) != number;
         skip_finished(it, share))
        share->next_index++;
}

/* The record's line of a case that has finished. A deep run's journal gets the cases of a sequence
 * together: a run that is resumed must not find its last case without those before it. */
static void finish_case(struct run *run, int device, const struct job *job, int checks)
{
    run->devices[device].cases_done++;
    if (run->journal) {
        uint64_t first, end;
        plan_sequence(&run->session->plan, job->index, &first, &end);
        for (uint64_t index = first; job->index + 1 == end && index < end; index++)
            journal_done(run->journal, device, index);
    } else if (checks > 0) {
        char text[CASE_TEXT_BYTES];
        case_format(&job->test_case, text, sizeof text);
        session_write(run->session, record_case(run, device, job->index, text, checks));
    }
}

void hand_out_done(struct run *run, int device, const struct job *job)
{
    finish_case(run, device, job, job->check_count);
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

void hand_out_free(struct run_device *device)
{
    while (device->lists) {
        struct hand_out_list *older = device->lists->older;
        free(device->lists);
        device->lists = older;
    }
}

/* The newest list of the algorithm, or the whole one; NULL where there is none. */
static struct hand_out_list *find_list(const struct run_device *device,
                                       const struct algorithm *algorithm, bool is_whole)
{
    struct hand_out_list *it = device->lists;
    while (it && (it->algorithm != algorithm || (is_whole && !it->is_whole)))
        it = it->older;
    return it;
}

/* A new list with room for so many; NULL without memory. */
static struct hand_out_list *add_list(struct run_device *device, const struct algorithm *algorithm,
                                      int room)
{
    struct hand_out_list *it = malloc(sizeof *it + (size_t)room * sizeof it->checks[0]);
    if (it == NULL) {
        snprintf(device->lost, sizeof device->lost, "no memory for the checks of a case");
        return NULL;
    }
    *it = (struct hand_out_list){.older = device->lists, .algorithm = algorithm};
    return device->lists = it;
}

/* All checks of the algorithm's cases; NULL without memory. */
static const struct hand_out_list *whole_list(const struct run *run, struct run_device *it,
                                              const struct device_info *info,
                                              const struct algorithm *algorithm)
{
    const struct plan *plan = &run->session->plan;
    struct hand_out_list *whole = find_list(it, algorithm, true);
    if (whole == NULL) {
        const int count = plan_checks(plan, algorithm, info, NULL);
        if ((whole = add_list(it, algorithm, count)) == NULL)
            return NULL;
        whole->is_whole = true;
        whole->count = plan_checks(plan, algorithm, info, whole->checks);
    }
    return whole;
}

/* The checks that are wanted: as those of the job before, while no kernel of theirs has crashed too
 * often since. False without memory. */
static bool want_checks(const struct run *run, struct run_device *it,
                        const struct hand_out_list *whole, struct job *job)
{
    const struct hand_out_list *wanted = find_list(it, whole->algorithm, false);
    int count = 0;
    for (int number = 0; number < whole->count; number++) {
        struct check_result result = {.subject = whole->checks[number]};
        count += !hand_out_unwanted(run, &result);
    }
    if (count != wanted->count) {
        struct hand_out_list *fewer = add_list(it, whole->algorithm, count);
        if (fewer == NULL)
            return false;
        for (int number = 0; number < whole->count; number++) {
            struct check_result result = {.subject = whole->checks[number]};
            if (!hand_out_unwanted(run, &result))
                fewer->checks[fewer->count++] = whole->checks[number];
        }
        wanted = fewer;
    }
    job->checks = wanted->checks;
    job->check_count = wanted->count;
    return true;
}

/* Those that are not wanted have their result at once. */
static void skip_unwanted(struct run *run, int device, const struct hand_out_list *whole,
                          const struct job *job)
{
    for (int number = 0; job->check_count < whole->count && number < whole->count; number++) {
        struct check_result skipped = {.subject = whole->checks[number]};
        if (!hand_out_unwanted(run, &skipped))
            continue;
        tally_add(tally_row(&run->tally, skipped.subject), &skipped);
        if (run->journal)
            journal_result(run->journal, device, job->index, &skipped);
    }
}

/* The next case, which may come out without a check. */
static bool make_job(struct run *run, int device, struct run_share *share, struct job *ret)
{
    struct run_device *it = &run->devices[device];
    *ret = (struct job){.id = it->handed++, .index = share->next_index};
    plan_case(&run->session->plan, ret->index, &ret->test_case);
    const struct hand_out_list *whole =
        whole_list(run, it, &run->session->devices[device].info, ret->test_case.algorithm);
    if (whole == NULL || !want_checks(run, it, whole, ret))
        return false;
    share->next_index++;
    skip_unwanted(run, device, whole, ret);
    ret->cost_s = case_cost_s(&ret->test_case);
    return true;
}

/* True where a share of a deep run has to wait for others. */
static bool is_ahead(const struct run *run, struct run_device *it, const struct run_share *share)
{
    uint64_t least = share->next_index;
    if (run->session->options->tier != TIER_DEEP || it->lost[0])
        return false;
    for (int number = 0; number < run->shares.count; number++) {
        struct run_share *other = &it->shares[number];
        if (other != share)
            skip_others(run, it, number, other);
        least = other->next_index < least ? other->next_index : least;
    }
    return share->next_index - least > HAND_OUT_AHEAD_MOST;
}

/* The share that a worker gets of: its own, or at its end one that it helps with. */
static int share_at(const struct run *run, struct run_device *it, int own)
{
    int most = own;
    skip_others(run, it, own, &it->shares[own]);
    if (it->shares[own].next_index < run->handed_end)
        return own;
    for (int number = 0; number < run->shares.count; number++) {
        skip_others(run, it, number, &it->shares[number]);
        if (it->shares[number].next_index + HAND_OUT_HELP_LEAST < run->handed_end &&
            it->shares[number].next_index < it->shares[most].next_index)
            most = number;
    }
    return most;
}

enum pool_next hand_out_next(struct run *run, int device, int place, struct job *ret)
{
    struct run_device *it = &run->devices[device];
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
        if (!make_job(run, device, share, ret))
            return POOL_NEXT_NONE;
        if (ret->check_count > 0)
            return POOL_NEXT_JOB;
        hand_out_done(run, device, ret);
        skip_others(run, it, number, share);
    }
    return POOL_NEXT_NONE;
}
