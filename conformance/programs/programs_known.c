/* Checks of known miscompiles (programs_known.h). Clauses: program_runs.known.checked,
 * program_runs.known.versions, program_runs.known.strict, program_runs.known.hangs,
 * program_runs.known.evidence, program_runs.known.held, program_runs.known.own. */
#include "conformance/programs/programs_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/stop.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs_ask.h"
#include "conformance/programs/programs_pattern.h"

/* A program of a known row takes a tenth of a second. What hangs is compiled alone, and given so
 * much of a core, whatever else runs there. */
enum { HANG_CPU_S = 3 };

/* Programs of one module: where one of them crashes the compiler, the others are compiled again. */
enum { MODULE_MOST = 8 };

/* "ptxas" and "12.6.20" of a row; of the driver's compiler "driver" and its release. */
static bool is_listed(const struct programs *programs, const struct programs_row *row,
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
                is_listed(programs, &programs->rows[row], &list->rows[index]);
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
static void judge(const struct programs *programs, struct programs_known *it,
                  const struct finding *finding, int stage, const struct program_result *result)
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
static void ask(struct programs *programs, struct session_client *client, int row,
                const char *lines, size_t count, bool hangs, struct program_answer *answer)
{
    const struct programs_asked asked = {.row = row,
                                         .lines = lines,
                                         .count = (int)count,
                                         .keeps_code = true,
                                         .cpu_limit_s = hangs ? HANG_CPU_S : 0};
    programs_ask(programs, client, &asked, answer);
}

/* What one program comes to: answer->finding. True where it gives words, right or wrong. */
static bool gives_words(struct programs *programs, struct session_client *client, int row,
                        const char *line, bool hangs, struct program_answer *answer)
{
    ask(programs, client, row, line, 1, hangs, answer);
    if (answer->finding.verdict == VERDICT_PASS)
        programs_judge_result(&programs->rows[row], &answer->results[0], &answer->finding);
    return answer->finding.verdict == VERDICT_PASS || answer->finding.verdict == VERDICT_FAIL;
}

/* True where a program of no known miscompile gives its words. */
static bool is_at_work(struct programs *programs, struct session_client *client, int row,
                       struct program_answer *answer)
{
    char line[80];
    snprintf(line, sizeof line, "program version=%d seed=1 statements=1 threads=1",
             PROGRAM_VERSION);
    return gives_words(programs, client, row, line, false, answer);
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
static void confirm(struct programs *programs, struct session_client *client,
                    struct programs_known *it, struct program_answer *answer)
{
    const enum verdict first = answer->finding.verdict;
    struct finding finding = answer->finding;
    struct program_result result = {.wrong = 0};
    int stage = answer->stage;
    char line[KNOWN_LINE_BYTES];
    if (verdict_is_failure(first) && !is_broken(programs, it->row, &finding)) {
        bool has_words = false;
        if (!it->is_listed || !known_is_alone(it->known)) {
            asker_close(&client->asker.asker);
            has_words = gives_words(programs, client, it->row, known_line(it->known, line),
                                    known_hangs(it->known), answer);
            programs_judge_again(first, &answer->finding, &finding);
            stage = answer->stage;
            result = answer->results[0];
        }
        if (!has_words && verdict_is_failure(finding.verdict) &&
            !is_at_work(programs, client, it->row, answer)) {
            break_row(programs, it->row, finding.verdict, &answer->finding);
            is_broken(programs, it->row, &finding);
        }
    }
    if (!stop_is_signalled()) /* else it may be the end of this run */
        judge(programs, it, &finding, stage, &result);
}

/* Checks of one row, in one module. False where that came to nothing as a whole. */
static bool check(struct programs *programs, struct session_client *client,
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
        ask(programs, client, first->row, lines, count, known_hangs(first->known), answer);
    const bool is_whole = answer->finding.verdict == VERDICT_PASS;
    for (size_t index = 0; is_whole && index < count; index++) {
        struct finding finding;
        programs_judge_result(row, &answer->results[index], &finding);
        judge(programs, &first[index], &finding, answer->stage, &answer->results[index]);
    }
    free(lines);
    return is_whole;
}

/* Of one row; halves where one of them crashes the compiler, hangs it or is refused. */
static void check_range(struct programs *programs, struct session_client *client,
                        struct programs_known *first, size_t count, struct program_answer *answer)
{
    if (stop_signal || check(programs, client, first, count, answer))
        return;
    if (count == 1) {
        confirm(programs, client, first, answer);
        return;
    }
    check_range(programs, client, first, count / 2, answer);
    check_range(programs, client, first + count / 2, count - count / 2, answer);
}

/* The next checks of the client's device, for one job: some of one row that follow each other, or
 * one that is alone. NULL: none is left. */
static struct programs_known *take(struct programs *programs, struct session_client *client,
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

static bool check_next(struct programs *programs, struct session_client *client, bool alone)
{
    size_t count = 0;
    struct programs_known *first = stop_signal ? NULL : take(programs, client, alone, &count);
    struct program_answer *answer = first ? malloc(sizeof *answer) : NULL;
    if (answer)
        check_range(programs, client, first, count, answer);
    free(answer);
    return first && !stop_signal;
}

bool programs_check_early(struct programs *programs, struct session_client *client)
{
    return check_next(programs, client, true) ||
           (programs->session->options->time_s <= 0 && check_next(programs, client, false));
}

static bool step(void *context, struct session_client *client)
{
    return check_next(context, client, true) || check_next(context, client, false);
}

/* Of compilers for a GPU the host's says nothing: there a row is due that names the host. */
static bool is_due(const struct programs *programs, const struct programs_row *row,
                   const struct known *known)
{
    const struct device_info *info = &programs->session->devices[row->device].info;
    return !row->only_compiles &&
           (device_kind(info)->is_gpu || strstr(known->versions, "host ") != NULL);
}

/* The driver's compiler would hang a worker with its context: only for one who asks. */
static bool is_untried(const struct programs *programs, const struct programs_row *row,
                       const struct known *known)
{
    const struct device_info *info = &programs->session->devices[row->device].info;
    return known_hangs(known) && device_kind(info)->is_gpu && path_row(row->path)->tool == NULL &&
           !programs->session->options->triggers;
}

static void plan_row(struct programs *programs, size_t row)
{
    for (int index = 0; index < programs->known.count; index++) {
        const struct known *known = &programs->known.rows[index];
        if (!is_due(programs, &programs->rows[row], known))
            continue;
        struct programs_known *it = &programs->checks[programs->check_count++];
        it->known = known;
        it->row = (int)row;
        it->is_listed = is_listed(programs, &programs->rows[row], it->known);
        it->is_taken = is_untried(programs, &programs->rows[row], known);
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
        session_clients_work(programs->clients, step, programs);
}

/* A row without a trigger is of its program alone: as it was generated it has that one's seed. */
static bool is_of_one(const struct known *known, const struct program_finding *it,
                      const struct program_case *test_case)
{
    char pattern[PROGRAMS_PATTERN_BYTES], line[KNOWN_LINE_BYTES];
    return known_is_seed_of(known, test_case) &&
           strcmp(programs_pattern(known_line(known, line), pattern), it->pattern) == 0;
}

/* What hangs is not reduced. */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it)
{
    struct program_case *test_case = malloc(sizeof *test_case),
                        *of_reduced = malloc(sizeof *of_reduced);
    struct program *whole = malloc(sizeof *whole), *reduced = malloc(sizeof *reduced);
    const int kind = known_kind_of(&it->finding, it->stage);
    const struct known *found = NULL;
    struct reason reason;
    const bool good =
        test_case && of_reduced && whole && reduced && it->line &&
        program_text_make(it->line, test_case, whole, &reason) &&
        program_text_make(it->reduced ? it->reduced : it->line, of_reduced, reduced, &reason);
    for (int index = 0; good && !found && index < programs->known.count; index++) {
        const struct known *known = &programs->known.rows[index];
        const bool is_it = known_is_of_one(known) ? is_of_one(known, it, test_case)
                                                  : known_trigger(known, whole) >= 0 &&
                                                        known_trigger(known, reduced) >= 0;
        if (is_it && known_kinds(known) & kind &&
            is_listed(programs, &programs->rows[it->row], known))
            found = known;
    }
    free(reduced);
    free(whole);
    free(of_reduced);
    free(test_case);
    return found;
}

/* Through the same path the row's own program came out as the row says. */
static bool is_as_listed(const struct programs *programs, int row, const struct known *known)
{
    for (size_t index = 0; index < programs->check_count; index++) {
        const struct programs_known *it = &programs->checks[index];
        if (it->known == known && it->row == row)
            return it->is_present && it->finding.verdict == VERDICT_PASS;
    }
    return false;
}

/* Nobody can list the words of a program that --triggers made: there the row's own program speaks
 * for it. What follows from its words alone is the same in each run, and is listed. */
static bool is_known(const struct programs *programs, const struct program_finding *it)
{
    const bool is_wrong = it->finding.verdict == VERDICT_FAIL;
    if (it->like == NULL || (is_wrong && known_gives(it->like, &it->result)))
        return it->like != NULL;
    const bool is_drawn = strncmp(it->line, "program ", strlen("program ")) == 0;
    return (is_drawn || !is_wrong) && (it->reduced || it->finding.verdict == VERDICT_TIMEOUT) &&
           is_as_listed(programs, it->row, it->like);
}

void programs_take_known(struct programs *programs)
{
    for (size_t index = 0; index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        struct programs_row *row = &programs->rows[it->row];
        it->like = programs_known_like(programs, it);
        if (programs->session->options->strict || !is_known(programs, it))
            continue;
        it->known = it->like;
        programs_note_operation(programs, it->row, it->number, OPERATION_KNOWN);
        row->counts[it->finding.verdict]--;
        row->known++;
        row->known_wrong += it->finding.verdict == VERDICT_FAIL;
        if (row->counts[row->explained] == 0)
            row->why[0] = 0;
    }
}
