/* The plan's cases as jobs (hand_out.h). Clause: runner.checks.parts. */
#include "conformance/bits/hand_out.h"

#include <stdio.h>

#include "conformance/base/array.h"
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

/* Passes over what was finished before the run was resumed. */
static void skip_finished(struct run_device *it)
{
    for (; it->finished && it->finished_next < it->finished->count; it->finished_next++) {
        const struct range *range = &it->finished->items[it->finished_next];
        if (it->next_index < range->first)
            return;
        it->next_index = range->last + 1;
    }
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
    struct run_device *it = &run->devices[device];
    size_t place = 0;
    while (place < it->parts_count && it->parts[place].index != job->index)
        place++;
    if (place == it->parts_count) { /* the whole of it was one job */
        finish_case(run, device, job, job->check_count);
        return;
    }
    it->parts[place].checks += job->check_count;
    if (--it->parts[place].due > 0)
        return;
    finish_case(run, device, job, it->parts[place].checks);
    it->parts[place] = it->parts[--it->parts_count];
}

/* Keeps in mind that the case comes back in so many parts. */
static bool expect_parts(struct run_device *it, uint64_t index, int due)
{
    if (!ARRAY_ROOM(it->parts, it->parts_count)) {
        snprintf(it->lost, sizeof it->lost, "no memory for the checks of a case");
        return false;
    }
    it->parts[it->parts_count++] = (struct hand_out_parts){.index = index, .due = due};
    return true;
}

/* The checks that are wanted; the others have their result at once. */
static void fill_checks(struct run *run, int device, const struct subject *checks, int count,
                        struct job *job)
{
    for (int number = 0; number < count; number++) {
        struct check_result skipped = {.subject = checks[number]};
        if (!hand_out_unwanted(run, &skipped)) {
            job->checks[job->check_count++] = checks[number];
            continue;
        }
        tally_add(tally_row(&run->tally, skipped.subject), &skipped);
        if (run->journal)
            journal_result(run->journal, device, job->index, &skipped);
    }
}

/* The next part of the next case, which may come out without a check. */
static bool make_job(struct run *run, int device, struct job *ret)
{
    const struct session_device *chip = &run->session->devices[device];
    struct run_device *it = &run->devices[device];
    struct subject checks[PROTOCOL_CHECKS_MAX];
    const int most = run->checks_max ? run->checks_max : PROTOCOL_CHECKS_MAX;
    int from = it->next_check;
    *ret = (struct job){.id = it->handed++, .index = it->next_index};
    plan_case(&run->session->plan, ret->index, &ret->test_case);
    int all = plan_checks(&run->session->plan, &ret->test_case, &chip->info, from, checks);
    if (from == 0 && all > most && !expect_parts(it, ret->index, (all + most - 1) / most))
        return false;
    int count = all - from < most ? all - from : most;
    bool last = from + count == all;
    it->next_check = last ? 0 : from + count;
    it->next_index += last;
    fill_checks(run, device, checks, count, ret);
    ret->cost_s = case_cost_s(&ret->test_case);
    return true;
}

bool hand_out_next(struct run *run, int device, struct job *ret)
{
    struct run_device *it = &run->devices[device];
    skip_finished(it);
    bool begins = it->next_check == 0; /* what has begun is handed out whole */
    if (begins && run->session->options->time_s > 0 &&
        session_seconds(run->session) >= run->session->options->time_s &&
        it->next_index < run->session->plan.count) {
        run->session->out_of_time = true;
        return false;
    }
    while (it->next_index < run->handed_end) {
        if (!make_job(run, device, ret))
            return false;
        if (ret->check_count > 0)
            return true;
        hand_out_done(run, device, ret);
        skip_finished(it);
    }
    return false;
}
