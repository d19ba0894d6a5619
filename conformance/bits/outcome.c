/* The outcome of a run: one verdict, and why (run.h, spec/verdicts.md). */
#include "conformance/bits/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/work/compare.h"

/* Why some device was lost, or why a worker of one died without a failure; "" if none. */
static const char *some_device(const struct run *run, bool lost)
{
    const char *why = "";
    for (int device = 0; device < run->session->device_count && why[0] == 0; device++)
        why = lost ? run->devices[device].lost : run->devices[device].unexplained;
    return why;
}

bool run_leaves_out(const struct run *run, struct subject subject, const struct tally *row)
{
    return tally_checks(row) == 0 && row->counts[VERDICT_DECLINED] > 0 &&
           catalog_lacks_hardware(catalog_kernel(subject.kernel),
                                  &run->session->devices[subject.device].info.limits);
}

const char *run_reason(const struct run *run, struct subject subject, const struct tally *row)
{
    const char *lacking = catalog_lacking(catalog_kernel(subject.kernel),
                                          &run->session->devices[subject.device].info.limits);
    const bool has_declined = row->counts[VERDICT_DECLINED] > 0;
    const bool is_idle = tally_checks(row) == 0 && !has_declined && !row->counts[VERDICT_EMPTY];
    if (is_idle && run->devices[subject.device].lost[0])
        return "the device was lost";
    if (is_idle && run->session->out_of_time)
        return "--time ended the run before its first case";
    if (is_idle && shard_is_part(&run->session->plan.shard))
        return "none of its cases is in this shard";
    return tally_checks(row) == 0 && has_declined && lacking[0] ? lacking : tally_reason(row);
}

void run_outcome(const struct run *run, struct outcome *ret)
{
    uint64_t rows[VERDICT_COUNT] = {0};
    int unchecked = -1, broken = -1; /* the first of each */
    const char *lost = some_device(run, true), *unexplained = some_device(run, false);
    const struct session *session = run->session;
    /* Tier deep has no end that anybody waits for: if --time ends it, it is enough that every
     * device had as many cases as tier standard. Any other run has finished its plan, or is cut
     * short. */
    const uint64_t enough = session->out_of_time && session->options->tier == TIER_DEEP
                                ? plan_standard_cases(&session->plan) + session->plan.corpus_count
                                : plan_cases(&session->plan);
    const bool is_part = shard_is_part(&session->plan.shard);
    bool is_cut_short = false, is_idle = is_part;
    /* The rows that were asked for, each in one verdict. */
    for (int index = 0; index < subject_count(session->device_count); index++) {
        const struct tally *row = &run->tally.rows[index];
        const bool declined = tally_checks(row) == 0 && row->counts[VERDICT_DECLINED] > 0;
        const enum verdict verdict = tally_verdict(row);
        if (!session_has(session, subject_at(index)) || (declined && run->passes_declined) ||
            (tally_checks(row) == 0 && is_part))
            continue; /* what no case of a shard checks, others may */
        is_idle = false;
        if ((verdict == VERDICT_SKIP || verdict == VERDICT_INCONCLUSIVE) && unchecked < 0)
            unchecked = index;
        if (verdict == VERDICT_ERROR && broken < 0)
            broken = index;
        rows[verdict] += !run_leaves_out(run, subject_at(index), row);
    }
    tally_total(&run->tally, ret->counts);
    ret->untried = run->findings_untried;
    ret->cases_done = 0;
    for (int device = 0; device < session->device_count; device++) {
        ret->cases_done += run->devices[device].cases_done;
        is_cut_short |= run->devices[device].cases_done < enough;
    }
    ret->verdict = is_idle ? VERDICT_PASS : verdict_of_counts(rows);
    if (lost[0])
        ret->verdict = verdict_join(ret->verdict, VERDICT_ERROR);
    if (is_cut_short || unexplained[0])
        ret->verdict = verdict_join(ret->verdict, VERDICT_INCONCLUSIVE);
    /* Why the verdict is not PASS although nothing failed; "" otherwise. */
    char *text = ret->reason, done_text[NUMBER_COUNT_BYTES], cases[NUMBER_COUNT_BYTES];
    const size_t bytes = sizeof ret->reason;
    if (lost[0])
        snprintf(text, bytes, "a device was lost: %.230s", lost);
    else if (unexplained[0])
        snprintf(text, bytes, "a worker died, and none of its checks fails when run alone");
    else if (broken >= 0)
        snprintf(text, bytes, "the harness failed: %.200s",
                 run_reason(run, subject_at(broken), &run->tally.rows[broken]));
    else if (session->out_of_time || is_cut_short)
        snprintf(text, bytes, "%s after %s of its plan of %s",
                 session->out_of_time ? "--time ended it" : "it ended",
                 number_whole(ret->cases_done, done_text),
                 number_count(plan_cases(&session->plan) * (uint64_t)session->device_count, "case",
                              cases));
    else if (unchecked >= 0 && ret->verdict != VERDICT_PASS)
        snprintf(text, bytes, "not everything was checked: %.120s",
                 run_reason(run, subject_at(unchecked), &run->tally.rows[unchecked]));
    else if (ret->verdict == VERDICT_SKIP)
        snprintf(text, bytes, "no kernel takes the case");
}

const char *run_layer(const struct run *run, struct subject subject, char ret_text[LAYER_BYTES])
{
    struct layer_path *paths = heap_take((size_t)path_count(), sizeof *paths);
    int count = 0;
    bool some_right = false;
    ret_text[0] = 0;
    for (int path = 0; path < path_count(); path++) {
        subject.path = (uint16_t)path;
        if (!session_has(run->session, subject))
            continue;
        const enum verdict verdict = tally_verdict(tally_row(&run->tally, subject));
        paths[count++] = (struct layer_path){path, verdict};
        some_right = some_right || verdict == VERDICT_PASS;
    }
    if (some_right)
        layer_text(paths, count, ret_text);
    free(paths);
    return ret_text;
}

/* Counting verdicts (run.h). */

void tally_open(struct tally_table *ret, int device_count)
{
    *ret = (struct tally_table){
        .device_count = device_count,
        .rows = heap_take((size_t)subject_count(device_count), sizeof *ret->rows)};
}

void tally_close(struct tally_table *table)
{
    for (int row = 0; table->rows && row < subject_count(table->device_count); row++)
        free(table->rows[row].ranges);
    free(table->rows);
    table->rows = NULL;
}

struct tally *tally_row(const struct tally_table *table, struct subject subject)
{
    return &table->rows[subject_index(subject)];
}

/* Of a sum of digests the low bits are the sum of theirs. */
static void add_to_range(struct tally *row, size_t range, uint64_t low)
{
    while (row->range_count <= range) {
        HEAP_ROOM(row->ranges, row->range_count);
        row->ranges[row->range_count++] = 0;
    }
    row->ranges[range] = (uint16_t)(row->ranges[range] + low);
}

void tally_add(struct tally *row, uint64_t index, const struct check_result *result)
{
    row->counts[result->verdict]++;
    if (result->verdict == VERDICT_PASS) {
        digest_add(row->digest, result->digest);
        add_to_range(row, (size_t)(index / RANGE_CASES), result->digest[0]);
    }
    if (verdict_has_finding(result->verdict) && !verdict_is_failure(result->verdict))
        tally_explain(row, result->verdict, result->finding.note);
}

char *tally_ranges(const struct tally *row)
{
    char *text = heap_take(row->range_count * RANGE_DIGITS + 1, 1);
    for (size_t range = 0; range < row->range_count; range++)
        snprintf(text + range * RANGE_DIGITS, RANGE_DIGITS + 1, "%04x", row->ranges[range]);
    return text;
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
