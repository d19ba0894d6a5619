/* The report for Meson and other harnesses: flat TAP, one line a kernel and path. */
#include <inttypes.h>
#include <stdio.h>

#include "conformance/base/number.h"
#include "conformance/report/report.h"
#include "conformance/bits/outcome.h"
#include "conformance/base/environment.h"

static int number; /* TAP counts its lines; a process writes one report */

/* A reader takes what follows a `#` for a directive, and a TODO there for a pass. */
static void put_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '#' || *text == '\\')
            putchar('\\');
        putchar(*text == '\n' || *text == '\r' ? ' ' : *text);
    }
}

void report_tap_line(enum verdict verdict, const char *what, const char *note)
{
    bool skipped = verdict == VERDICT_SKIP;
    printf("%s %d - ", skipped || verdict == VERDICT_PASS ? "ok" : "not ok", ++number);
    put_text(what);
    if (verdict != VERDICT_PASS)
        printf("%s%s", skipped ? " # " : ": ", verdict_name(verdict));
    fputs(note[0] == 0 ? "" : skipped ? " " : ", ", stdout);
    put_text(note);
    putchar('\n');
    fflush(stdout);
}

void report_tap_plan(void)
{
    printf("1..%d\n", number);
    fflush(stdout);
}

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
    report_tap_line(tally_verdict(row), what, tally_reason(row));
}

static void end(const struct run *run)
{
    report_rows(stdout, run, tap_row);
    for (int device = 0; device < run->session->device_count; device++)
        report_coverage(stdout, "# ", run, device);
    char reason[FINDING_NOTE_BYTES];
    run_reason(run, reason, sizeof reason);
    report_tap_line(run_verdict(run), "the run as a whole", reason);
    report_tap_plan();
}

const struct report report_tap = {.begin = begin, .finding = finding, .end = end};
