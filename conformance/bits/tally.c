/* Counting verdicts (tally.h). */
#include "conformance/bits/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/work/compare.h"

bool tally_open(struct tally_table *ret, int device_count)
{
    struct tally *rows = calloc((size_t)subject_count(device_count), sizeof *rows);
    if (rows == NULL)
        return false;
    *ret = (struct tally_table){.device_count = device_count, .rows = rows};
    return true;
}

void tally_close(struct tally_table *table)
{
    free(table->rows);
    table->rows = NULL;
}

struct tally *tally_row(const struct tally_table *table, struct subject subject)
{
    return &table->rows[subject_index(subject)];
}

void tally_add(struct tally *row, const struct check_result *result)
{
    row->counts[result->verdict]++;
    if (result->verdict == VERDICT_PASS)
        digest_add(row->digest, result->digest);
    if (verdict_has_finding(result->verdict) && !verdict_is_failure(result->verdict))
        tally_explain(row, result->verdict, result->finding.note);
}

void tally_explain(struct tally *row, enum verdict verdict, const char *reason)
{
    if (row->reason[0] && !verdict_is_worse(verdict, row->explained))
        return;
    row->explained = verdict;
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

const char *tally_reason(const struct tally *row)
{
    if (row->reason[0] || tally_checks(row) > 0)
        return row->reason;
    return row->counts[VERDICT_EMPTY] ? "no case gives the kernel any work"
                                      : "the kernel takes no case of the plan";
}

void tally_launch(struct tally *row, const struct check_result *result, int sms)
{
    row->launches += result->blocks > 0;
    row->full_launches += result->blocks > 0 && result->blocks >= (uint64_t)sms;
}

void tally_add_sms(struct tally *row, const unsigned char sms[LAUNCH_SMS_MAX / 8])
{
    for (int index = 0; index < LAUNCH_SMS_MAX / 8; index++)
        row->sms[index] |= sms[index];
}

int tally_sms(const struct tally *row)
{
    int count = 0;
    for (int index = 0; index < LAUNCH_SMS_MAX / 8; index++)
        count += __builtin_popcount(row->sms[index]);
    return count;
}

void tally_pass_timeout(struct tally *row, int tries)
{
    row->counts[VERDICT_TIMEOUT]--;
    row->counts[VERDICT_INCONCLUSIVE]++;
    char reason[FINDING_NOTE_BYTES];
    snprintf(reason, sizeof reason, "it hung once, but not in %d tries when run alone", tries);
    tally_explain(row, VERDICT_INCONCLUSIVE, reason);
}

uint64_t tally_checks(const struct tally *row)
{
    uint64_t sum = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict_was_due((enum verdict)verdict))
            sum += row->counts[verdict];
    return sum;
}

enum verdict tally_verdict(const struct tally *row)
{
    return verdict_of_counts(row->counts);
}

void tally_total(const struct tally_table *table, uint64_t ret_counts[VERDICT_COUNT])
{
    int rows = subject_count(table->device_count);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        ret_counts[verdict] = 0;
        for (int row = 0; row < rows; row++)
            ret_counts[verdict] += table->rows[row].counts[verdict];
    }
}

uint64_t tally_total_checks(const struct tally_table *table)
{
    struct tally total = {.reason = ""};
    tally_total(table, total.counts);
    return tally_checks(&total);
}
