/* Findings in words (report.h). */
#include "conformance/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/build_info.h"
#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/text.h"
#include "conformance/bits/run.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/coverage.h"
#include "conformance/report/failure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/terminal.h"
#include "conformance/session/session.h"
#include "cuda/image.h"

void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *it)
{
    char subject[FAILURE_TEXT_BYTES];
    struct zone zone = {.blocks = NULL};
    struct written written;
    const struct line_finding *line = LINE_AS(finding, record_finding(run, it, &zone));
    written_open(&written);
    failure_subject(&line->subject, subject);
    failure_pair(written.file, "kernel", subject);
    failure_report(written.file, line, failure_pair);
    failure_pair(written.file, "replay", line->replay);
    char *text = written_close(&written);
    text_prefixed(file, prefix, text);
    free(text);
    zone_free(&zone);
}

/* The same of one that was tried again: how often it failed, and the smallest case. */
static void report_reduced_lines(FILE *file, const char *prefix, const struct run *run,
                                 const struct run_finding *it)
{
    struct run_finding smallest = *it;
    struct zone zone = {.blocks = NULL};
    struct written written;
    smallest.test_case = it->reduced.smallest;
    smallest.finding = it->reduced.finding;
    written_open(&written);
    failure_report_reduced(written.file, LINE_AS(reduced, record_reduced(run, it, &zone)),
                           failure_pair);
    char *text = written_close(&written);
    text_prefixed(file, prefix, text);
    free(text);
    zone_free(&zone);
    report_finding_lines(file, prefix, run, &smallest);
    if (it->corpus_file[0])
        fprintf(file, "%skept      %s\n", prefix, it->corpus_file);
}

/* The coverage of each device: one line, which a terminal gets broken at 80 columns. */
static void report_coverage(const char *prefix, const struct run *run,
                            const struct result_lines *bits)
{
    const struct session *session = run->session;
    struct zone zone = {.blocks = NULL};
    const struct result_lines lines = record_coverage(run, &zone);
    char text[COVERAGE_WORDS_BYTES], words[COVERAGE_WORDS_BYTES + 64];
    for (int device = 0; device < session->device_count; device++) {
        const struct session_device *it = &session->devices[device];
        const struct line_coverage *line = LINE_AS(coverage, lines.each[device]);
        if (!it->opened || !coverage_words(line, bits->each, bits->count, text))
            continue;
        snprintf(words, sizeof words, "%s: %s", it->label, text);
        if (prefix[0])
            printf("%scoverage  %s\n", prefix, words);
        else
            escape_row(stdout, "coverage", words);
    }
    zone_free(&zone);
}

/* The report for people: what is checked and where, each failure as it is found, a table, and the
 * verdict as the last line. Progress goes to stderr, and only to a terminal. */

static void text_begin(const void *state)
{
    const struct run *run = state;
    char cleared[1024], paths[PATH_NAMES_BYTES], words[PATH_NAMES_BYTES + 256];
    escape_row(stdout, "device", run->session->devices_line);
    if (environment_join(ENVIRONMENT_CLEARED, cleared, sizeof cleared)) {
        snprintf(words, sizeof words, "%s: it would change the checks", cleared);
        escape_row(stdout, "cleared", words);
    }
    if (run->session->plan.count == 1)
        printf("plan      one case, assay %s\n", build_version);
    else if (!run->keeps_corpus)
        printf("plan      %s, in sequence, in one worker, assay %s\n",
               NUMBER_COUNT(run->session->plan.count, "case"), build_version);
    else {
        snprintf(words, sizeof words, "%s (%s of the corpus, tier %s), seed %" PRIu64 ", assay %s",
                 NUMBER_COUNT(run->session->plan.count, "case"),
                 NUMBER_WHOLE(run->session->plan.corpus_count),
                 tier_name((enum tier)run->session->options->tier), run->session->options->seed,
                 build_version);
        escape_row(stdout, "plan", words);
    }
    if (session_is_emulated(run->session)) {
        snprintf(words, sizeof words,
                 "no GPU: neither the code paths %s nor generated programs are checked%s",
                 path_choices(", ", paths),
                 image_toolkit[0] ? "" : "; this build has no CUDA code: no toolkit was found");
        escape_row(stdout, "note", words);
    }
    fflush(stdout);
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        output_erase_line();
}

static void show_finding(const void *state, const void *what)
{
    const struct run *run = state;
    const struct run_finding *it = what;
    const bool is_text = run->session->options->format == FORMAT_TEXT;
    if (is_text)
        clear_progress();
    printf("%s%s\n", is_text ? "\n" : "# ",
           verdict_name(it->passing ? VERDICT_INCONCLUSIVE : it->finding.verdict));
    if (it->retried)
        report_reduced_lines(stdout, is_text ? "  " : "#   ", run, it);
    else
        report_finding_lines(stdout, is_text ? "  " : "#   ", run, it);
    fflush(stdout);
}

static void text_progress(const void *state)
{
    const struct run *run = state;
    if (!isatty(STDERR_FILENO))
        return;
    uint64_t done = 0, due = run->session->plan.count * (uint64_t)run->session->device_count;
    const uint64_t checks = tally_total_checks(&run->tally);
    for (int device = 0; device < run->session->device_count; device++)
        done += run->devices[device].cases_done;
    double seconds = session_seconds(run->session);
    double left_s = done ? seconds / (double)done * (double)(due - done) : 0;
    if (run->session->options->time_s > 0 && run->session->options->time_s - seconds < left_s)
        left_s = run->session->options->time_s - seconds;
    output_erase_line();
    fprintf(stderr, "%" PRIu64 " of %s, %s a second, %.0f s left", done, NUMBER_COUNT(due, "case"),
            NUMBER_COUNT((uint64_t)((double)checks / (seconds > 0 ? seconds : 1)), "check"),
            left_s > 0 ? left_s : 0);
    fflush(stderr);
}

static void text_end(const void *state, const struct outcome *outcome)
{
    const struct run *run = state;
    clear_progress();
    printf("\n");
    for (int device = 0; device < run->session->device_count; device++) {
        const struct session_device *it = &run->session->devices[device];
        const char *lost = run->devices[device].lost;
        if (it->opened) {
            struct zone zone = {.blocks = NULL};
            const struct line *line = session_device_line(run->session, it, &zone);
            terminal_device(stdout, LINE_AS(device, line),
                            run->session->stack.libraries[LIBRARY_CUDA].version);
            zone_free(&zone);
        } else {
            printf("%-9s %s\n", it->label, lost[0] ? lost : "not opened");
        }
    }
    struct zone zone = {.blocks = NULL};
    const struct result_lines bits = record_bits(run, &zone);
    terminal_rows(stdout, &(struct loaded_lines){.each = bits.each, .count = bits.count}, NULL);
    uint64_t checks = tally_total_checks(&run->tally), cases = 0;
    const uint64_t failed = verdict_failures(outcome->counts);
    for (int device = 0; device < run->session->device_count; device++)
        cases += run->devices[device].cases_done;
    char compiled[SESSION_COMPILED_BYTES];
    double seconds = session_seconds(run->session);
    if (run->findings_left_out > 0)
        printf("\nonly in the record (-o): %s\n",
               NUMBER_COUNT(run->findings_left_out, "more finding"));
    if (run->findings_untried)
        printf("\nnot tried again: %s, as others were\n",
               NUMBER_COUNT(run->findings_untried, "more failure"));
    printf("\n");
    session_print_phases(outcome);
    printf("rate      %s checks a second\n", NUMBER_WHOLE((uint64_t)((double)checks / seconds)));
    printf("\n");
    report_coverage("", run, &bits);
    zone_free(&zone);
    /* "36 of 116 checks of 64 cases failed, in 0.8 s": the checks alone would be read as
     * failures. */
    printf("\n%s  ", verdict_name(outcome->verdict));
    if (failed > 0)
        printf("%s of ", NUMBER_WHOLE(failed));
    printf("%s of %s %sin %.1f s%s%s%s%s\n", NUMBER_COUNT(checks, "check"),
           NUMBER_COUNT(cases, "case"), failed > 0 ? "failed, " : "", seconds,
           outcome->reason[0] ? ": " : "", outcome->reason,
           session_is_emulated(run->session) ? "; no GPU was checked" : "",
           session_compiled_text((uint64_t)run->session->compiled_count,
                                 (uint64_t)run->session->compiled_cached, compiled));
}

/* A run as flat TAP: one line a kernel and path. */

static void tap_begin(const void *state)
{
    const struct run *run = state;
    char cleared[1024];
    printf("# device: %s\n# plan: %s, seed %" PRIu64 "\n", run->session->devices_line,
           NUMBER_COUNT(run->session->plan.count, "case"), run->session->options->seed);
    if (environment_join(ENVIRONMENT_CLEARED, cleared, sizeof cleared))
        printf("# cleared: %s\n", cleared);
    fflush(stdout);
}

static void tap_end(const void *state, const struct outcome *outcome)
{
    const struct run *run = state;
    (void)outcome;
    struct zone zone = {.blocks = NULL};
    const struct result_lines bits = record_bits(run, &zone);
    for (size_t index = 0; index < bits.count; index++) {
        const struct line_bits *row = LINE_AS(bits, bits.each[index]);
        char what[CATALOG_NAME_BYTES + 160];
        snprintf(what, sizeof what,
                 "%.64s %.16s %.31s: %" PRIu64 " passed, %" PRIu64 " declined, %" PRIu64 " empty",
                 row->subject.kernel, row->subject.device, row->subject.path, row->counts.passed,
                 row->counts.declined, row->counts.empty);
        tap_line(row->verdict, what, failure_row(row));
    }
    report_coverage("# ", run, &bits);
    zone_free(&zone);
}

static const struct session_report run_text = {.begin = text_begin,
                                               .line = gaps_show,
                                               .show = show_finding,
                                               .progress = text_progress,
                                               .end = text_end},
                                   run_tap = {.begin = tap_begin,
                                              .line = gaps_show,
                                              .show = show_finding,
                                              .end = tap_end};
const struct session_report *const report_run[] = {
    [FORMAT_TEXT] = &run_text, [FORMAT_TAP] = &run_tap, [FORMAT_JSON] = NULL};
