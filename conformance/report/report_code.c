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

static void put_function(const struct session *session, const struct line_codegen *line)
{
    printf("%-28s %-*s %-6s", line->function, session_path_width(session), line->subject.path,
           line->subject.device);
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
static void code_text_line(const struct session *session, const struct line *any)
{
    const struct line_codegen *line = LINE_AS(codegen, any);
    if (line == NULL || session->options->against)
        return;
    const struct {
        struct maybe_count got, most;
        int width;
    } figures[] = {{line->made.registers, line_budget(line, BUDGET_REGISTERS), 9},
                   {line->made.local_bytes, line_budget(line, BUDGET_LOCAL), 7},
                   {line->made.shared_bytes, line_budget(line, BUDGET_SHARED), 11},
                   {line->made.code_bytes, line_budget(line, BUDGET_CODE), 11}};
    put_function(session, line);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        char text[48];
        snprintf(text, sizeof text, figures[index].most.is_there ? "%llu/%llu" : "%llu",
                 (unsigned long long)figures[index].got.count,
                 (unsigned long long)figures[index].most.count);
        printf(" %*s", figures[index].width, figures[index].got.is_there ? text : "-");
    }
    printf("  %s%s%s\n", verdict_name(line->verdict), line->note[0] ? ": " : "", line->note);
}

/* The devices and paths that were looked at, and the source of the figures. */
static void put_coverage(const char *before, const struct loaded_lines *lines)
{
    const char *device = "";
    uint64_t functions = 0, distinct = 0, devices = 0, unjudged = 0;
    char without[96] = "";
    bool is_driven = false;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        is_driven |= !loaded_is_of_cubin(line);
        if (!line->made.registers.is_there)
            continue;
        size_t first = 0;
        const struct line_codegen *of_kernel;
        while ((of_kernel = LINE_AS(codegen, lines->each[first])) != line &&
               (!of_kernel->made.registers.is_there ||
                strcmp(of_kernel->subject.kernel, line->subject.kernel) != 0))
            first++;
        functions++;
        unjudged += line->budget.count == 0 && line->verdict == VERDICT_PASS;
        distinct += first == index;
        devices += strcmp(line->subject.device, device) != 0;
        device = line->subject.device;
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
    const struct line_codegen *last = NULL;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        char subject[FAILURE_TEXT_BYTES];
        uint64_t alike = 0;
        if (!verdict_is_failure(line->verdict) ||
            (last && line_is_of_subject(&last->subject, &line->subject)))
            continue;
        for (size_t at = index + 1; at < lines->count; at++) {
            const struct line_codegen *other = LINE_AS(codegen, lines->each[at]);
            alike += verdict_is_failure(other->verdict) &&
                     line_is_of_subject(&line->subject, &other->subject);
        }
        snprintf(subject, sizeof subject, "%.128s through %.64s for %.64s", line->subject.kernel,
                 line->subject.path, line->subject.device);
        printf("\n%s\n  function  %s%s%s%s\n  kernel    %s\n"
               "  clause    %s\n  got       %s\n  replay    %s\n",
               verdict_name(line->verdict), line->function, alike ? ", and " : "",
               alike ? NUMBER_COUNT(alike, "more function") : "", alike ? " of this kernel" : "",
               subject, line->clause, line->note, line->replay);
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
    while (first < lines.count && LINE_AS(codegen, lines.each[first])->verdict != VERDICT_SKIP)
        first++;
    if (first < lines.count && outcome->reason[0] == 0) /* else the reason has it */
        printf("; %s skipped, the first: %s", NUMBER_WHOLE(skipped),
               LINE_AS(codegen, lines.each[first])->note);
    printf("%s%s%s\n", outcome->reason[0] ? ": " : "", outcome->reason,
           session_compiled_text((uint64_t)session->compiled_count,
                                 (uint64_t)session->compiled_cached, compiled));
    free(lines.each);
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
    free(lines.each);
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
