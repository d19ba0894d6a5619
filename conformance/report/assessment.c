/* The verdict over records (assessment.h). Clauses: report.verdict.worst, report.verdict.cut,
 * report.verdict.lines, report.digest.compared. */
#include "conformance/report/assessment.h"
#include "conformance/record/record_fields.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record.h"

/* What the summary's own counts say. A SKIP there has been judged by the run. */
static enum verdict join_counts(const json_t *summary, enum verdict joined)
{
    static const enum verdict counted[] = {VERDICT_FAIL, VERDICT_CRASH, VERDICT_TIMEOUT,
                                           VERDICT_ERROR, VERDICT_INCONCLUSIVE};
    for (size_t index = 0; index < sizeof counted / sizeof counted[0]; index++)
        if (value_count(verdict_counts_raw(summary, counted[index])) > 0)
            joined = verdict_join(joined, counted[index]);
    return joined;
}

/* What the lines, the counts and the rows of the summary say; DECLINED where all of them are
 * silent. */
static enum verdict join_lines(const struct loaded_record *record)
{
    enum verdict joined = join_counts(record->summary, VERDICT_DECLINED);
    const json_t *row;
    size_t index;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if ((record->findings[verdict] || record->measured[verdict]) && verdict != VERDICT_SKIP)
            joined = verdict_join(joined, (enum verdict)verdict);
    json_array_foreach(loaded_rows(record), index, row)
    {
        enum verdict verdict = field_row_verdict(row);
        if (verdict != VERDICT_SKIP)
            joined = verdict_join(joined, verdict);
    }
    const struct loaded_lines *programs = &record->kinds[LOADED_PROGRAMS];
    for (index = 0; index < programs->count; index++)
        if (field_programs_verdict(programs->lines[index]) != VERDICT_SKIP)
            joined = verdict_join(joined, field_programs_verdict(programs->lines[index]));
    return verdict_of_whole(joined);
}

static uint64_t count_failures(const struct loaded_record *record)
{
    uint64_t count = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict_is_failure((enum verdict)verdict))
            count += record->findings[verdict] + record->measured[verdict];
    return count;
}

static void judge_cut(const struct loaded_record *record, struct assessment *ret)
{
    uint64_t failures = count_failures(record);
    char number[NUMBER_COUNT_BYTES];
    ret->verdict = failures ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
    if (failures)
        snprintf(ret->reason, sizeof ret->reason,
                 "%s; and the run was cut short: later cases are INCONCLUSIVE",
                 number_count(failures, "failure", number));
    else
        snprintf(ret->reason, sizeof ret->reason,
                 "the run was cut short: %s had finished; the remaining cases did not run",
                 number_count(record->cases, "case", number));
}

/* A summary that is worse than its lines is believed; one that is better is not. */
static void judge_summary(const struct loaded_record *record, struct assessment *ret)
{
    enum verdict claimed = field_summary_verdict(record->summary), lines = join_lines(record);
    const char *reason = field_summary_reason(record->summary);
    ret->verdict = verdict_join(verdict_of_whole(claimed), VERDICT_DECLINED);
    snprintf(ret->reason, sizeof ret->reason, "%.400s", reason);
    if (claimed == VERDICT_FAIL && reason[0] == 0)
        snprintf(ret->reason, sizeof ret->reason, "%llu failed, %llu crashed, %llu timed out",
                 (unsigned long long)field_counts_fail(record->summary),
                 (unsigned long long)field_counts_crash(record->summary),
                 (unsigned long long)field_counts_timeout(record->summary));
    if (claimed == VERDICT_COUNT || !verdict_was_due(claimed)) {
        claimed = VERDICT_COUNT;
        ret->verdict = VERDICT_ERROR;
        snprintf(ret->reason, sizeof ret->reason,
                 "the summary's verdict is not one that assay knows");
    }
    if (lines == VERDICT_PASS || !verdict_is_worse(lines, ret->verdict))
        return;
    ret->verdict = verdict_join(ret->verdict, lines);
    snprintf(ret->reason, sizeof ret->reason,
             "the summary says %s, and the record's own lines say %s",
             claimed < VERDICT_COUNT ? verdict_name(claimed) : "nothing", verdict_name(lines));
}

void assess_record(const struct loaded_record *record, struct assessment *ret)
{
    char why[CONTRADICTION_BYTES];
    if (record->summary == NULL) {
        judge_cut(record, ret);
        return;
    }
    judge_summary(record, ret);
    if (ret->verdict != VERDICT_PASS || !contradiction_find(record, why))
        return;
    ret->verdict = VERDICT_INCONCLUSIVE;
    snprintf(ret->reason, sizeof ret->reason,
             "the summary says PASS, but its record contradicts that: %s", why);
}

/* Takes in another verdict; the reason is that of the worst, or of the first that was looked at. */
static void join(struct assessment *ret, const struct assessment *one, const char *path)
{
    enum verdict joined = verdict_of_whole(verdict_join(ret->verdict, one->verdict));
    if (joined != ret->verdict && joined == one->verdict)
        snprintf(ret->reason, sizeof ret->reason, "%s", one->reason);
    else if (joined != ret->verdict) /* PASS and SKIP */
        snprintf(ret->reason, sizeof ret->reason,
                 "some of it passed, and some could not be checked: see %.200s", path);
    ret->verdict = joined;
}

static bool has_part(const struct loaded_record *records, size_t count, const char *part)
{
    for (size_t index = 0; index < count; index++)
        if (strcmp(field_header_part(records[index].header), part) == 0)
            return true;
    return false;
}

/* A gate that was cut short wrote no verdict: names the parts without a record. */
static void judge_cut_gate(const struct loaded_record *records, size_t count,
                           struct assessment *ret)
{
    const json_t *parts = field_header_parts(records[0].header), *part;
    size_t index, missing = 0;
    int used = snprintf(ret->reason, sizeof ret->reason, "the gate was cut short: no record of ");
    ret->verdict = VERDICT_INCONCLUSIVE;
    json_array_foreach(parts, index, part)
    {
        if (has_part(records, count, value_text(part)) || missing++ >= 8)
            continue;
        used += snprintf(ret->reason + used, sizeof ret->reason - (size_t)used, "%s%.31s",
                         missing > 1 ? ", " : "", value_text(part));
    }
    if (missing == 0)
        snprintf(ret->reason, sizeof ret->reason,
                 "the gate was cut short: it gave no verdict after its last part");
}

/* A verdict that is better than its parts is not believed (assess_records joins theirs). */
static void judge_whole_gate(const struct loaded_record *records, size_t count,
                             struct assessment *ret)
{
    const json_t *gate = records[count - 1].gate, *part;
    size_t index;
    const enum verdict claimed = field_gate_verdict(gate);
    ret->verdict = claimed == VERDICT_COUNT || !verdict_was_due(claimed) ? VERDICT_ERROR : claimed;
    snprintf(ret->reason, sizeof ret->reason, "%.400s", field_gate_reason(gate));
    json_array_foreach(field_gate_parts(gate), index, part)
    {
        const char *name = field_gate_part_part(part);
        if (field_gate_part_verdict(part) == VERDICT_SKIP || has_part(records, count, name))
            continue;
        ret->verdict = verdict_join(ret->verdict, VERDICT_INCONCLUSIVE);
        snprintf(ret->reason, sizeof ret->reason, "the file has no record of the gate's part %.31s",
                 name);
    }
}

/* Takes in the gate whose first record that is, if it is of one. */
static void join_gate(const struct loaded *loaded, size_t first, struct assessment *ret)
{
    const struct loaded_record *records = &loaded->records[first];
    struct assessment one;
    size_t count = 1;
    const bool is_first = first == 0 || records[-1].gate || records[-1].file != records->file;
    if (!is_first || !json_is_array(field_header_parts(records->header)))
        return;
    while (first + count < loaded->count && records[count - 1].gate == NULL &&
           records[count].file == records->file)
        count++;
    if (records[count - 1].gate)
        judge_whole_gate(records, count, &one);
    else
        judge_cut_gate(records, count, &one);
    join(ret, &one, records->path);
}

void assess_records(const struct loaded *loaded, struct assessment *ret)
{
    *ret = (struct assessment){.verdict = VERDICT_DECLINED};
    for (size_t index = 0; index < loaded->count; index++) {
        struct assessment one;
        join_gate(loaded, index, ret);
        assess_record(&loaded->records[index], &one);
        join(ret, &one, loaded->records[index].path);
    }
    if (loaded->beside.reason[0]) {
        struct assessment one = {.verdict = loaded->beside.verdict};
        snprintf(one.reason, sizeof one.reason, "%s", loaded->beside.reason);
        join(ret, &one, "");
    }
}

bool assess_is_of_programs(const struct loaded_record *record)
{
    return record->kinds[LOADED_PROGRAMS].count > 0 && json_array_size(loaded_rows(record)) == 0;
}

bool assess_no_gpu(const struct loaded *loaded)
{
    for (size_t record = 0; record < loaded->count; record++)
        for (size_t index = 0; index < loaded->records[record].device_count; index++)
            if (device_kind_of(loaded->records[record].devices[index])->is_gpu)
                return false;
    return true;
}
