/* Counting verdicts (tally.h). */
#include "conformance/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/work/digest.h"

bool tally_open(struct tally_table *ret, int device_count)
{
    struct tally *rows =
        calloc((size_t)device_count * CATALOG_KERNELS_MAX * PATH_COUNT, sizeof *rows);
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

struct tally *tally_row(const struct tally_table *table, int device, int kernel, int path)
{
    return &table->rows[(device * CATALOG_KERNELS_MAX + kernel) * PATH_COUNT + path];
}

void tally_add(struct tally *row, const struct check_result *result)
{
    row->counts[result->verdict]++;
    if (result->verdict == VERDICT_PASS)
        digest_add(row->digest, result->digest);
    bool has_reason = result->verdict == VERDICT_SKIP || result->verdict == VERDICT_ERROR ||
                      result->verdict == VERDICT_INCONCLUSIVE;
    if (has_reason && row->reason[0] == 0)
        snprintf(row->reason, sizeof row->reason, "%s", result->finding.note);
}

void tally_pass_timeout(struct tally *row, int tries)
{
    row->counts[VERDICT_TIMEOUT]--;
    row->counts[VERDICT_INCONCLUSIVE]++;
    if (row->reason[0] == 0)
        snprintf(row->reason, sizeof row->reason,
                 "it hung, and did not again in %d tries by itself", tries);
}

uint64_t tally_checks(const struct tally *row)
{
    uint64_t sum = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict != VERDICT_DECLINED)
            sum += row->counts[verdict];
    return sum;
}

enum verdict tally_verdict(const struct tally *row)
{
    static const enum verdict order[] = {VERDICT_FAIL,  VERDICT_CRASH,        VERDICT_TIMEOUT,
                                         VERDICT_ERROR, VERDICT_INCONCLUSIVE, VERDICT_SKIP,
                                         VERDICT_PASS};
    for (size_t index = 0; index < sizeof order / sizeof order[0]; index++)
        if (row->counts[order[index]])
            return order[index];
    return VERDICT_SKIP;
}

void tally_total(const struct tally_table *table, uint64_t ret_counts[VERDICT_COUNT])
{
    int rows = table->device_count * CATALOG_KERNELS_MAX * PATH_COUNT;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        ret_counts[verdict] = 0;
        for (int row = 0; row < rows; row++)
            ret_counts[verdict] += table->rows[row].counts[verdict];
    }
}
