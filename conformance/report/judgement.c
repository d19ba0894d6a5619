/* The verdict over records (judgement.h). Clauses: report.verdict.worst, report.verdict.cut,
 * report.verdict.lines, report.digest.compared. */
#include "conformance/report/judgement.h"

#include <stdio.h>
#include <string.h>

#include "conformance/report/agreement.h"
#include "conformance/number.h"

/* How bad a verdict is for who must decide; what is no word for one is an error. */
static int badness(enum verdict verdict)
{
    static const int rows[VERDICT_COUNT + 1] = {
        [VERDICT_PASS] = 0,         [VERDICT_DECLINED] = 0, [VERDICT_SKIP] = 1,
        [VERDICT_INCONCLUSIVE] = 2, [VERDICT_ERROR] = 3,    [VERDICT_COUNT] = 3,
        [VERDICT_FAIL] = 4,         [VERDICT_CRASH] = 4,    [VERDICT_TIMEOUT] = 4,
    };
    return rows[verdict];
}

static enum verdict verdict_of_badness(int level)
{
    static const enum verdict rows[] = {VERDICT_PASS, VERDICT_SKIP, VERDICT_INCONCLUSIVE,
                                        VERDICT_ERROR, VERDICT_FAIL};
    return rows[level];
}

/* The worst that the summary's own counts tell of. */
static int worst_count(const json_t *summary)
{
    static const struct {
        const char *key;
        enum verdict verdict;
    } counts[] = {{"fail", VERDICT_FAIL},
                  {"crash", VERDICT_CRASH},
                  {"timeout", VERDICT_TIMEOUT},
                  {"error", VERDICT_ERROR},
                  {"inconclusive", VERDICT_INCONCLUSIVE}};
    int worst = 0;
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        if (field_count(summary, counts[index].key) > 0 && badness(counts[index].verdict) > worst)
            worst = badness(counts[index].verdict);
    return worst;
}

/* The worst that a line, a count or a row of the summary says. A SKIP there has been counted by the
 * run. */
static enum verdict worst_line(const struct dossier_record *record)
{
    int worst = worst_count(record->summary);
    const json_t *row;
    size_t index;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if ((record->findings[verdict] || record->measured[verdict]) &&
            badness((enum verdict)verdict) > worst && verdict != VERDICT_SKIP)
            worst = badness((enum verdict)verdict);
    json_array_foreach(dossier_rows(record), index, row)
    {
        enum verdict verdict = field_verdict(row, "verdict");
        if (verdict != VERDICT_SKIP && badness(verdict) > worst)
            worst = badness(verdict);
    }
    return verdict_of_badness(worst);
}

static uint64_t count_failures(const struct dossier_record *record)
{
    uint64_t count = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict_is_failure((enum verdict)verdict))
            count += record->findings[verdict] + record->measured[verdict];
    return count;
}

static void judge_cut(const struct dossier_record *record, struct judgement *ret)
{
    uint64_t failures = count_failures(record);
    char number[NUMBER_COUNT_BYTES];
    ret->verdict = failures ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
    if (failures)
        snprintf(ret->reason, sizeof ret->reason,
                 "%s; and the run was cut short, so what is behind them is INCONCLUSIVE",
                 number_count(failures, "failure", number));
    else
        snprintf(ret->reason, sizeof ret->reason,
                 "the run was cut short: %s had finished, and nothing is said of the rest",
                 number_count(record->cases, "case", number));
}

/* A PASS that checked nothing is none. */
static bool is_hollow(const struct dossier_record *record)
{
    const json_t *row;
    size_t index;
    uint64_t passed = field_count(record->summary, "passed");
    json_array_foreach(dossier_rows(record), index, row)
    {
        passed += field_count(row, "passed");
    }
    return passed == 0 || field_count(record->summary, "exit_status") != 0;
}

void judge_record(const struct dossier_record *record, struct judgement *ret)
{
    if (record->summary == NULL) {
        judge_cut(record, ret);
        return;
    }
    enum verdict told = field_verdict(record->summary, "verdict"), lines = worst_line(record);
    ret->verdict = verdict_of_badness(badness(told));
    snprintf(ret->reason, sizeof ret->reason, "%.400s", field_text(record->summary, "reason"));
    if (told == VERDICT_FAIL && ret->reason[0] == 0)
        snprintf(ret->reason, sizeof ret->reason, "%llu failed, %llu crashed, %llu timed out",
                 (unsigned long long)field_count(record->summary, "fail"),
                 (unsigned long long)field_count(record->summary, "crash"),
                 (unsigned long long)field_count(record->summary, "timeout"));
    if (told == VERDICT_COUNT)
        snprintf(ret->reason, sizeof ret->reason, "the summary's verdict is no word for one");
    if (badness(lines) > badness(told)) {
        ret->verdict = lines;
        snprintf(ret->reason, sizeof ret->reason,
                 "the summary says %s, and the record's own lines say %s",
                 told < VERDICT_COUNT ? verdict_name(told) : "nothing", verdict_name(lines));
    } else if (told == VERDICT_PASS && is_hollow(record)) {
        ret->verdict = VERDICT_INCONCLUSIVE;
        snprintf(ret->reason, sizeof ret->reason,
                 "the summary says PASS, and nothing passed or its exit status is not 0");
    }
}

void judge_dossier(const struct dossier *dossier, struct judgement *ret)
{
    *ret = (struct judgement){.verdict = VERDICT_PASS};
    for (size_t index = 0; index < dossier->count; index++) {
        struct judgement one;
        judge_record(&dossier->records[index], &one);
        if (index == 0 || badness(one.verdict) > badness(ret->verdict))
            *ret = one;
        struct agreement agreement = agreement_of(dossier, index);
        if (agreement.differ > 0 && badness(VERDICT_FAIL) > badness(ret->verdict)) {
            ret->verdict = VERDICT_FAIL;
            snprintf(
                ret->reason, sizeof ret->reason,
                "%.64s through %.16s has other bits in %.120s than in %.120s, of the same cases",
                agreement.kernel, agreement.path, dossier->records[index].path,
                agreement.first->path);
        }
    }
}

bool judge_no_gpu(const struct dossier *dossier)
{
    for (size_t record = 0; record < dossier->count; record++)
        for (size_t index = 0; index < dossier->records[record].device_count; index++)
            if (strcmp(dossier->records[record].devices[index], "host") != 0)
                return false;
    return true;
}
