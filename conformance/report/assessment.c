/* The verdict over records (assessment.h). Clauses: report.verdict.worst, report.verdict.cut,
 * report.verdict.lines, report.digest.compared, record.end.missing. */
#include "conformance/report/assessment.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"

/* The verdict of the lines and of the counts of the summary; DECLINED if there are none. */
static enum verdict join_lines(const struct loaded_record *record)
{
    enum verdict joined = VERDICT_DECLINED;
    uint64_t counts[VERDICT_COUNT];
    line_counts(&loaded_summary(record)->counts, counts);
    for (int each = 0; each < VERDICT_COUNT; each++) {
        const enum verdict verdict = (enum verdict)each;
        bool is_there = verdict_has_finding(verdict) && counts[verdict] > 0;
        for (int tally = 0; tally < LINE_TALLY_COUNT; tally++)
            is_there = is_there || record->verdicts[tally][each] > 0;
        if (is_there && verdict != VERDICT_SKIP) /* the run has judged that in the summary */
            joined = verdict_join(joined, verdict);
    }
    return verdict_of_whole(joined);
}

/* Holds against the verdict that a line is the last of its file and its end should follow. */
static void judge_end(bool has_end, const char *what, enum verdict *verdict, char *reason,
                      size_t bytes)
{
    const enum verdict joined = verdict_join(*verdict, VERDICT_INCONCLUSIVE);
    if (has_end)
        return;
    if (joined != *verdict)
        reason[0] = 0;
    text_join(reason, bytes, "; and ", "the record was cut short: %s is there, its end is not",
              what);
    *verdict = joined;
}

/* True for a shard that is undecided for want of the others alone. */
static bool awaits_merge(const struct loaded_record *record)
{
    const struct line_summary *summary = loaded_summary(record);
    return summary->awaits_merge && summary->verdict == VERDICT_INCONCLUSIVE &&
           loaded_shard(record).count > 0;
}

/* A summary that is worse than its lines is believed; one that is better is not. */
static void judge_summary(const struct loaded_record *record, struct assessment *ret)
{
    const struct line_counts *counts = &record->summary->counts;
    const bool is_passed = record->is_merged && awaits_merge(record);
    enum verdict claimed = is_passed ? VERDICT_PASS : record->summary->verdict;
    const enum verdict lines = join_lines(record);
    const char *reason = is_passed ? "" : record->summary->reason;
    ret->verdict = verdict_join(verdict_of_whole(claimed), VERDICT_DECLINED);
    snprintf(ret->reason, sizeof ret->reason, "%.400s", reason);
    if (claimed == VERDICT_FAIL && reason[0] == 0)
        snprintf(ret->reason, sizeof ret->reason, "%llu failed, %llu crashed, %llu timed out",
                 (unsigned long long)counts->fail, (unsigned long long)counts->crash,
                 (unsigned long long)counts->timeout);
    else if (claimed != VERDICT_PASS && reason[0] == 0) /* of an earlier version */
        snprintf(ret->reason, sizeof ret->reason, "%llu in error, %llu inconclusive, %llu skipped",
                 (unsigned long long)counts->error, (unsigned long long)counts->inconclusive,
                 (unsigned long long)counts->skip);
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
    if (record->summary == NULL) {
        uint64_t failures = 0;
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (verdict_is_failure((enum verdict)verdict))
                failures += record->verdicts[LINE_FINDING][verdict] +
                            record->verdicts[LINE_MEASURED][verdict];
        ret->verdict = verdict_is_failure(join_lines(record)) ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
        if (ret->verdict == VERDICT_FAIL)
            snprintf(ret->reason, sizeof ret->reason,
                     "%s; and the run was cut short: later cases are INCONCLUSIVE",
                     failures ? NUMBER_COUNT(failures, "failure") : "a line says FAIL");
        else
            snprintf(ret->reason, sizeof ret->reason,
                     "the run was cut short: later cases did not run");
        return;
    }
    judge_summary(record, ret);
    judge_end(record->has_end, "its summary", &ret->verdict, ret->reason, sizeof ret->reason);
}

bool assess_shard(const struct loaded_record *record, struct assessment *ret)
{
    struct loaded_record merged = *record;
    struct assessment own;
    merged.is_merged = true;
    assess_record(&merged, &own);
    if (!awaits_merge(record) || own.verdict != VERDICT_PASS)
        return false;
    *ret = own;
    return true;
}

/* Takes in another verdict; the reason is that of the worst, or of the first that was looked at. */
static void join(struct assessment *ret, const struct assessment *one, const char *path)
{
    enum verdict joined = verdict_of_whole(verdict_join(ret->verdict, one->verdict));
    if (joined != ret->verdict && joined == one->verdict)
        snprintf(ret->reason, sizeof ret->reason, "%s", one->reason);
    else if (joined != ret->verdict) /* PASS and SKIP */
        snprintf(ret->reason, sizeof ret->reason,
                 "part of it passed, and part could not be checked: see %.200s", path);
    ret->verdict = joined;
}

/* True if one of the records is of that part, and whole. */
static bool has_whole_part(const struct loaded_record *records, size_t count, const char *part)
{
    for (size_t index = 0; index < count; index++)
        if (strcmp(records[index].header->part, part) == 0 && loaded_is_whole(&records[index]))
            return true;
    return false;
}

/* The verdict of a part, as its gate says; PASS for one that awaits only the merge that is made. */
static enum verdict part_verdict(const struct loaded_record *records, size_t count,
                                 const struct line_gate_part *part)
{
    bool is_passed = false;
    for (size_t index = 0; index < count; index++)
        is_passed = is_passed || (records[index].is_merged && awaits_merge(&records[index]) &&
                                  strcmp(records[index].header->part, part->part) == 0);
    return is_passed && part->verdict == VERDICT_INCONCLUSIVE ? VERDICT_PASS : part->verdict;
}

/* Takes in the gate, or the run of several parts, that wrote these records, if one did. */
static void join_gate(const struct loaded_record *records, size_t count, struct assessment *ret)
{
    struct assessment one;
    const char *own_word = records->header->command;
    const char *word = own_word[0] ? own_word : "gate";
    char verdict_words[64];
    snprintf(verdict_words, sizeof verdict_words, "the %.31s's verdict", word);
    if (records[count - 1].gate == NULL && !loaded_is_of_gate(records))
        return;
    if (records[count - 1].gate) {
        /* A verdict that is better than its parts is not believed (assess_records joins those of
         * their records). */
        const struct line_gate *its_gate = records[count - 1].gate;
        const bool is_passed = records->is_merged && its_gate->awaits_merge &&
                               its_gate->verdict == VERDICT_INCONCLUSIVE;
        const enum verdict claimed = is_passed ? VERDICT_PASS : its_gate->verdict;
        one.verdict =
            claimed == VERDICT_COUNT || !verdict_was_due(claimed) ? VERDICT_ERROR : claimed;
        snprintf(one.reason, sizeof one.reason, "%.400s", its_gate->reason);
        for (size_t at = 0; at < its_gate->parts.count; at++) {
            const char *name = its_gate->parts.each[at].part;
            const enum verdict own = part_verdict(records, count, &its_gate->parts.each[at]);
            const enum verdict joined = verdict_join(one.verdict, own);
            if (joined != one.verdict)
                snprintf(one.reason, sizeof one.reason, "the %.31s's part %.31s is %s", word, name,
                         own < VERDICT_COUNT ? verdict_name(own) : "without a verdict");
            one.verdict = joined;
            if (own == VERDICT_SKIP || loaded_has_part(records, count, name) ||
                verdict_is_worse(one.verdict, VERDICT_INCONCLUSIVE))
                continue;
            one.verdict = VERDICT_INCONCLUSIVE;
            snprintf(one.reason, sizeof one.reason,
                     "the file has no record of the %.31s's part %.31s", word, name);
        }
        judge_end(records[count - 1].gate_has_end, verdict_words, &one.verdict, one.reason,
                  sizeof one.reason);
    } else {
        /* What was cut short wrote no verdict: names the parts without a whole record. */
        const struct texts parts = records[0].header->parts;
        size_t missing = 0;
        snprintf(one.reason, sizeof one.reason, "the %.31s was cut short: no whole record of",
                 word);
        one.verdict = VERDICT_INCONCLUSIVE;
        for (size_t index = 0; index < parts.count; index++) {
            if (has_whole_part(records, count, parts.each[index]) || missing++ >= 8)
                continue;
            text_join(one.reason, sizeof one.reason, missing > 1 ? ", " : " ", "%.31s",
                      parts.each[index]);
        }
        if (missing == 0)
            snprintf(one.reason, sizeof one.reason,
                     "the %.31s was cut short: it gave no verdict after its last part", word);
    }
    join(ret, &one, records->path);
}

/* Leaves out failures and skipped checks that the gate found in its baseline as well: its verdict
 * of the part counts. */
static void leave_out_known(const struct line_gate *gate, const struct loaded_record *record,
                            struct assessment *ret)
{
    for (size_t at = 0; gate && at < gate->parts.count; at++) {
        const struct line_gate_part *part = &gate->parts.each[at];
        if (part->in_baseline == 0 ||
            (ret->verdict != VERDICT_FAIL && ret->verdict != VERDICT_INCONCLUSIVE) ||
            strcmp(part->part, record->header->part) != 0)
            continue;
        ret->verdict = part->verdict;
        snprintf(ret->reason, sizeof ret->reason, "%.400s", part->note);
    }
}

void assess_part(const struct loaded_record *record, const struct line_gate *gate,
                 struct assessment *ret)
{
    assess_record(record, ret);
    leave_out_known(gate, record, ret);
}

void assess_records(const struct loaded *loaded, struct assessment *ret)
{
    *ret = (struct assessment){.verdict = VERDICT_DECLINED};
    for (size_t index = 0, gate_end = 0; index < loaded->count; index++) {
        struct assessment one;
        if (index == gate_end) {
            gate_end += loaded_gate_records(loaded, index);
            join_gate(&loaded->records[index], gate_end - index, ret);
        }
        assess_part(&loaded->records[index], loaded->records[gate_end - 1].gate, &one);
        join(ret, &one, loaded->records[index].path);
    }
    if (loaded->comparison.reason[0]) {
        struct assessment one = {.verdict = loaded->comparison.verdict};
        snprintf(one.reason, sizeof one.reason, "%s", loaded->comparison.reason);
        join(ret, &one, "");
    }
}

bool assess_is_of_programs(const struct loaded_record *record)
{
    return record->kinds[RECORD_programs].count > 0 && record->kinds[RECORD_bits].count == 0;
}

bool assess_no_gpu(const struct loaded *loaded)
{
    for (size_t record = 0; record < loaded->count; record++)
        for (size_t index = 0; index < loaded->records[record].device_count; index++)
            if (device_kind_of(loaded->records[record].devices[index])->is_gpu)
                return false;
    return true;
}
