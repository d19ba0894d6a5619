/* A run as flat TAP: one line a kernel and path. */
#include <inttypes.h>
#include <stdio.h>

#include "conformance/base/number.h"
#include "conformance/report/report.h"
#include "conformance/session/session_lines.h"
#include "conformance/base/environment.h"

static void begin(const struct run *run)
{
    char cases[NUMBER_COUNT_BYTES], cleared[1024];
    printf("# device: %s\n# plan: %s, seed %" PRIu64 "\n", run->session->devices_line,
           number_count(run->session->plan.count, "case", cases), run->session->options->seed);
    if (environment_join(ENVIRONMENT_CLEARED, cleared, sizeof cleared))
        printf("# cleared: %s\n", cleared);
    fflush(stdout);
}

static void finding(const struct run *run, const struct run_finding *it)
{
    printf("# %s\n", verdict_name(it->finding.verdict));
    if (it->retried)
        report_reduced_lines(stdout, "#   ", run, it);
    else
        report_finding_lines(stdout, "#   ", run, it);
}

static void tap_row(FILE *file, const struct run *run, struct subject subject)
{
    const struct tally *row = tally_row(&run->tally, subject);
    char name[CATALOG_NAME_BYTES], what[CATALOG_NAME_BYTES + 160];
    (void)file;
    snprintf(what, sizeof what,
             "%s %s %s: %" PRIu64 " passed, %" PRIu64 " declined, %" PRIu64 " empty",
             catalog_name(subject.kernel, name), run->session->devices[subject.device].label,
             path_name(subject.path), row->counts[VERDICT_PASS], row->counts[VERDICT_DECLINED],
             row->counts[VERDICT_EMPTY]);
    tap_line(tally_verdict(row), what, tally_reason(row));
}

static void end(const struct run *run, const struct outcome *outcome)
{
    (void)outcome;
    report_rows(stdout, run, tap_row);
    report_layers(stdout, "# ", run);
    for (int device = 0; device < run->session->device_count; device++)
        report_coverage(stdout, "# ", run, device);
}

const struct run_report run_report_tap = {.begin = begin, .finding = finding, .end = end};
