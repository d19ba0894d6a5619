/* What a run comes to: one verdict, one exit status, and why (outcome.h, spec/verdicts.md). */
#include <stdio.h>
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/bits/outcome.h"

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

enum verdict run_verdict(const struct run *run)
{
    uint64_t rows[VERDICT_COUNT];
    const struct tally *unchecked;
    count_rows(run, rows, &unchecked);
    enum verdict verdict = verdict_of_counts(rows);
    if (some_device(run, true))
        verdict = verdict_join(verdict, VERDICT_ERROR);
    if (is_cut_short(run) || some_device(run, false))
        verdict = verdict_join(verdict, VERDICT_INCONCLUSIVE);
    return session_verdict(run->session, verdict);
}

enum exit_status run_exit_status(const struct run *run)
{
    return verdict_exit_status(run_verdict(run));
}

void run_reason(const struct run *run, char *ret_text, size_t text_bytes)
{
    uint64_t rows[VERDICT_COUNT];
    const struct tally *unchecked;
    char done_text[NUMBER_COUNT_BYTES], cases[NUMBER_COUNT_BYTES];
    uint64_t done = 0;
    for (int device = 0; device < run->session->device_count; device++)
        done += run->devices[device].cases_done;
    count_rows(run, rows, &unchecked);
    ret_text[0] = 0;
    if (session_cut(run->session)[0])
        snprintf(ret_text, text_bytes, "%s", session_cut(run->session));
    else if (some_device(run, true))
        snprintf(ret_text, text_bytes, "a device was lost");
    else if (some_device(run, false))
        snprintf(ret_text, text_bytes, "a worker died, and no check that it held fails alone");
    else if (rows[VERDICT_ERROR])
        snprintf(ret_text, text_bytes, "the harness failed");
    else if (run->session->out_of_time)
        snprintf(ret_text, text_bytes, "--time ended it after %s of its plan of %s",
                 number_whole(done, done_text),
                 number_count(run->session->plan.count * (uint64_t)run->session->device_count,
                              "case", cases));
    else if (unchecked)
        snprintf(ret_text, text_bytes, "not everything was checked: %.120s",
                 tally_reason(unchecked));
    else if (run_verdict(run) == VERDICT_SKIP)
        snprintf(ret_text, text_bytes, "no kernel takes the case");
}
