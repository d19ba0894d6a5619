/* Ranges of programs to workers (programs_take.h). Clauses: program_runs.module.apart,
 * program_runs.outputs.whole, program_runs.count.whole. */
#include "conformance/programs/programs_take.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/stop.h"
#include "conformance/programs/programs_ask.h"
#include "conformance/programs/programs_known.h"

/* After so many of a kind the rest of a row is not tried: each costs a worker or a time limit. */
enum { CRASHES_MAX = 8, REFUSALS_MAX = 32 };

static int rows_of(const struct programs *programs, int device)
{
    int count = 0;
    for (size_t row = 0; row < programs->row_count; row++)
        count += programs->rows[row].device == device;
    return count;
}

static int row_of(const struct programs *programs, int device, int number)
{
    int row = 0;
    while (programs->rows[row].device != device || number-- > 0)
        row++;
    return row;
}

static bool is_ended(const struct programs *programs)
{
    struct session *session = programs->session;
    const double time_s = session->options->time_s;
    if (time_s > 0 && session_seconds(session) >= time_s)
        session->out_of_time = true;
    return stop_signal || session->out_of_time || programs->is_short_of_memory;
}

/* A half of what failed, of that device. */
static bool take_split(struct programs *programs, int device, struct programs_range *ret)
{
    for (size_t index = programs->split_count; index-- > 0;) {
        struct programs_row *row = &programs->rows[programs->split[index].row];
        if (row->device != device)
            continue;
        *ret = programs->split[index];
        programs->split[index] = programs->split[--programs->split_count];
        if (!row->is_over)
            return true;
        programs_count(row, VERDICT_SKIP, (uint64_t)ret->count, "");
    }
    return false;
}

/* Nothing is left to be tried on the device. */
static bool are_over(const struct programs *programs, int device)
{
    bool are = true;
    for (size_t row = 0; row < programs->row_count; row++)
        are = are && (programs->rows[row].device != device || programs->rows[row].is_over);
    return are;
}

/* The next module: each number through every row of the device, then the next ones. */
static bool take_planned(struct programs *programs, int device, struct programs_range *ret)
{
    const int rows = rows_of(programs, device);
    const uint64_t modules = (programs->count + PROGRAMS_MODULE - 1) / PROGRAMS_MODULE;
    while (rows > 0 && programs->next[device] < modules * (uint64_t)rows) {
        const uint64_t next = programs->next[device]++;
        const uint64_t first = next / (uint64_t)rows * PROGRAMS_MODULE;
        const uint64_t left = programs->count - first;
        *ret =
            (struct programs_range){.row = row_of(programs, device, (int)(next % (uint64_t)rows)),
                                    .first = first,
                                    .count = left < PROGRAMS_MODULE ? (int)left : PROGRAMS_MODULE};
        struct programs_row *row = &programs->rows[ret->row];
        row->planned += programs->is_endless && !row->is_over ? (uint64_t)ret->count : 0;
        if (!row->is_over)
            return true;
        if (!programs->is_endless)
            programs_count(row, VERDICT_SKIP, (uint64_t)ret->count, "");
        else if (are_over(programs, device))
            return false;
    }
    return false;
}

static bool keep_range(struct programs *programs, struct programs_range **ranges, size_t *count,
                       struct programs_range range)
{
    struct programs_range *grown = *ranges;
    if (!ARRAY_ROOM(grown, *count)) {
        programs->is_short_of_memory = true;
        return false;
    }
    *ranges = grown;
    (*ranges)[(*count)++] = range;
    return true;
}

static void keep_finding(struct programs *programs, const struct programs_range *range, int index,
                         const struct finding *finding, int stage,
                         const struct program_result *result)
{
    if (programs->finding_count >= PROGRAMS_FINDINGS_MAX ||
        !ARRAY_ROOM(programs->findings, programs->finding_count)) {
        programs->findings_left_out++;
        return;
    }
    struct program_finding *it = &programs->findings[programs->finding_count++];
    *it = (struct program_finding){.row = range->row,
                                   .number = range->first + (uint64_t)index,
                                   .finding = *finding,
                                   .stage = stage,
                                   .group = -1};
    if (result)
        it->result = *result;
}

static void count_result(struct programs *programs, const struct programs_range *range, int index,
                         const struct program_result *result)
{
    struct programs_row *row = &programs->rows[range->row];
    struct finding finding;
    programs_judge_result(row, result, &finding);
    programs_count(row, finding.verdict, 1, finding.note);
    programs_note_operation(programs, range->row, range->first + (uint64_t)index, finding.verdict);
    row->compared += result->compared > 0;
    row->words += result->compared;
    if (finding.verdict != VERDICT_PASS)
        keep_finding(programs, range, index, &finding, PROGRAM_STAGE_RUN, result);
}

/* It failed as a whole: its halves are tried, down to the one program that it failed for. */
static void take_apart(struct programs *programs, const struct programs_range *range,
                       const struct finding *finding)
{
    const int half = range->count / 2;
    const struct programs_range halves[] = {
        {range->row, range->first, half, true},
        {range->row, range->first + (uint64_t)half, range->count - half, true}};
    if (!range->is_part && verdict_is_failure(finding->verdict) &&
        !keep_range(programs, &programs->broken, &programs->broken_count, *range))
        return;
    for (int index = 0; index < 2; index++)
        if (!keep_range(programs, &programs->split, &programs->split_count, halves[index]))
            return;
}

static void end_row(struct programs_row *row)
{
    const uint64_t crashes = row->counts[VERDICT_CRASH] + row->counts[VERDICT_TIMEOUT];
    row->is_over =
        row->is_over || crashes >= CRASHES_MAX || row->counts[VERDICT_INCONCLUSIVE] >= REFUSALS_MAX;
}

static void take_failure(struct programs *programs, const struct programs_range *range,
                         const struct finding *finding, int stage)
{
    struct programs_row *row = &programs->rows[range->row];
    if (row->is_over) {
        programs_count(row, VERDICT_SKIP, (uint64_t)range->count, "");
    } else if (finding->verdict == VERDICT_SKIP || finding->verdict == VERDICT_ERROR) {
        programs_count(row, finding->verdict, (uint64_t)range->count, finding->note);
        row->is_over = row->is_over || finding->verdict == VERDICT_SKIP;
    } else if (range->count > 1) {
        take_apart(programs, range, finding);
    } else {
        programs_count(row, finding->verdict, 1, finding->note);
        programs_note_operation(programs, range->row, range->first, finding->verdict);
        keep_finding(programs, range, 0, finding, stage, NULL);
        end_row(row);
    }
}

static void take_answer(struct programs *programs, const struct programs_range *range,
                        const struct program_answer *answer)
{
    for (int stage = 0; stage < PROGRAM_STAGES; stage++)
        programs->rows[range->row].stage_s[stage] += answer->stage_s[stage];
    if (stop_is_signalled() && answer->finding.verdict != VERDICT_PASS)
        return; /* it was cut short, and counts as not done */
    if (answer->finding.verdict != VERDICT_PASS) {
        take_failure(programs, range, &answer->finding, answer->stage);
    } else {
        programs->rows[range->row].kept += answer->is_kept ? (uint64_t)range->count : 0;
        for (int index = 0; index < range->count; index++)
            count_result(programs, range, index, &answer->results[index]);
    }
}

static bool ask(struct programs *programs, struct session_client *client,
                const struct programs_range *range, struct program_answer *ret)
{
    char *lines = programs_lines_of(programs, range->first, range->count);
    const struct programs_asked asked = {.row = range->row,
                                         .lines = lines,
                                         .count = range->count,
                                         .keeps_code =
                                             programs_recur(programs, range->first, range->count)};
    const bool good = lines && programs_ask(programs, client, &asked, ret);
    free(lines);
    return good;
}

/* True while there may be more: a module that is under way may come apart. Known miscompiles are
 * first: what hangs or crashes a compiler takes seconds, while the others go on. */
static bool step(void *context, struct session_client *client)
{
    struct programs *programs = context;
    if (programs_check_early(programs, client))
        return true;
    struct programs_range range;
    struct program_answer *answer = malloc(sizeof *answer);
    pthread_mutex_lock(&programs->lock);
    programs->is_short_of_memory |= answer == NULL;
    const int device = client->device;
    const bool taken = !is_ended(programs) && (take_split(programs, device, &range) ||
                                               take_planned(programs, device, &range));
    programs->under_way += taken;
    const bool waits = !taken && programs->under_way > 0 && !is_ended(programs);
    if (waits)
        pthread_cond_wait(&programs->changed, &programs->lock);
    pthread_mutex_unlock(&programs->lock);
    const bool asked = taken && ask(programs, client, &range, answer);
    pthread_mutex_lock(&programs->lock);
    if (asked)
        take_answer(programs, &range, answer);
    programs->is_short_of_memory |= taken && !asked;
    programs->under_way -= taken;
    if (taken)
        pthread_cond_broadcast(&programs->changed);
    pthread_mutex_unlock(&programs->lock);
    free(answer);
    return taken || waits;
}

/* A module that crashed while none of its programs does alone. */
static void explain_broken(struct programs *programs, const struct programs_range *range)
{
    struct programs_row *row = &programs->rows[range->row];
    struct finding finding;
    if (row->counts[VERDICT_ERROR] > 0) /* its parts may not have been tried */
        return;
    for (size_t index = 0; index < programs->finding_count; index++) {
        const struct program_finding *it = &programs->findings[index];
        if (it->row == range->row && it->number >= range->first &&
            it->number - range->first < (uint64_t)range->count &&
            verdict_is_failure(it->finding.verdict))
            return;
    }
    finding_set(&finding, VERDICT_INCONCLUSIVE, "",
                "a module of %d programs from here on crashed or hung, and no part of it does so",
                range->count);
    if (row->counts[VERDICT_PASS] > 0)
        row->counts[VERDICT_PASS]--;
    programs_count(row, VERDICT_INCONCLUSIVE, 1, finding.note);
    keep_finding(programs, range, 0, &finding, PROGRAM_STAGE_RUN, NULL);
}

static int order(const void *left, const void *right)
{
    const struct program_finding *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->row - b->row;
}

void programs_take_all(struct programs *programs)
{
    session_clients_work(programs->clients, step, programs);
    for (size_t index = 0; index < programs->broken_count; index++)
        explain_broken(programs, &programs->broken[index]);
    if (programs->finding_count > 0)
        qsort(programs->findings, programs->finding_count, sizeof programs->findings[0], order);
}
