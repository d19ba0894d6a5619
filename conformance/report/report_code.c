/* Machine code as it is looked at, as text and as TAP (report.h). */
#include "conformance/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/codegen/codegen.h"
#include "conformance/programs/programs.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/report.h"
#include "conformance/session/session.h"

/* The comparison of this code with another toolkit's, in words; to be freed.
 * Clause: codegen.against.shown. */
static char *compare(const struct codegen *codegen, const struct loaded_lines *lines)
{
    struct written written;
    written_open(&written);
    codegen->session->report->compare(written.file, codegen->against.file, lines);
    return written_close(&written);
}

/* A look at machine code, for a terminal and as TAP. Clause: codegen.coverage.printed. */

static void put_function(const struct session *session, const json_t *line)
{
    printf("%-28s %-*s %-6s", field_codegen_function(line), session_path_width(session),
           field_subject_path(line), field_subject_device(line));
}

static void code_text_begin(const void *state)
{
    const struct codegen *codegen = state;
    const struct session *session = codegen->session;
    printf("device    %s\nplan      %s%s\n", session->devices_line,
           NUMBER_COUNT((uint64_t)codegen->row_count, "function"),
           session->options->against ? "; what differs" : "; a figure and its budget: a/b");
    if (session->plan.paths == codegen->paths)
        printf("note      paths that the driver compiles are skipped: there is no driver\n");
    if (session->options->against)
        return;
    printf("\n%-28s %-*s %-6s %9s %7s %11s %11s  verdict\n", "function",
           session_path_width(session), "path", "device", "registers", "local", "shared", "code");
    fflush(stdout);
}

/* "32/64": each figure and its budget; "-" where it is not known. */
static void code_text_line(const struct session *session, const json_t *written)
{
    static const struct {
        const char *key;
        int width;
    } figures[] = {{FIELD_KEY(made, registers), 9},
                   {FIELD_KEY(made, local_bytes), 7},
                   {FIELD_KEY(made, shared_bytes), 11},
                   {FIELD_KEY(made, code_bytes), 11}};
    const json_t *line = line_codegen(written);
    if (line == NULL || session->options->against)
        return;
    put_function(session, line);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        const json_t *got = json_object_get(line, figures[index].key);
        const json_t *most = json_array_get(field_codegen_budget(line), index);
        char text[48];
        snprintf(text, sizeof text, most ? "%llu/%llu" : "%llu",
                 (unsigned long long)value_count(got), (unsigned long long)value_count(most));
        printf(" %*s", figures[index].width, got ? text : "-");
    }
    const char *note = field_codegen_note(line);
    printf("  %s%s%s\n", value_text(raw_codegen_verdict(line)), note[0] ? ": " : "", note);
}

/* The devices and paths that were looked at, and the source of the figures. */
static void put_coverage(const char *before, const struct loaded_lines *lines)
{
    const char *device = "";
    uint64_t functions = 0, distinct = 0, devices = 0, unjudged = 0;
    char without[96] = "";
    bool is_driven = false;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        is_driven |= !loaded_is_of_cubin(line);
        if (raw_made_registers(line) == NULL)
            continue;
        size_t first = 0;
        while (raw_made_registers(lines->lines[first]) == NULL ||
               strcmp(field_subject_kernel(lines->lines[first]), field_subject_kernel(line)) != 0)
            first++;
        functions++;
        unjudged += raw_codegen_budget(line) == NULL && field_codegen_verdict(line) == VERDICT_PASS;
        distinct += first == index;
        devices += strcmp(field_subject_device(line), device) != 0;
        device = field_subject_device(line);
    }
    if (unjudged > 0)
        snprintf(without, sizeof without,
                 "; %s recorded, not judged: no budgets of the architecture",
                 NUMBER_WHOLE(unjudged));
    printf("%s%s of %s, for %s: %s%s\n", before, NUMBER_COUNT(functions, "function"),
           NUMBER_COUNT(distinct, "kernel"),
           NUMBER_COUNT(devices, is_driven ? "GPU" : "architecture"),
           is_driven ? "the driver's figures, and the program's own code bytes"
                     : "from the machine code itself, without a GPU or a driver",
           without);
}

/* The first failure of each kernel and path. */
static void put_failures(const struct loaded_lines *lines)
{
    const json_t *last = NULL;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        char subject[FAILURE_TEXT_BYTES];
        uint64_t alike = 0;
        if (!verdict_is_failure(field_codegen_verdict(line)) || loaded_is_of_subject(last, line))
            continue;
        for (size_t at = index + 1; at < lines->count; at++)
            alike += verdict_is_failure(field_codegen_verdict(lines->lines[at])) &&
                     loaded_is_of_subject(line, lines->lines[at]);
        snprintf(subject, sizeof subject, "%.128s through %.64s for %.64s",
                 field_subject_kernel(line), field_subject_path(line), field_subject_device(line));
        printf("\n%s\n  function  %s%s%s%s\n  kernel    %s\n"
               "  clause    %s\n  got       %s\n  replay    %s\n",
               value_text(raw_codegen_verdict(line)), field_codegen_function(line),
               alike ? ", and " : "", alike ? NUMBER_COUNT(alike, "more function") : "",
               alike ? " of this kernel" : "", subject, field_codegen_clause(line),
               field_codegen_note(line), field_codegen_replay(line));
        last = line;
    }
}

static void code_text_end(const void *state, const struct outcome *outcome)
{
    const struct codegen *codegen = state;
    const struct session *session = codegen->session;
    const struct loaded_lines lines = report_lines(session, RECORD_codegen);
    if (session->options->against) {
        char *text = compare(codegen, &lines);
        printf("\nagainst   %s%s%s\n%s", codegen->against.file,
               codegen->against.toolkit[0] ? ", CUDA " : "", codegen->against.toolkit,
               text ? text : "");
        free(text);
    }
    put_failures(&lines);
    printf("\n");
    put_coverage("coverage  ", &lines);
    /* "1,794 of 3,312 functions in 0.1 s; 1,518 skipped, the first: there is no code for sm_75";
     * where some fail "3 of 138 functions failed, in 0.1 s". */
    const uint64_t all = outcome->cases_done, skipped = outcome->counts[VERDICT_SKIP],
                   failed = verdict_failures(outcome->counts);
    char compiled[SESSION_COMPILED_BYTES];
    size_t first = 0;
    printf("\n%s  ", verdict_name(outcome->verdict));
    if (failed > 0 || skipped > 0)
        printf("%s of ", NUMBER_WHOLE(failed > 0 ? failed : all - skipped));
    printf("%s %sin %.1f s", NUMBER_COUNT(all, "function"), failed > 0 ? "failed, " : "",
           session_seconds(session));
    while (first < lines.count && field_codegen_verdict(lines.lines[first]) != VERDICT_SKIP)
        first++;
    if (first < lines.count && outcome->reason[0] == 0) /* else the reason has it */
        printf("; %s skipped, the first: %s", NUMBER_WHOLE(skipped),
               field_codegen_note(lines.lines[first]));
    printf("%s%s%s\n", outcome->reason[0] ? ": " : "", outcome->reason,
           session_compiled_text((uint64_t)session->compiled_count,
                                 (uint64_t)session->compiled_cached, compiled));
    free(lines.lines);
}

static void code_tap_begin(const void *state)
{
    const struct codegen *codegen = state;
    printf("# device: %s\n", codegen->session->devices_line);
}

static void code_tap_end(const void *state, const struct outcome *outcome)
{
    const struct codegen *codegen = state;
    const struct loaded_lines lines = report_lines(codegen->session, RECORD_codegen);
    (void)outcome;
    put_coverage("# coverage: ", &lines);
    if (codegen->session->options->against) {
        char *text = compare(codegen, &lines);
        if (text)
            printf("# against: %.*s\n", (int)strcspn(text, "\n"), text);
        free(text);
    }
    free(lines.lines);
}

static const struct session_report code_text = {.keeps_lines = true,
                                                .begin = code_text_begin,
                                                .line = code_text_line,
                                                .end = code_text_end},
                                   code_tap = {.keeps_lines = true,
                                               .begin = code_tap_begin,
                                               .line = report_tap_line,
                                               .end = code_tap_end};
const struct session_report *const report_codegen[] = {
    [FORMAT_TEXT] = &code_text, [FORMAT_TAP] = &code_tap, [FORMAT_JSON] = NULL};

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
        const bool is_alone = field_program_reduced(lines.lines[index])[0] == 0;
        alone += is_alone;
        left_out += is_alone && alone > ALONE_MAX;
        if ((is_alone && alone > ALONE_MAX) || !failure_program_is_first(&lines, index))
            continue;
        const char *known = field_program_known(lines.lines[index]);
        struct written written;
        char indented[8];
        snprintf(indented, sizeof indented, "%s  ", prefix);
        printf("%s%s%s\n", prefix, known[0] ? "known: " : "",
               known[0] ? known : value_text(raw_program_verdict(lines.lines[index])));
        written_open(&written);
        failure_program(written.file, &lines, index, failure_pair);
        char *text = written_close(&written);
        text_prefixed(stdout, indented, text);
        free(text);
        printf("%s", prefix[0] ? "" : "\n");
    }
    if (left_out)
        printf("%sonly in the record (-o): %s\n", prefix, NUMBER_COUNT(left_out, "more finding"));
    free(lines.lines);
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
    free(lines.lines);
    free(text);
}

static void programs_text_end(const void *state, const struct outcome *outcome)
{
    const struct programs *programs = state;
    const struct session *session = programs->session;
    const json_t *row;
    const int width = session_path_width(session) > 16 ? session_path_width(session) : 16;
    const double seconds = session_seconds(session);
    const uint64_t failed = verdict_failures(outcome->counts);
    uint64_t ran = 0, only = 0, all_words = 0, kept = 0;
    printf("\n");
    put_findings(programs);
    printf("%-*s %-8s %9s %9s %7s %7s %7s  verdict\n", width, "path", "device", "right", "compiled",
           "wrong", "broken", "other");
    for (size_t at = 0; (row = report_next(session, RECORD_programs, &at)) != NULL;) {
        const char *note = field_programs_note(row);
        const bool runs = field_programs_runs(row);
        const uint64_t passed = field_counts_passed(row);
        ran += field_programs_compared(row);
        all_words += field_programs_words(row);
        kept += field_programs_kept(row);
        only += runs ? 0 : passed;
        printf("%-*s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               "  %s%s%s\n",
               width, field_subject_path(row), field_subject_device(row), runs ? passed : 0,
               runs ? 0 : passed, field_counts_fail(row),
               field_counts_crash(row) + field_counts_timeout(row),
               field_counts_error(row) + field_counts_inconclusive(row) + field_counts_skip(row),
               value_text(raw_programs_verdict(row)), note[0] ? ": " : "", note);
    }
    put_known(programs);
    printf("\n");
    session_print_phases(outcome->phases);
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
    const json_t *row;
    (void)outcome;
    put_findings(programs);
    put_known(programs);
    for (size_t at = 0; (row = report_next(programs->session, RECORD_programs, &at)) != NULL;) {
        char what[160];
        snprintf(what, sizeof what,
                 "programs %.32s %.48s: %" PRIu64 " of %" PRIu64 " compared, %" PRIu64 " %s",
                 field_subject_device(row), field_subject_path(row), field_programs_compared(row),
                 field_programs_planned(row), field_counts_passed(row),
                 field_programs_runs(row) ? "right" : "compiled and not run");
        tap_line(field_programs_verdict(row), what, field_programs_note(row));
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
