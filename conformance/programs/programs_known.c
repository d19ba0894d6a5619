/* Checks of known miscompiles (programs_known.h). Clauses: program_runs.known.checked,
 * program_runs.known.versions, program_runs.known.strict. */
#include "conformance/programs/programs_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/stop.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/crew.h"
#include "conformance/programs/programs_take.h"

enum { VERSION_BYTES = 48 };

/* "ptxas" and "12.6.20" of a row; of the driver's compiler "driver" and its release. */
static bool is_listed(const struct programs *programs, const struct programs_row *row,
                      const struct known *known)
{
    const struct path *path = path_row(row->path);
    const struct device_info *info = &programs->session->devices[row->device].info;
    const size_t letters = strcspn(path->name, "-");
    char version[VERSION_BYTES] = "";
    if (path->tool && path->name[letters])
        snprintf(version, sizeof version, "%.*s",
                 (int)strspn(path->name + letters + 1, "0123456789."), path->name + letters + 1);
    const bool is_compiled = path->tool && known_has(known, path->source->compiler->name, version);
    const bool is_assembled = !path->source->is_cubin && device_kind(info)->is_gpu &&
                              known_has(known, "driver", info->driver_release);
    return is_compiled || is_assembled ||
           (!device_kind(info)->is_gpu && known_has(known, "host", "0"));
}

static void check(struct programs *programs, struct crew_hand *hand, struct programs_known *it)
{
    const struct programs_row *row = &programs->rows[it->row];
    struct program_answer *answer = malloc(sizeof *answer);
    struct finding finding;
    size_t bytes = 0;
    char line[KNOWN_LINE_BYTES];
    struct program_job *job =
        programs_job(programs, it->row, known_line(it->known, line), 1, &bytes);
    if (answer == NULL || job == NULL) {
        finding_set(&it->finding, VERDICT_ERROR, "", "no memory to check it");
    } else {
        crew_ask(hand, job, bytes, answer);
        finding = answer->finding;
        if (finding.verdict == VERDICT_PASS)
            programs_judge_result(row, &answer->results[0], &finding);
        it->is_present = verdict_is_failure(finding.verdict);
        it->finding = finding;
        if (it->is_present && it->is_listed && !programs->session->options->strict)
            finding_set(&it->finding, VERDICT_PASS, "", "%s", "");
        else if (it->is_present)
            finding_set(&it->finding, finding.verdict, "program_runs.known.versions", "%s",
                        it->is_listed ? "known, and --strict" : "this version is held to be right");
    }
    free(job);
    free(answer);
}

/* The next check of the hand's device. */
static bool step(void *context, struct crew_hand *hand)
{
    struct programs *programs = context;
    struct programs_known *it = NULL;
    pthread_mutex_lock(&programs->lock);
    for (size_t index = 0; index < programs->check_count && !it; index++) {
        struct programs_known *that = &programs->checks[index];
        if (!that->is_taken && programs->rows[that->row].device == crew_device(hand))
            it = that;
    }
    if (it)
        it->is_taken = true;
    pthread_mutex_unlock(&programs->lock);
    if (it && !stop_signal)
        check(programs, hand, it);
    return it && !stop_signal;
}

bool programs_check_known(struct programs *programs)
{
    const size_t known = (size_t)programs->known.count;
    programs->checks = calloc(known * programs->row_count + 1, sizeof *programs->checks);
    if (programs->checks == NULL)
        return false;
    for (size_t row = 0; row < programs->row_count && !programs->line; row++)
        for (size_t index = 0; index < known && !programs->rows[row].only_compiles; index++) {
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
        const struct known *known = known_find(&programs->known, program);
        if (known == NULL || !is_listed(programs, row, known))
            continue;
        it->known = known;
        programs_note_operation(programs, it->row, it->number, OPERATION_KNOWN);
        row->counts[it->finding.verdict]--;
        row->known++;
    }
    free(program);
    free(test_case);
}
