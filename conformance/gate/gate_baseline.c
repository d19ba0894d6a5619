/* What a gate's baseline decides: speeds that need no more repeats, failures of generated programs
 * that it has as well, and checks that it skipped as well (gate_baseline.h). Clauses:
 * gate.parts.settled, gate.programs.before, gate.baseline.skipped. */
#include "conformance/gate/gate_baseline.h"

#include <string.h>

#include "conformance/compare/chance.h"
#include "conformance/report/assessment.h"

/* Speeds of a baseline. */

/* A kind of line that is settled: the fields that tell two of a device apart, in which the baseline
 * passed, and its repeats. */
static const struct known_sort {
    int kind;
    const char *keys[4], *verdicts[2], *intervals;
} sorts[] = {
    {RECORD_bench,
     {FIELD_KEY(subject, kernel), FIELD_KEY(subject, path), FIELD_KEY(shaped, regime),
      FIELD_KEY(shaped, case)},
     {FIELD_KEY(result, verdict)},
     FIELD_KEY(bench, gbps)},
    {RECORD_ceiling,
     {FIELD_KEY(shaped, regime), FIELD_KEY(shaped, case)},
     {FIELD_KEY(ceiling, memcpy_verdict), FIELD_KEY(ceiling, copy_verdict)},
     FIELD_KEY(ceiling, memcpy_gbps)},
    {RECORD_peak, {FIELD_KEY(peak, regime)}, {FIELD_KEY(result, verdict)}, FIELD_KEY(peak, gbps)},
    {RECORD_latency,
     {FIELD_KEY(latency, call), FIELD_KEY(latency, cpu), FIELD_KEY(latency, hypervisor)},
     {FIELD_KEY(result, verdict)},
     FIELD_KEY(latency, us)},
};

/* The record's first line of the same on the same GPU, if it passed there; or NULL. */
static const json_t *find_line(const struct loaded_record *record, const struct known_sort *sort,
                               const char *uuid, const json_t *like)
{
    const struct loaded_lines *lines = &record->kinds[sort->kind];
    for (size_t index = 0; uuid[0] && index < lines->held; index++) {
        const json_t *line = lines->lines[index];
        const json_t *device = loaded_device(record, field_subject_device(line));
        bool is_same = strcmp(field_device_uuid(device), uuid) == 0;
        for (size_t key = 0; key < 4 && sort->keys[key]; key++)
            is_same = is_same && json_equal(json_object_get(line, sort->keys[key]),
                                            json_object_get(like, sort->keys[key]));
        bool passed = true;
        for (size_t key = 0; key < 2 && sort->verdicts[key]; key++)
            passed =
                passed && value_verdict(json_object_get(line, sort->verdicts[key])) == VERDICT_PASS;
        if (is_same)
            return passed ? line : NULL;
    }
    return NULL;
}

static bool is_settled(const void *context, const struct bench *bench, const json_t *written)
{
    const struct loaded *baseline = context;
    const struct known_sort *sort = sorts;
    const json_t *own;
    if (written == NULL) /* for want of memory */
        return false;
    while ((own = json_object_get(written, record_line_form.kinds[sort->kind]->fields->name)) ==
           NULL)
        sort++;
    const bool is_time = sort->kind == RECORD_latency;
    const struct repeats next = chance_repeats(json_object_get(own, sort->intervals), is_time);
    for (size_t record = 0; record < baseline->count; record++) {
        const json_t *line = find_line(&baseline->records[record], sort, bench->info->uuid, own);
        const struct repeats base = chance_repeats(json_object_get(line, sort->intervals), is_time);
        const struct chance_subject subject = chance_subject(line);
        if (base.count > 0)
            return chance_is_settled(&base, &next,
                                     is_time ? chance_of_call() : chance_of_speed(&subject, false),
                                     bench->repeats);
    }
    return false;
}

struct bench_known gate_known(const struct loaded *baseline)
{
    return (struct bench_known){.context = baseline, .is_settled = is_settled};
}

/* Failures of generated programs. */

/* Two failures are the same if these fields and the GPU's model are equal. */
static const struct failure_sort {
    int kind;
    const char *keys[7];
} failures[] = {
    {RECORD_program,
     {FIELD_KEY(program, path), FIELD_KEY(program, program), FIELD_KEY(program, verdict),
      FIELD_KEY(program, wrong_bits), FIELD_KEY(program, recurs)}},
    {RECORD_known,
     {FIELD_KEY(known, path), FIELD_KEY(known, id), FIELD_KEY(known, program),
      FIELD_KEY(known, verdict), FIELD_KEY(known, failure), FIELD_KEY(known, wrong_bits)}},
};
enum { FAILURE_SORTS = sizeof failures / sizeof failures[0] };

/* A program that fails as a known miscompile does is no failure. */
static bool is_failure(int kind, const json_t *line)
{
    return kind == RECORD_program ? field_program_known(line)[0] == 0 &&
                                        verdict_is_failure(field_program_verdict(line))
                                  : verdict_is_failure(field_known_verdict(line));
}

static const char *model_of(const struct loaded_record *record, const json_t *line)
{
    return field_device_name(loaded_device(record, field_subject_device(line)));
}

static bool is_same_failure(const struct failure_sort *sort, const json_t *left,
                            const json_t *right)
{
    bool is_same = true;
    for (size_t key = 0; is_same && sort->keys[key]; key++) {
        const json_t *a = json_object_get(left, sort->keys[key]),
                     *b = json_object_get(right, sort->keys[key]);
        is_same = a == b || json_equal(a, b); /* or neither has the field */
    }
    return is_same;
}

static bool has_failure(const struct loaded *baseline, const struct failure_sort *sort,
                        const char *model, const json_t *line)
{
    for (size_t index = 0; index < baseline->count; index++) {
        const struct loaded_record *record = &baseline->records[index];
        const struct loaded_lines *lines = &record->kinds[sort->kind];
        for (size_t at = 0; at < lines->held; at++)
            if (is_same_failure(sort, lines->lines[at], line) &&
                strcmp(model_of(record, lines->lines[at]), model) == 0)
                return true;
    }
    return false;
}

/* The record's verdict if nothing in it failed. */
static enum verdict verdict_without_failures(const struct loaded_record *record)
{
    const struct loaded_lines *rows = &record->kinds[RECORD_programs],
                              *known = &record->kinds[RECORD_known];
    enum verdict verdict = VERDICT_DECLINED;
    for (size_t row = 0; row < rows->held; row++) {
        uint64_t counts[VERDICT_COUNT] = {0};
        verdict_counts_read(rows->lines[row], counts);
        for (int it = 0; it < VERDICT_COUNT; it++)
            counts[it] = verdict_is_failure((enum verdict)it) ? 0 : counts[it];
        counts[VERDICT_PASS]++; /* a row of failures alone would have no verdict */
        verdict = verdict_join(verdict, verdict_of_counts(counts));
    }
    /* A hang that is not tried changes no verdict. */
    for (size_t line = 0; line < known->held; line++) {
        const enum verdict its = field_known_verdict(known->lines[line]);
        if (!verdict_is_failure(its) && its != VERDICT_SKIP)
            verdict = verdict_join(verdict, its);
    }
    return verdict;
}

size_t gate_failed_before(const struct loaded *baseline, const struct loaded_record *record,
                          enum verdict *ret_verdict)
{
    const struct loaded_lines *rows = &record->kinds[RECORD_programs];
    size_t found = 0;
    uint64_t programs = 0, failed = 0;
    for (int it = 0; it < FAILURE_SORTS; it++) {
        const struct failure_sort *sort = &failures[it];
        const struct loaded_lines *lines = &record->kinds[sort->kind];
        for (size_t at = 0; at < lines->held; at++) {
            const json_t *line = lines->lines[at];
            if (!is_failure(sort->kind, line))
                continue;
            if ((sort->kind == RECORD_program && !field_program_recurs(line)) ||
                !has_failure(baseline, sort, model_of(record, line), line))
                return 0;
            found++;
            programs += sort->kind == RECORD_program;
        }
    }
    /* Only the first failures have a line. One without may not be in the baseline. */
    for (size_t row = 0; row < rows->held; row++) {
        uint64_t counts[VERDICT_COUNT] = {0};
        verdict_counts_read(rows->lines[row], counts);
        failed += verdict_failures(counts);
    }
    if (record->summary == NULL || failed != programs)
        return 0;
    if (found > 0)
        *ret_verdict = verdict_without_failures(record);
    return found;
}

/* Skipped checks. */

/* True for a record that is undecided since it skipped checks, and for nothing else. */
static bool is_undecided_by_skips(const struct loaded_record *record)
{
    struct assessment assessment;
    uint64_t counts[VERDICT_COUNT] = {0};
    if (record->summary == NULL)
        return false;
    assess_record(record, &assessment);
    verdict_counts_read(record->summary, counts);
    return assessment.verdict == VERDICT_INCONCLUSIVE && counts[VERDICT_PASS] > 0 &&
           counts[VERDICT_INCONCLUSIVE] == 0 &&
           strcmp(assessment.reason, field_summary_reason(record->summary)) == 0;
}

size_t gate_skipped_before(const struct loaded *baseline, const struct loaded_record *record)
{
    const char *part = field_header_part(record->header);
    for (size_t index = 0; is_undecided_by_skips(record) && index < baseline->count; index++) {
        const struct loaded_record *base = &baseline->records[index];
        const uint64_t skipped = field_counts_skip(record->summary);
        if (strcmp(field_header_part(base->header), part) == 0 && is_undecided_by_skips(base) &&
            field_counts_skip(base->summary) == skipped &&
            strcmp(field_summary_reason(base->summary), field_summary_reason(record->summary)) == 0)
            return (size_t)skipped;
    }
    return 0;
}
