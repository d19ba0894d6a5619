/* Generated programs, as text and as TAP (report.h). */
#include "conformance/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/programs/programs.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/report.h"
#include "conformance/session/session.h"

/* Generated programs. Clauses: program_runs.finding.printed, program_runs.host.compiles. */

static void programs_begin(const void *state)
{
    const struct programs *programs = state;
    const struct session *session = programs->session;
    const char *before = session->report->prefix;
    printf("%sdevice    %s\n%splan      %s, seed %" PRIu64 ", through %s\n", before,
           session->devices_line, before,
           programs->is_endless ? "programs without end" : NUMBER_COUNT(programs->count, "program"),
           session->options->seed, NUMBER_COUNT(programs->row_count, "code path"));
    fflush(stdout);
}

/* The first of each miscompile; of those that were not reduced a few. */
static void put_findings(const struct programs *programs)
{
    const char *prefix = programs->session->report->prefix;
    enum { ALONE_MAX = 8 };
    uint64_t left_out = programs->findings_left_out, alone = 0;
    const struct loaded_lines lines = report_lines(programs->session, RECORD_program);
    for (size_t index = 0; index < lines.count; index++) {
        const struct line_program *line = LINE_AS(program, lines.each[index]);
        const bool is_alone = line->reduced[0] == 0;
        alone += is_alone;
        left_out += is_alone && alone > ALONE_MAX;
        if ((is_alone && alone > ALONE_MAX) || !failure_program_is_first(&lines, index))
            continue;
        struct written written;
        char indented[8];
        snprintf(indented, sizeof indented, "%s  ", prefix);
        printf("%s%s%s\n", prefix, line->known[0] ? "known: " : "",
               line->known[0] ? line->known : verdict_name(line->verdict));
        written_open(&written);
        failure_program(written.file, &lines, index, failure_pair);
        char *text = written_close(&written);
        text_prefixed(stdout, indented, text);
        free(text);
        printf("%s", prefix[0] ? "" : "\n");
    }
    if (left_out)
        printf("%sonly in the record (-o): %s\n", prefix, NUMBER_COUNT(left_out, "more finding"));
    free(lines.each);
}

/* "known     2 known miscompiles in this stack, through ptx on cuda:0: abs_max, ...", wrapped. */
static void put_known(const struct programs *programs)
{
    const char *prefix = programs->session->report->prefix;
    enum { INDENT = 10, COLUMNS = 80 };
    const struct loaded_lines lines = report_lines(programs->session, RECORD_known);
    struct written words, wrapped;
    if (lines.count == 0)
        return;
    written_open(&words);
    known_words(words.file, &lines, programs->session->options->verbose);
    char *text = written_close(&words);
    written_open(&wrapped);
    fputs("known     ", wrapped.file);
    escape_wrap(wrapped.file, text, INDENT, COLUMNS - strlen(prefix));
    free(text);
    text = written_close(&wrapped);
    text_prefixed(stdout, prefix, text);
    free(lines.each);
    free(text);
}

static void programs_text_end(const void *state, const struct outcome *outcome)
{
    const struct programs *programs = state;
    const struct session *session = programs->session;
    const struct line *row;
    const int width = session_path_width(session) > 16 ? session_path_width(session) : 16;
    const double seconds = session_seconds(session);
    const uint64_t failed = verdict_failures(outcome->counts);
    uint64_t ran = 0, only = 0, all_words = 0, kept = 0;
    printf("\n");
    put_findings(programs);
    printf("%-*s %-8s %9s %9s %7s %7s %7s  verdict\n", width, "path", "device", "right", "compiled",
           "wrong", "broken", "other");
    for (size_t at = 0; (row = report_next(session, RECORD_programs, &at)) != NULL;) {
        const struct line_programs *it = LINE_AS(programs, row);
        const struct line_counts *counts = &it->counts;
        const bool runs = it->runs;
        const uint64_t passed = counts->passed;
        ran += it->compared;
        all_words += it->words;
        kept += it->kept;
        only += runs ? 0 : passed;
        printf("%-*s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               "  %s%s%s\n",
               width, it->path, it->device, runs ? passed : 0, runs ? 0 : passed, counts->fail,
               counts->crash + counts->timeout, counts->error + counts->inconclusive + counts->skip,
               verdict_name(it->verdict), it->note[0] ? ": " : "", it->note);
    }
    put_known(programs);
    printf("\n");
    session_print_phases(outcome);
    if (kept)
        printf("kept      code of %s, compiled by an earlier run\n", NUMBER_COUNT(kept, "program"));
    printf("\n%s  ", verdict_name(outcome->verdict));
    if (failed > 0) /* a program that fails through three paths is three */
        printf("%s of ", NUMBER_COUNT(failed, "failure"));
    printf("%s, %s compared in %s words, %s compiled and not run, in %.1f s, %s a second%s%s%s\n",
           NUMBER_COUNT(outcome->cases_done, "program"), NUMBER_WHOLE(ran), NUMBER_WHOLE(all_words),
           NUMBER_WHOLE(only), seconds, NUMBER_WHOLE((uint64_t)((double)(ran + only) / seconds)),
           outcome->reason[0] ? ": " : "", outcome->reason,
           session_is_emulated(session) ? "; no GPU was checked" : "");
}

static void programs_tap_end(const void *state, const struct outcome *outcome)
{
    const struct programs *programs = state;
    const struct line *row;
    (void)outcome;
    put_findings(programs);
    put_known(programs);
    for (size_t at = 0; (row = report_next(programs->session, RECORD_programs, &at)) != NULL;) {
        const struct line_programs *it = LINE_AS(programs, row);
        char what[160];
        snprintf(what, sizeof what,
                 "programs %.32s %.48s: %" PRIu64 " of %" PRIu64 " compared, %" PRIu64 " %s",
                 it->device, it->path, it->compared, it->planned, it->counts.passed,
                 it->runs ? "right" : "compiled and not run");
        tap_line(it->verdict, what, it->note);
    }
}

static const struct session_report programs_text = {.keeps_lines = true,
                                                    .prefix = "",
                                                    .begin = programs_begin,
                                                    .line = gaps_show,
                                                    .end = programs_text_end},
                                   programs_tap = {.keeps_lines = true,
                                                   .prefix = "# ",
                                                   .begin = programs_begin,
                                                   .line = gaps_show,
                                                   .end = programs_tap_end};
const struct session_report *const report_programs[] = {
    [FORMAT_TEXT] = &programs_text, [FORMAT_TAP] = &programs_tap, [FORMAT_JSON] = NULL};
