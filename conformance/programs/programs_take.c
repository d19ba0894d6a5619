/* Checks of known miscompiles, and ranges of programs, to workers (programs_take.h). Clauses:
 * program_runs.known.checked, program_runs.known.versions, program_runs.known.strict,
 * program_runs.known.hangs, program_runs.known.evidence, program_runs.known.held,
 * program_runs.module.apart, program_runs.outputs.whole, program_runs.count.whole. */
#include "conformance/programs/programs_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs_ask.h"

/* A program of a known row takes a tenth of a second. What hangs is compiled alone, and given so
 * much of a core, whatever else runs there. */
enum { HANG_CPU_S = 3 };

/* Programs of one module: where one of them crashes the compiler, the others are compiled again. */
enum { MODULE_MOST = 8 };

/* "ptxas" and "12.6.20" of a row; of the driver's compiler "driver" and its release. */
bool programs_lists(const struct programs *programs, const struct programs_row *row,
                    const struct known *known)
{
    const struct path *path = path_row(row->path);
    const struct device_info *info = &programs->session->devices[row->device].info;
    const size_t letters = strcspn(path->name, "-");
    char version[KNOWN_VERSION_BYTES] = "";
    if (path->tool && path->name[letters])
        snprintf(version, sizeof version, "%.*s",
                 (int)strspn(path->name + letters + 1, "0123456789."), path->name + letters + 1);
    const bool is_compiled = path->tool && known_has(known, path->source->compiler->name, version);
    const bool is_assembled = !path->source->is_cubin && device_kind(info)->is_gpu &&
                              known_has(known, "driver", info->driver_release);
    return is_compiled || is_assembled ||
           (!device_kind(info)->is_gpu && known_has(known, "host", "0"));
}

void programs_choose_known(struct programs *programs)
{
    struct known_list *list = &programs->known;
    memset(list->is_avoided, 0, sizeof list->is_avoided);
    for (size_t row = 0; row < programs->row_count; row++)
        for (int index = 0; index < list->count; index++)
            list->is_avoided[index] |=
                programs_lists(programs, &programs->rows[row], &list->rows[index]);
}

/* Why what it came to is more than its row excuses; NULL: it is as listed. */
static const char *why_not_listed(const struct programs_known *it, int kind)
{
    if (!it->is_listed)
        return "this version is held to be right";
    if (!(known_kinds(it->known) & kind))
        return "its row lists another kind of failure";
    if (kind != KNOWN_WRONG || known_gives(it->known, &it->result))
        return NULL;
    return it->known->words[0] ? "its row lists other wrong words" : "its row lists no wrong words";
}

/* What a check came to, of which the finding says so. Without wrong words a row holds nothing to
 * what it says, and excuses nothing. */
static void judge_known(const struct programs *programs, struct programs_known *it,
                        const struct finding *finding, int stage,
                        const struct program_result *result)
{
    it->is_present = verdict_is_failure(finding->verdict);
    it->came_to = finding->verdict;
    it->finding = *finding;
    if (!it->is_present)
        return;
    const int kind = known_kind_of(finding, stage);
    if (kind == KNOWN_WRONG)
        it->result = *result;
    const char *why = why_not_listed(it, kind);
    const bool is_open = it->is_listed && kind == KNOWN_WRONG && it->known->words[0] == 0 &&
                         known_kinds(it->known) & kind;
    if (why == NULL && programs->session->options->strict)
        why = "known, and --strict";
    if (why == NULL)
        finding_set(&it->finding, VERDICT_PASS, "", "%s", "");
    else
        finding_set(&it->finding, is_open ? VERDICT_INCONCLUSIVE : finding->verdict,
                    it->is_listed ? "program_runs.known.held" : "program_runs.known.versions", "%s",
                    why);
}

/* The list is the same in each run: what is made of it is kept. */
static void ask_known(struct programs *programs, struct client *client, int row, const char *lines,
                      size_t count, bool hangs, struct program_answer *answer)
{
    const struct programs_asked asked = {.row = row,
                                         .lines = lines,
                                         .count = (int)count,
                                         .keeps_code = true,
                                         .cpu_limit_s = hangs ? HANG_CPU_S : 0};
    programs_ask(programs, client, &asked, answer);
}

/* What one program comes to: answer->finding. True where it gives words, right or wrong. */
static bool gives_words(struct programs *programs, struct client *client, int row, const char *line,
                        bool hangs, struct program_answer *answer)
{
    ask_known(programs, client, row, line, 1, hangs, answer);
    if (answer->finding.verdict == VERDICT_PASS)
        programs_judge_result(&programs->rows[row], &answer->results[0], &answer->finding);
    return answer->finding.verdict == VERDICT_PASS || answer->finding.verdict == VERDICT_FAIL;
}

/* What is broken as a whole is found so once. */
static void break_row(struct programs *programs, int row, enum verdict came,
                      const struct finding *other)
{
    struct finding finding = *other;
    if (finding.verdict != VERDICT_ERROR)
        finding_set(&finding, VERDICT_INCONCLUSIVE, "",
                    "it ended in %s, and another program on the same path in %s",
                    verdict_name(came), verdict_name(other->verdict));
    pthread_mutex_lock(&programs->lock);
    programs->rows[row].broken = finding;
    programs->rows[row].is_broken = true;
    pthread_mutex_unlock(&programs->lock);
}

static bool is_broken(struct programs *programs, int row, struct finding *ret)
{
    pthread_mutex_lock(&programs->lock);
    const bool is = programs->rows[row].is_broken;
    if (is)
        *ret = programs->rows[row].broken;
    pthread_mutex_unlock(&programs->lock);
    return is;
}

/* Of one that came to no words, a crash or a hang is its compiler's where it is listed or recurs in
 * another worker, and where another program runs all the same. */
static void confirm(struct programs *programs, struct client *client, struct programs_known *it,
                    struct program_answer *answer)
{
    const enum verdict first = answer->finding.verdict;
    struct finding finding = answer->finding;
    struct program_result result = {.wrong = 0};
    int stage = answer->stage;
    char line[KNOWN_LINE_BYTES];
    if (verdict_is_failure(first) && !is_broken(programs, it->row, &finding)) {
        bool has_words = false;
        if (!it->is_listed || !known_is_alone(it->known)) {
            client_close(client);
            has_words = gives_words(programs, client, it->row, known_line(it->known, line),
                                    known_hangs(it->known), answer);
            programs_judge_again(first, &answer->finding, &finding);
            stage = answer->stage;
            result = answer->results[0];
        }
        snprintf(line, sizeof line, "program version=%d seed=1 statements=1 threads=1",
                 PROGRAM_VERSION); /* of no known miscompile */
        if (!has_words && verdict_is_failure(finding.verdict) &&
            !gives_words(programs, client, it->row, line, false, answer)) {
            break_row(programs, it->row, finding.verdict, &answer->finding);
            is_broken(programs, it->row, &finding);
        }
    }
    if (!stop_is_signalled()) /* else it may be the end of this run */
        judge_known(programs, it, &finding, stage, &result);
}

/* Checks of one row, in one module. False where that came to nothing as a whole. */
static bool check_known(struct programs *programs, struct client *client,
                        struct programs_known *first, size_t count, struct program_answer *answer)
{
    const struct programs_row *row = &programs->rows[first->row];
    char *lines = malloc(count * (KNOWN_LINE_BYTES + 1));
    size_t used = 0;
    for (size_t index = 0; lines && index < count; index++) {
        known_line(first[index].known, lines + used);
        used += strlen(lines + used);
        lines[used++] = '\n';
        lines[used] = 0;
    }
    finding_set(&answer->finding, VERDICT_ERROR, "", "no memory to check it");
    if (lines)
        ask_known(programs, client, first->row, lines, count, known_hangs(first->known), answer);
    const bool is_whole = answer->finding.verdict == VERDICT_PASS;
    for (size_t index = 0; is_whole && index < count; index++) {
        struct finding finding;
        programs_judge_result(row, &answer->results[index], &finding);
        judge_known(programs, &first[index], &finding, answer->stage, &answer->results[index]);
    }
    free(lines);
    return is_whole;
}

/* Of one row; halves where one of them crashes the compiler, hangs it or is refused. */
static void check_known_range(struct programs *programs, struct client *client,
                              struct programs_known *first, size_t count,
                              struct program_answer *answer)
{
    if (stop_signal || check_known(programs, client, first, count, answer))
        return;
    if (count == 1) {
        confirm(programs, client, first, answer);
        return;
    }
    check_known_range(programs, client, first, count / 2, answer);
    check_known_range(programs, client, first + count / 2, count - count / 2, answer);
}

/* The next checks of the client's device, for one job: some of one row that follow each other, or
 * one that is alone. NULL: none is left. */
static struct programs_known *take_checks(struct programs *programs, struct client *client,
                                          bool alone, size_t *ret_count)
{
    struct programs_known *first = NULL;
    const size_t most = alone ? 1 : MODULE_MOST;
    pthread_mutex_lock(&programs->lock);
    for (size_t index = 0; index < programs->check_count && *ret_count < most; index++) {
        struct programs_known *that = &programs->checks[index];
        const bool is_next =
            !that->is_taken && known_is_alone(that->known) == alone &&
            (first ? that->row == first->row : programs->rows[that->row].device == client->device);
        if (first && !is_next)
            break;
        if (!is_next)
            continue;
        first = first ? first : that;
        that->is_taken = true;
        ++*ret_count;
    }
    pthread_mutex_unlock(&programs->lock);
    return first;
}

static bool check_next(struct programs *programs, struct client *client, bool alone)
{
    size_t count = 0;
    struct programs_known *first =
        stop_signal ? NULL : take_checks(programs, client, alone, &count);
    struct program_answer *answer = first ? malloc(sizeof *answer) : NULL;
    if (answer)
        check_known_range(programs, client, first, count, answer);
    free(answer);
    return first && !stop_signal;
}

static bool step_late(void *context, struct client *client)
{
    return check_next(context, client, true) || check_next(context, client, false);
}

/* Of compilers for a GPU the host's says nothing: there a row is due that names the host. The
 * driver's compiler would hang a worker with its context: only for one who asks. */
static void plan_row(struct programs *programs, size_t number)
{
    const struct programs_row *row = &programs->rows[number];
    const bool is_gpu = device_kind(&programs->session->devices[row->device].info)->is_gpu;
    const bool avoids_hangs =
        is_gpu && path_row(row->path)->tool == NULL && !programs->session->options->triggers;
    for (int index = 0; index < programs->known.count && !row->only_compiles; index++) {
        const struct known *known = &programs->known.rows[index];
        if (!is_gpu && strstr(known->versions, "host ") == NULL)
            continue;
        struct programs_known *it = &programs->checks[programs->check_count++];
        it->known = known;
        it->row = (int)number;
        it->is_listed = programs_lists(programs, row, known);
        it->is_taken = avoids_hangs && known_hangs(known);
        if (it->is_taken)
            finding_set(
                &it->finding, VERDICT_SKIP, "",
                "it may hang the driver's compiler: assay run --programs 1 --triggers tries it");
        else
            finding_set(&it->finding, VERDICT_INCONCLUSIVE, "", "it did not run");
    }
}

bool programs_plan_known(struct programs *programs)
{
    const size_t known = (size_t)programs->known.count;
    programs->checks = calloc(known * programs->row_count + 1, sizeof *programs->checks);
    for (size_t row = 0; programs->checks && row < programs->row_count && !programs->line; row++)
        plan_row(programs, row);
    return programs->checks != NULL;
}

void programs_check_late(struct programs *programs)
{
    if (!stop_signal)
        clients_work(programs->clients, step_late, programs);
}

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
        row->is_over = row->counts[VERDICT_CRASH] + row->counts[VERDICT_TIMEOUT] >= CRASHES_MAX ||
                       row->counts[VERDICT_INCONCLUSIVE] >= REFUSALS_MAX;
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

static bool ask(struct programs *programs, struct client *client,
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
static bool step(void *context, struct client *client)
{
    struct programs *programs = context;
    if (check_next(programs, client, true) ||
        (programs->session->options->time_s <= 0 && check_next(programs, client, false)))
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
    clients_work(programs->clients, step, programs);
    for (size_t index = 0; index < programs->broken_count; index++)
        explain_broken(programs, &programs->broken[index]);
    if (programs->finding_count > 0)
        qsort(programs->findings, programs->finding_count, sizeof programs->findings[0], order);
}
