/* The report for Meson and other harnesses: flat TAP, one line a kernel and path. */
#include <inttypes.h>
#include <stdio.h>

#include "conformance/number.h"
#include "conformance/report/report.h"

static int number; /* TAP counts its lines; a process writes one report */

static void begin(const struct run *run)
{
    char cases[NUMBER_COUNT_BYTES];
    number = 0;
    printf("# device: %s\n# plan: %s, seed %" PRIu64 "\n", run->devices_line,
           number_count(run->plan.count, "case", cases), run->options->seed);
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

static void tap_row(FILE *file, const struct run *run, int device, int id, int path)
{
    const struct tally *row = tally_row(&run->tally, device, id, path);
    enum verdict verdict = tally_verdict(row);
    char name[CATALOG_NAME_BYTES];
    fprintf(file, "%s %d - %s %s %s: %" PRIu64 " passed, %" PRIu64 " declined",
            verdict == VERDICT_PASS || verdict == VERDICT_SKIP ? "ok" : "not ok", ++number,
            catalog_name(id, name), run->devices[device].label, path_name((enum path)path),
            row->counts[VERDICT_PASS], row->counts[VERDICT_DECLINED]);
    if (verdict == VERDICT_SKIP)
        fprintf(file, " # SKIP %s",
                row->reason[0] ? row->reason : "no case of the plan fits this kernel");
    fprintf(file, "\n");
}

static void end(const struct run *run)
{
    report_rows(stdout, run, tap_row);
    char reason[FINDING_NOTE_BYTES];
    run_reason(run, reason, sizeof reason);
    enum verdict verdict = run_verdict(run);
    bool good = verdict == VERDICT_PASS || verdict == VERDICT_SKIP;
    printf("%s %d - the run as a whole: %s%s%s\n", good ? "ok" : "not ok", ++number,
           verdict_name(verdict), reason[0] ? ", " : "", reason);
    printf("1..%d\n", number);
}

const struct report report_tap = {.begin = begin, .finding = finding, .end = end};
