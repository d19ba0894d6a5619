/* Checks of known miscompiles (programs_known.h). Clauses: program_runs.known.checked,
 * program_runs.known.versions, program_runs.known.strict. */
#include "conformance/programs/programs_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/stop.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/crew.h"
#include "conformance/programs/programs_pattern.h"
#include "conformance/programs/programs_take.h"

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

/* What a check came to, of which the finding says so. */
static void judge(const struct programs *programs, struct programs_known *it,
                  const struct finding *finding)
{
    it->is_present = verdict_is_failure(finding->verdict);
    it->came_to = finding->verdict;
    it->finding = *finding;
    if (it->is_present && it->is_listed && !programs->session->options->strict)
        finding_set(&it->finding, VERDICT_PASS, "", "%s", "");
    else if (it->is_present)
        finding_set(&it->finding, finding->verdict, "program_runs.known.versions", "%s",
                    it->is_listed ? "known, and --strict" : "this version is held to be right");
}

/* Checks of one row, in one module. False where that came to nothing as a whole. */
static bool check(struct programs *programs, struct crew_hand *hand, struct programs_known *first,
                  size_t count, struct program_answer *answer)
{
    const struct programs_row *row = &programs->rows[first->row];
    char *lines = malloc(count * (KNOWN_LINE_BYTES + 1));
    size_t bytes = 0, used = 0;
    for (size_t index = 0; lines && index < count; index++) {
        known_line(first[index].known, lines + used);
        used += strlen(lines + used);
        lines[used++] = '\n';
        lines[used] = 0;
    }
    struct program_job *job =
        lines ? programs_job(programs, first->row, lines, (int)count, &bytes) : NULL;
    finding_set(&answer->finding, VERDICT_ERROR, "", "no memory to check it");
    if (job) {
        job->keeps_code = 1; /* the list is the same in each run */
        crew_ask(hand, job, bytes, answer);
    }
    const bool is_whole = answer->finding.verdict == VERDICT_PASS && answer->count == (int)count;
    for (size_t index = 0; is_whole && index < count; index++) {
        struct finding finding;
        programs_judge_result(row, &answer->results[index], &finding);
        judge(programs, &first[index], &finding);
    }
    free(job);
    free(lines);
    return is_whole;
}

/* Of one row; halves where one of them crashes the compiler, hangs it or is refused. */
static void check_range(struct programs *programs, struct crew_hand *hand,
                        struct programs_known *first, size_t count, struct program_answer *answer)
{
    if (stop_signal || check(programs, hand, first, count, answer))
        return;
    if (count == 1) {
        judge(programs, first, &answer->finding);
        return;
    }
    check_range(programs, hand, first, count / 2, answer);
    check_range(programs, hand, first + count / 2, count - count / 2, answer);
}

/* The checks of the next row of the hand's device. */
static bool step(void *context, struct crew_hand *hand)
{
    struct programs *programs = context;
    struct programs_known *first = NULL;
    size_t count = 0;
    pthread_mutex_lock(&programs->lock);
    for (size_t index = 0; index < programs->check_count; index++) {
        struct programs_known *that = &programs->checks[index];
        if (first ? that->row != first->row
                  : that->is_taken || programs->rows[that->row].device != crew_device(hand))
            continue;
        first = first ? first : that;
        that->is_taken = true;
        count++;
    }
    pthread_mutex_unlock(&programs->lock);
    struct program_answer *answer = first ? malloc(sizeof *answer) : NULL;
    if (answer)
        check_range(programs, hand, first, count, answer);
    free(answer);
    return first && !stop_signal;
}

/* Of compilers for a GPU the host's says nothing: there a row is due that names the host. */
static bool is_due(const struct programs *programs, const struct programs_row *row,
                   const struct known *known)
{
    const struct device_info *info = &programs->session->devices[row->device].info;
    return !row->only_compiles &&
           (device_kind(info)->is_gpu || strstr(known->versions, "host ") != NULL);
}

bool programs_check_known(struct programs *programs)
{
    const size_t known = (size_t)programs->known.count;
    programs->checks = calloc(known * programs->row_count + 1, sizeof *programs->checks);
    if (programs->checks == NULL)
        return false;
    for (size_t row = 0; row < programs->row_count && !programs->line; row++)
        for (size_t index = 0; index < known; index++) {
            if (!is_due(programs, &programs->rows[row], &programs->known.rows[index]))
                continue;
            struct programs_known *it = &programs->checks[programs->check_count++];
            it->known = &programs->known.rows[index];
            it->row = (int)row;
            it->is_listed = is_listed(programs, &programs->rows[row], it->known);
            finding_set(&it->finding, VERDICT_INCONCLUSIVE, "", "it did not run");
        }
    if (programs->check_count > 0 && !stop_signal)
        crew_work(programs->crew, step, programs);
    return true;
}

const struct known *programs_known_of(const struct programs *programs,
                                      const struct program_finding *it,
                                      const struct program *reduced)
{
    const struct known_list *list = &programs->known;
    char pattern[PROGRAMS_PATTERN_BYTES];
    for (int index = 0; index < list->count; index++) {
        const struct known *known = &list->rows[index];
        const bool is_it = known_is_of_one(known)
                               ? strcmp(programs_pattern(known->program, pattern), it->pattern) == 0
                               : known_trigger(known, reduced) >= 0;
        if (is_it && is_listed(programs, &programs->rows[it->row], known))
            return known;
    }
    return NULL;
}

void programs_take_known(struct programs *programs)
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    struct reason reason;
    for (size_t index = 0; test_case && program && index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        struct programs_row *row = &programs->rows[it->row];
        if (it->reduced == NULL || programs->session->options->strict ||
            !program_text_make(it->reduced, test_case, program, &reason))
            continue;
        it->known = programs_known_of(programs, it, program);
        if (it->known == NULL)
            continue;
        programs_note_operation(programs, it->row, it->number, OPERATION_KNOWN);
        row->counts[it->finding.verdict]--;
        row->known++;
        row->known_wrong += it->finding.verdict == VERDICT_FAIL;
        if (row->counts[row->explained] == 0)
            row->why[0] = 0;
    }
    free(program);
    free(test_case);
}
