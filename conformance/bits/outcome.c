/* What a run comes to: one verdict, and why (outcome.h, spec/verdicts.md). */
#include "conformance/bits/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/number.h"

/* The rows that were asked for, each in one verdict. */
static void count_rows(const struct run *run, uint64_t ret_rows[VERDICT_COUNT],
                       const struct tally **ret_first_unchecked)
{
    memset(ret_rows, 0, VERDICT_COUNT * sizeof ret_rows[0]);
    *ret_first_unchecked = NULL;
    for (int index = 0; index < subject_count(run->session->device_count); index++) {
        const struct tally *row = &run->tally.rows[index];
        if (!session_has(run->session, subject_at(index)))
            continue;
        bool declined = tally_checks(row) == 0 && row->counts[VERDICT_DECLINED] > 0;
        if (declined && run->passes_declined)
            continue;
        enum verdict verdict = tally_verdict(row);
        ret_rows[verdict]++;
        bool unchecked = verdict == VERDICT_SKIP || verdict == VERDICT_INCONCLUSIVE;
        if (unchecked && *ret_first_unchecked == NULL)
            *ret_first_unchecked = row;
    }
}

static bool some_device(const struct run *run, bool lost)
{
    for (int device = 0; device < run->session->device_count; device++)
        if (lost ? run->devices[device].lost[0] : run->devices[device].unexplained[0])
            return true;
    return false;
}

/* True where --time cut off what was asked for. Tier deep has no end that anybody waits for: there
 * it is enough that every device had as many cases as tier standard. */
static bool is_cut_short(const struct run *run)
{
    if (!run->session->out_of_time || run->session->options->tier != TIER_DEEP)
        return run->session->out_of_time;
    uint64_t enough = plan_standard_cases(&run->session->plan) + run->session->plan.corpus_count;
    for (int device = 0; device < run->session->device_count; device++)
        if (run->devices[device].cases_done < enough)
            return true;
    return false;
}

static uint64_t cases_done(const struct run *run)
{
    uint64_t done = 0;
    for (int device = 0; device < run->session->device_count; device++)
        done += run->devices[device].cases_done;
    return done;
}

/* Why the verdict is not PASS although nothing failed; "" otherwise. */
static void find_reason(const struct run *run, const uint64_t rows[VERDICT_COUNT],
                        const struct tally *unchecked, struct outcome *outcome)
{
    const struct session *session = run->session;
    char *text = outcome->reason, done_text[NUMBER_COUNT_BYTES], cases[NUMBER_COUNT_BYTES];
    const size_t bytes = sizeof outcome->reason;
    if (some_device(run, true))
        snprintf(text, bytes, "a device was lost");
    else if (some_device(run, false))
        snprintf(text, bytes, "a worker died, and none of its checks fails when run alone");
    else if (rows[VERDICT_ERROR])
        snprintf(text, bytes, "the harness failed");
    else if (session->out_of_time)
        snprintf(
            text, bytes, "--time ended it after %s of its plan of %s",
            number_whole(outcome->cases_done, done_text),
            number_count(session->plan.count * (uint64_t)session->device_count, "case", cases));
    else if (unchecked)
        snprintf(text, bytes, "not everything was checked: %.120s", tally_reason(unchecked));
    else if (outcome->verdict == VERDICT_SKIP)
        snprintf(text, bytes, "no kernel takes the case");
}

void run_outcome(const struct run *run, struct outcome *ret)
{
    uint64_t rows[VERDICT_COUNT];
    const struct tally *unchecked;
    count_rows(run, rows, &unchecked);
    tally_total(&run->tally, ret->counts);
    ret->cases_done = cases_done(run);
    ret->verdict = verdict_of_counts(rows);
    if (some_device(run, true))
        ret->verdict = verdict_join(ret->verdict, VERDICT_ERROR);
    if (is_cut_short(run) || some_device(run, false))
        ret->verdict = verdict_join(ret->verdict, VERDICT_INCONCLUSIVE);
    find_reason(run, rows, unchecked, ret);
}

const char *run_layer(const struct run *run, struct subject subject, char ret_text[LAYER_BYTES])
{
    struct layer_path *paths = calloc((size_t)path_count(), sizeof *paths);
    int count = 0;
    bool some_right = false;
    ret_text[0] = 0;
    for (int path = 0; paths && path < path_count(); path++) {
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
