/* Judges a fleet (fleet_judge.h): its records' own verdicts, what differs, missing GPUs; and sorts
 * what was found. Clauses: fleet.verdict.worst, fleet.verdict.record, fleet.gpus.missing,
 * fleet.base.lacks, fleet.cause.once. */
#include "conformance/fleet/fleet_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_exact.h"
#include "conformance/fleet/fleet_missing.h"
#include "conformance/fleet/fleet_speed.h"

/* The verdict of each record. */
static void judge_records(struct fleet *fleet)
{
    const struct fleet_table *table = fleet->table;
    for (size_t machine = 0; machine < table->machine_count; machine++) {
        const struct fleet_machine *it = &table->machines[machine];
        if (it->verdict == VERDICT_PASS || it->is_base)
            continue;
        char own[REASON_TEXT_BYTES + 32];
        snprintf(own, sizeof own, "%s%s%s", verdict_name(it->verdict), it->reason[0] ? ": " : "",
                 it->reason);
        fleet_add(fleet,
                  &(struct fleet_finding){.machine = machine,
                                          .gpu = FLEET_OF_MACHINE,
                                          .kind = it->verdict == VERDICT_FAIL
                                                      ? FLEET_record_fails
                                                      : FLEET_record_undecided,
                                          .place = "verdict",
                                          .noun = "verdict",
                                          .own = fleet_words(fleet, own),
                                          .rest = "PASS",
                                          .count = 1},
                  false);
    }
}

/* GPUs that a run chose and never opened have no model, and no siblings. */
static void judge_unopened(struct fleet *fleet)
{
    const struct fleet_table *table = fleet->table;
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++)
        if (table->gpus[gpu].model == 0 && !table->gpus[gpu].is_base)
            fleet_add(fleet,
                      &(struct fleet_finding){.machine = table->gpus[gpu].machine,
                                              .gpu = (long)gpu,
                                              .kind = FLEET_not_checked,
                                              .place = "GPU",
                                              .noun = "GPU",
                                              .own = "never opened",
                                              .rest = "opened",
                                              .count = 1},
                      false);
}

/* GPUs of a model that the base lacks are compared with nothing. */
static void judge_models(struct fleet *fleet, const struct fleet_classes *models)
{
    const struct fleet_table *table = fleet->table;
    for (size_t class = 0; class < models->count; class ++)
        for (size_t at = models->begins[class];
             models->voters[class] == 0 && at < models->begins[class + 1]; at++) {
            const uint32_t gpu = models->rows[at];
            fleet_add(fleet,
                      &(struct fleet_finding){.machine = table->gpus[gpu].machine,
                                              .gpu = (long)gpu,
                                              .kind = FLEET_base_lacks,
                                              .place = "model",
                                              .noun = "GPU",
                                              .own = fleet_text_of(table, table->gpus[gpu].model),
                                              .rest = "other models",
                                              .count = 1},
                      false);
        }
}

/* Differences that follow from another driver, toolkit or version of assay: other machine code, and
 * the files of that driver. */
static bool is_cause(const struct fleet_finding *it)
{
    static const char *const causes[] = {FIELD_KEY(device, driver), FIELD_KEY(header, toolkit),
                                         FIELD_KEY(header, assay), FIELD_KEY(header, commit)};
    bool is_one = false;
    for (size_t index = 0; index < sizeof causes / sizeof causes[0]; index++)
        is_one = is_one || strcmp(it->place, causes[index]) == 0;
    return is_one && it->kind == FLEET_environment;
}

static bool may_follow(const struct fleet_finding *it)
{
    static const char *const files[] = {
        FIELD_KEY(header, libcuda),       FIELD_KEY(header, libcuda_version),
        FIELD_KEY(header, libcuda_bytes), FIELD_KEY(header, jit),
        FIELD_KEY(header, jit_version),   FIELD_KEY(header, jit_bytes),
        FIELD_KEY(header, nvml),          FIELD_KEY(header, nvml_version),
        FIELD_KEY(header, nvml_bytes),    FIELD_KEY(device, cuda)};
    bool is_file = false;
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++)
        is_file = is_file || strcmp(it->place, files[index]) == 0;
    return it->kind == FLEET_code_differs || it->kind == FLEET_known_differs ||
           (it->kind == FLEET_environment && is_file);
}

/* `findings` are those of one machine. */
static void find_causes(struct fleet_finding *findings, size_t count)
{
    bool has_cause = false;
    for (size_t index = 0; index < count; index++)
        has_cause = has_cause || is_cause(&findings[index]);
    for (size_t index = 0; has_cause && index < count; index++)
        findings[index].follows = may_follow(&findings[index]);
}

/* By machine; causes before what follows from them, then the worst first. */
static int sort_findings(const void *left, const void *right)
{
    const struct fleet_finding *a = left, *b = right;
    if (a->machine != b->machine)
        return a->machine < b->machine ? -1 : 1;
    if (a->follows != b->follows)
        return a->follows - b->follows;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const int order = strcmp(a->place, b->place);
    return order ? order : (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

static enum fleet_verdict verdict_of(const struct fleet_finding *it)
{
    static const enum fleet_verdict verdicts[SEVERITY_COUNT] = {[SEVERITY_NOTE] = FLEET_DIFFERS,
                                                                [SEVERITY_BETTER] = FLEET_DIFFERS,
                                                                [SEVERITY_INCONCLUSIVE] =
                                                                    FLEET_INCONCLUSIVE,
                                                                [SEVERITY_WORSE] = FLEET_REGRESSED};
    return it->kind == FLEET_record_fails ? FLEET_FAIL : verdicts[it->severity];
}

static void add_row(struct fleet *fleet, const struct fleet_row *row)
{
    HEAP_ROOM(fleet->rows, fleet->row_count);
    fleet->rows[fleet->row_count++] = *row;
    fleet->verdict = row->verdict > fleet->verdict ? row->verdict : fleet->verdict;
}

/* A row for each machine that has findings. */
static void make_machine_rows(struct fleet *fleet)
{
    const struct fleet_table *table = fleet->table;
    struct fleet_finding *all = fleet->findings;
    for (size_t machine = 0, first = 0, end; machine < table->machine_count; machine++) {
        const struct fleet_machine *it = &table->machines[machine];
        struct fleet_row row = {.name = it->name, .machine = it};
        for (end = first; end < fleet->finding_count && all[end].machine == machine; end++)
            row.verdict = verdict_of(&all[end]) > row.verdict ? verdict_of(&all[end]) : row.verdict;
        row.findings = all + first;
        row.finding_count = end - first;
        first = end;
        if (it->is_base)
            continue;
        fleet->machine_count++;
        fleet->gpu_count += it->gpu_count;
        fleet->counts[row.verdict]++;
        if (row.verdict != FLEET_SAME) {
            add_row(fleet, &row);
            continue;
        }
        HEAP_ROOM(fleet->same, fleet->same_count);
        fleet->same[fleet->same_count++] = it;
    }
}

static int sort_machines(const void *left, const void *right)
{
    const struct fleet_machine *const *a = left, *const *b = right;
    const int order = strcmp((*a)->name, (*b)->name);
    return order ? order : (*a > *b) - (*a < *b);
}

/* A row for each file that was not read, or not used. */
static void make_file_rows(struct fleet *fleet)
{
    static const enum fleet_verdict verdicts[FLEET_FILE_STATES] = {
        [FLEET_FILE_READ] = FLEET_SAME,
        [FLEET_FILE_CUT] = FLEET_INCONCLUSIVE,
        [FLEET_FILE_UNREAD] = FLEET_INCONCLUSIVE,
        [FLEET_FILE_DUPLICATE] = FLEET_DIFFERS,
        [FLEET_FILE_OLDER] = FLEET_DIFFERS};
    for (size_t index = 0; index < fleet->table->file_count; index++) {
        const struct fleet_file *file = &fleet->table->files[index];
        if (!file->is_base || file->state != FLEET_FILE_READ)
            fleet->files[file->state]++;
        if (verdicts[file->state] != FLEET_SAME)
            add_row(fleet, &(struct fleet_row){
                               .verdict = verdicts[file->state], .name = file->path, .file = file});
    }
}

static int sort_verdicts(const void *left, const void *right)
{
    const struct fleet_row *a = left, *b = right;
    if (a->verdict != b->verdict)
        return a->verdict > b->verdict ? -1 : 1;
    if ((a->file == NULL) != (b->file == NULL))
        return a->file ? 1 : -1;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->machine > b->machine) - (a->machine < b->machine);
}

static int sort_models(const void *left, const void *right)
{
    const struct fleet_model *a = left, *b = right;
    return a->count != b->count ? a->count < b->count ? 1 : -1 : strcmp(a->name, b->name);
}

static void make_models(struct fleet *fleet, const struct fleet_classes *models)
{
    const struct fleet_table *table = fleet->table;
    fleet->models = heap_take(models->count, sizeof *fleet->models);
    for (size_t class = 0; class < models->count; class ++) {
        struct fleet_model *it = &fleet->models[fleet->model_count];
        *it = (struct fleet_model){
            .name = fleet_text_of(table, table->gpus[models->rows[models->begins[class]]].model)};
        for (size_t index = models->begins[class]; index < models->begins[class + 1]; index++)
            it->count += !table->gpus[models->rows[index]].is_base;
        fleet->model_count += it->count > 0;
    }
    if (fleet->model_count > 0)
        qsort(fleet->models, fleet->model_count, sizeof *fleet->models, sort_models);
}

void fleet_judge(struct fleet *ret, const struct fleet_table *table)
{
    struct fleet_classes classes[SIBLINGS_COUNT];
    *ret = (struct fleet){.table = table};
    for (int siblings = 0; siblings < SIBLINGS_COUNT; siblings++)
        fleet_classes_open(&classes[siblings], table, (enum fleet_siblings)siblings);
    judge_records(ret);
    judge_unopened(ret);
    judge_models(ret, &classes[SIBLINGS_MODEL]);
    fleet_judge_missing(ret);
    fleet_judge_exact(ret, classes);
    fleet_judge_speeds(ret, &classes[SIBLINGS_MODEL]);
    make_models(ret, &classes[SIBLINGS_MODEL]);
    for (int siblings = 0; siblings < SIBLINGS_COUNT; siblings++)
        fleet_classes_close(&classes[siblings]);
    if (ret->finding_count > 0)
        qsort(ret->findings, ret->finding_count, sizeof *ret->findings, sort_findings);
    for (size_t first = 0, end; first < ret->finding_count; first = end) {
        for (end = first; end < ret->finding_count &&
                          ret->findings[end].machine == ret->findings[first].machine;)
            end++;
        find_causes(&ret->findings[first], end - first);
    }
    if (ret->finding_count > 0)
        qsort(ret->findings, ret->finding_count, sizeof *ret->findings, sort_findings);
    make_machine_rows(ret);
    make_file_rows(ret);
    if (ret->same_count > 0)
        qsort(ret->same, ret->same_count, sizeof(*ret->same), sort_machines);
    if (ret->row_count > 0)
        qsort(ret->rows, ret->row_count, sizeof *ret->rows, sort_verdicts);
}
