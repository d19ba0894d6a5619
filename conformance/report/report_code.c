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
#include "conformance/report/report.h"
#include "conformance/session/session.h"

/* What the comparer says of this code and another toolkit's; to be freed. Clause:
 * codegen.against.shown. */
static char *compare(const struct codegen *codegen)
{
    const struct codegen_report *report = codegen->session->report;
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    const bool whole = file && report->compare(file, codegen->against.file, codegen->lines);
    if (file && fclose(file) == 0 && whole)
        return text;
    free(text);
    return strdup("no memory to compare\n");
}

/* Instructions of hot loops and functions. Clause: codegen.mix.counted. */

static void put_mix_counts(const struct mix_counts *it)
{
    printf(" %6u %6u %6u %8u %6u", it->loads, it->stores, it->ffma, it->barriers, it->total);
}

static void put_mix_row(const struct codegen *codegen, const struct codegen_row *row)
{
    const struct code_mix *mix = &row->mix;
    printf("%-28s %-*s %-6s", row->function, session_path_width(codegen->session),
           path_name(row->subject.path), codegen->session->devices[row->subject.device].label);
    put_mix_counts(&mix->function);
    if (!mix->has_loop) {
        printf("  no loop\n");
        return;
    }
    printf("  0x%05x %5d", mix->loop_offset, mix->loop_depth);
    put_mix_counts(&mix->loop);
    printf("\n");
}

/* A look at machine code, for a terminal and as TAP. Clause:
 * codegen.coverage.printed. */

/* "32/64": a figure and its budget; "-" where it is not known. */
enum { FIGURE_BYTES = 48 };
static const char *figure(const struct codegen_row *row, bool is_known, uint64_t got, uint64_t most,
                          char ret_text[FIGURE_BYTES])
{
    if (!row->is_read || !is_known)
        snprintf(ret_text, FIGURE_BYTES, "-");
    else if (row->has_budget)
        snprintf(ret_text, FIGURE_BYTES, "%llu/%llu", (unsigned long long)got,
                 (unsigned long long)most);
    else
        snprintf(ret_text, FIGURE_BYTES, "%llu", (unsigned long long)got);
    return ret_text;
}

/* Then what differs is shown, in the end, and not every function. */
static bool is_compared(const struct codegen *codegen)
{
    return codegen->against.file != NULL;
}

static void code_text_begin(const struct codegen *codegen)
{
    const struct session *session = codegen->session;
    char number[NUMBER_COUNT_BYTES];
    printf("device    %s\nplan      %s%s\n", session->devices_line,
           number_count((uint64_t)codegen->row_count, "function", number),
           is_compared(codegen) ? "; what differs" : "; a figure and its budget: a/b");
    if (session->plan.paths == codegen->paths)
        printf("note      paths that the driver compiles are skipped: there is no driver\n");
    if (is_compared(codegen))
        return;
    printf("\n%-28s %-*s %-6s %9s %7s %11s %11s  verdict\n", "function",
           session_path_width(session), "path", "device", "registers", "local", "shared", "code");
    fflush(stdout);
}

static void code_text_row(const struct codegen *codegen, const struct codegen_row *row)
{
    char text[4][FIGURE_BYTES];
    const struct code_figures *got = &row->figures, *most = &row->budget.most;
    const char *note = row->finding.note;
    if (is_compared(codegen))
        return;
    printf("%-28s %-*s %-6s %9s %7s %11s %11s  %s%s%s\n", row->function,
           session_path_width(codegen->session), path_name(row->subject.path),
           codegen->session->devices[row->subject.device].label,
           figure(row, true, got->registers, most->registers, text[0]),
           figure(row, true, got->local_bytes, most->local_bytes, text[1]),
           figure(row, true, got->shared_bytes, most->shared_bytes, text[2]),
           figure(row, got->code_bytes > 0, got->code_bytes, most->code_bytes, text[3]),
           verdict_name(row->finding.verdict), note[0] ? ": " : "", note);
}

/* What was looked at, and who said so. */
struct reach {
    uint64_t functions, kernels, devices;
    bool is_driven; /* by a driver */
};

static struct reach reach_of(const struct codegen *codegen)
{
    struct reach reach = {.functions = 0};
    int device = -1;
    for (int index = 0; index < codegen->done; index++) {
        const struct codegen_row *row = &codegen->rows[index];
        reach.functions += row->is_read;
        reach.is_driven |= !row->is_of_cubin;
        reach.devices += row->is_read && row->subject.device != device;
        device = row->is_read ? row->subject.device : device;
    }
    for (int id = 0; id < catalog_count(); id++) {
        int index = 0;
        while (index < codegen->done &&
               (codegen->rows[index].subject.kernel != id || !codegen->rows[index].is_read))
            index++;
        reach.kernels += index < codegen->done;
    }
    return reach;
}

static void put_coverage(const char *before, const struct codegen *codegen)
{
    const struct reach reach = reach_of(codegen);
    char text[3][NUMBER_COUNT_BYTES];
    printf("%s%s of %s, for %s: %s\n", before, number_count(reach.functions, "function", text[0]),
           number_count(reach.kernels, "kernel", text[1]),
           number_count(reach.devices, reach.is_driven ? "GPU" : "architecture", text[2]),
           reach.is_driven ? "the driver's figures, and the program's own code bytes"
                           : "from the machine code itself; no GPU and no driver was asked");
}

/* More functions of the kernel that fail through the same path on the same device. */
static uint64_t alike_after(const struct codegen *codegen, const struct codegen_row *first)
{
    uint64_t count = 0;
    for (const struct codegen_row *row = first + 1; row < codegen->rows + codegen->done; row++)
        count += verdict_is_failure(row->finding.verdict) &&
                 subject_is_same(row->subject, first->subject);
    return count;
}

static void code_text_end(const struct codegen *codegen, const struct outcome *outcome)
{
    if (is_compared(codegen)) {
        char *text = compare(codegen);
        printf("\nagainst   %s%s%s\n%s", codegen->against.file,
               codegen->against.toolkit[0] ? ", CUDA " : "", codegen->against.toolkit, text);
        free(text);
    }
    /* A table of each function that was disassembled, to standard output; nothing where none was
     * asked for. */
    if (codegen->disassembler.program[0]) {
        printf("\nmix       instructions of each function, then of its hot loop, by %s\n\n",
               codegen->disassembler.program);
        printf("%-28s %-*s %-6s", "function", session_path_width(codegen->session), "path",
               "device");
        printf(" %6s %6s %6s %8s %6s", "loads", "stores", "FFMA", "barriers", "all");
        printf("  %7s %5s %6s %6s %6s %8s %6s\n", "loop at", "depth", "loads", "stores", "FFMA",
               "barriers", "all");
        for (int index = 0; index < codegen->done; index++)
            if (codegen->rows[index].has_mix)
                put_mix_row(codegen, &codegen->rows[index]);
    }
    /* The first failure of each kernel and path. */
    const struct codegen_row *last = NULL;
    for (int inner = 0; inner < codegen->done; inner++) {
        const struct codegen_row *row = &codegen->rows[inner];
        char name[CATALOG_NAME_BYTES], replay[CODEGEN_REPLAY_BYTES], more[NUMBER_COUNT_BYTES];
        if (!verdict_is_failure(row->finding.verdict) ||
            (last && subject_is_same(last->subject, row->subject)))
            continue;
        const uint64_t alike = alike_after(codegen, row);
        printf("\n%s\n  function  %s%s%s%s\n  kernel    %s through %s for %s\n"
               "  clause    %s\n  got       %s\n  replay    %s\n",
               verdict_name(row->finding.verdict), row->function, alike ? ", and " : "",
               alike ? number_count(alike, "more function", more) : "",
               alike ? " of this kernel" : "", catalog_name(row->subject.kernel, name),
               path_name(row->subject.path), codegen->session->devices[row->subject.device].label,
               row->finding.clause, row->finding.note, codegen_replay(codegen, row, replay));
        last = row;
    }
    printf("\n");
    put_coverage("coverage  ", codegen);
    /* "1,794 of 3,312 functions in 0.1 s; 1,518 skipped, the first: there is no code for sm_75";
     * where some fail "3 of 138 functions failed, in 0.1 s". */
    const uint64_t all = outcome->cases_done, skipped = outcome->counts[VERDICT_SKIP],
                   failed = outcome->counts[VERDICT_FAIL] + outcome->counts[VERDICT_CRASH] +
                            outcome->counts[VERDICT_TIMEOUT];
    char number[2][NUMBER_COUNT_BYTES], compiled[SESSION_COMPILED_BYTES];
    const struct codegen_row *head = codegen->rows;
    printf("\n%s  ", verdict_name(outcome->verdict));
    if (failed > 0 || skipped > 0)
        printf("%s of ", number_whole(failed > 0 ? failed : all - skipped, number[0]));
    printf("%s %sin %.1f s", number_count(all, "function", number[1]), failed > 0 ? "failed, " : "",
           session_seconds(codegen->session));
    while (skipped > 0 && head->finding.verdict != VERDICT_SKIP)
        head++;
    if (skipped > 0)
        printf("; %s skipped, the first: %s", number_whole(skipped, number[0]), head->finding.note);
    printf("%s%s%s\n", outcome->reason[0] ? ": " : "", outcome->reason,
           session_compiled_text((uint64_t)codegen->session->compiled_count,
                                 (uint64_t)codegen->session->compiled_cached, compiled));
}

const struct codegen_report codegen_report_text = {
    .begin = code_text_begin, .row = code_text_row, .end = code_text_end};

static void code_tap_begin(const struct codegen *codegen)
{
    printf("# device: %s\n", codegen->session->devices_line);
}

static void code_tap_row(const struct codegen *codegen, const struct codegen_row *row)
{
    report_tap_measured(LOADED_CODEGEN, codegen_line(codegen, row));
}

static void code_tap_end(const struct codegen *codegen, const struct outcome *outcome)
{
    (void)outcome;
    put_coverage("# coverage: ", codegen);
    if (is_compared(codegen)) {
        char *text = compare(codegen);
        printf("# against: %.*s\n", (int)strcspn(text, "\n"), text);
        free(text);
    }
}

const struct codegen_report codegen_report_tap = {
    .begin = code_tap_begin, .row = code_tap_row, .end = code_tap_end};

/* Generated programs. Clauses: program_runs.finding.printed, program_runs.host.compiles. */

static void begin(const char *before, const struct programs *programs)
{
    char number[NUMBER_COUNT_BYTES], rows[NUMBER_COUNT_BYTES];
    printf("%sdevice    %s\n%splan      %s, seed %" PRIu64 ", through %s\n", before,
           programs->session->devices_line, before,
           programs->is_endless ? "programs without end"
                                : number_count(programs->count, "program", number),
           programs->session->options->seed, number_count(programs->row_count, "code path", rows));
    fflush(stdout);
}

static void programs_text_begin(const struct programs *programs)
{
    begin("", programs);
}

static void programs_tap_begin(const struct programs *programs)
{
    begin("# ", programs);
}

/* What is found, as the record has it, which is put in words as from there: of findings, or of what
 * is known. */
static bool lines_open(struct loaded_lines *ret, const struct programs *programs, bool known)
{
    const size_t count = known ? programs->check_count : programs->finding_count;
    *ret = (struct loaded_lines){.lines = calloc(count + 1, sizeof *ret->lines)};
    for (; ret->lines && ret->count < count; ret->count++) {
        json_t *line = known ? programs_known_line(programs, &programs->checks[ret->count])
                             : programs_finding_line(programs, &programs->findings[ret->count]);
        const json_t *object = known ? line_known(line) : line_program(line);
        ret->lines[ret->count] = json_incref((json_t *)object);
        json_decref(line);
    }
    return ret->lines != NULL;
}

static void lines_close(struct loaded_lines *lines)
{
    for (size_t index = 0; index < lines->count; index++)
        json_decref(lines->lines[index]);
    free(lines->lines);
}

static void put_finding(const char *prefix, const struct loaded_lines *lines, size_t index)
{
    const char *known = field_program_known(lines->lines[index]);
    char *text = NULL, indented[8];
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    snprintf(indented, sizeof indented, "%s  ", prefix);
    printf("%s%s%s\n", prefix, known[0] ? "known: " : "",
           known[0] ? known : value_text(raw_program_verdict(lines->lines[index])));
    if (memory)
        failure_program(memory, lines, index, failure_pair);
    if (memory && fclose(memory) == 0)
        report_prefixed(stdout, indented, text);
    free(text);
}

/* The first of each miscompile; of those that were not reduced a few. */
static void put_findings(const char *prefix, const struct programs *programs)
{
    enum { ALONE_MAX = 8 };
    uint64_t left_out = programs->findings_left_out, alone = 0;
    char number[NUMBER_COUNT_BYTES];
    struct loaded_lines lines;
    if (!lines_open(&lines, programs, false))
        printf("%sno memory to print what was found\n", prefix);
    for (size_t index = 0; index < lines.count; index++) {
        const bool is_alone = field_program_reduced(lines.lines[index])[0] == 0;
        alone += is_alone;
        left_out += is_alone && alone > ALONE_MAX;
        if ((is_alone && alone > ALONE_MAX) || !failure_program_is_first(&lines, index))
            continue;
        put_finding(prefix, &lines, index);
        printf("%s", prefix[0] ? "" : "\n");
    }
    if (left_out)
        printf("%sonly in the record (-o): %s\n", prefix,
               number_count(left_out, "more finding", number));
    lines_close(&lines);
}

/* What the time went to. */
static void put_stages(const struct programs *programs)
{
    static const char *const names[PROGRAM_STAGES] = {"interpreting", "compiling", "loading",
                                                      "running"};
    double seconds[PROGRAM_STAGES] = {0};
    char number[NUMBER_COUNT_BYTES];
    int percent[PROGRAM_STAGES];
    uint64_t kept = 0;
    for (size_t row = 0; row < programs->row_count; row++)
        kept += programs->rows[row].kept;
    for (size_t row = 0; row < programs->row_count; row++)
        for (int stage = 0; stage < PROGRAM_STAGES; stage++)
            seconds[stage] += programs->rows[row].stage_s[stage];
    number_shares(seconds, PROGRAM_STAGES, percent);
    printf("\ntime     ");
    for (int stage = 0; stage < PROGRAM_STAGES; stage++)
        printf("%s %s %d %%", stage ? "," : "", names[stage], percent[stage]);
    printf("%s%s\n", kept ? "; kept from an earlier run: code of " : "",
           kept ? number_count(kept, "program", number) : "");
}

/* "known     2 known miscompiles in this stack, through ptx on cuda:0: abs_max, ...", wrapped. */
static void put_known(const char *prefix, const struct programs *programs)
{
    enum { INDENT = 10, COLUMNS = 80 };
    struct loaded_lines lines;
    char *text = NULL, *wrapped = NULL;
    size_t bytes = 0;
    if (programs->check_count == 0)
        return;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory && lines_open(&lines, programs, true)) {
        known_words(memory, &lines);
        lines_close(&lines);
    }
    if (memory && fclose(memory) == 0 && (memory = open_memstream(&wrapped, &bytes)) != NULL) {
        fputs("known     ", memory);
        escape_wrap(memory, text, INDENT, COLUMNS - strlen(prefix));
        fclose(memory);
    }
    report_prefixed(stdout, prefix, wrapped ? wrapped : "no memory to name known miscompiles");
    free(wrapped);
    free(text);
}

static void programs_text_end(const struct programs *programs, const struct outcome *outcome)
{
    char number[NUMBER_COUNT_BYTES], compared[NUMBER_TEXT_BYTES], compiled[NUMBER_TEXT_BYTES],
        rate[NUMBER_TEXT_BYTES], words[NUMBER_TEXT_BYTES];
    uint64_t ran = 0, only = 0, all_words = 0;
    for (size_t index = 0; index < programs->row_count; index++) {
        const struct programs_row *row = &programs->rows[index];
        ran += row->compared;
        all_words += row->words;
        only += row->only_compiles ? row->counts[VERDICT_PASS] : 0;
    }
    const double seconds = session_seconds(programs->session);
    printf("\n");
    put_findings("", programs);
    const int width = session_path_width(programs->session);
    printf("%-*s %-8s %9s %9s %7s %7s %7s  verdict\n", width > 16 ? width : 16, "path", "device",
           "right", "compiled", "wrong", "broken", "other");
    for (size_t at = 0; at < programs->row_count; at++) {
        const struct programs_row *line_row = &programs->rows[at];
        const uint64_t *counts = line_row->counts;
        printf("%-*s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               "  %s%s%s\n",
               width > 16 ? width : 16, path_name(line_row->path),
               programs->session->devices[line_row->device].label,
               line_row->only_compiles ? 0 : counts[VERDICT_PASS],
               line_row->only_compiles ? counts[VERDICT_PASS] : 0, counts[VERDICT_FAIL],
               counts[VERDICT_CRASH] + counts[VERDICT_TIMEOUT],
               counts[VERDICT_ERROR] + counts[VERDICT_INCONCLUSIVE] + counts[VERDICT_SKIP],
               verdict_name(programs_row_verdict(line_row)), line_row->why[0] ? ": " : "",
               line_row->why);
    }
    put_known("", programs);
    put_stages(programs);
    printf("\n%s  %s, %s compared in %s words, %s compiled and not run, in %.1f s, %s a "
           "second%s%s%s\n",
           verdict_name(outcome->verdict), number_count(outcome->cases_done, "program", number),
           number_whole(ran, compared), number_whole(all_words, words),
           number_whole(only, compiled), seconds,
           number_whole((uint64_t)((double)(ran + only) / seconds), rate),
           outcome->reason[0] ? ": " : "", outcome->reason,
           session_is_emulated(programs->session) ? "; no GPU was checked" : "");
}

static void programs_tap_end(const struct programs *programs, const struct outcome *outcome)
{
    (void)outcome;
    put_findings("# ", programs);
    put_known("# ", programs);
    for (size_t index = 0; index < programs->row_count; index++) {
        const struct programs_row *row = &programs->rows[index];
        char what[160];
        snprintf(what, sizeof what,
                 "programs %s %s: %" PRIu64 " of %" PRIu64 " compared, %" PRIu64 " %s",
                 programs->session->devices[row->device].label, path_name(row->path), row->compared,
                 row->planned, row->counts[VERDICT_PASS],
                 row->only_compiles ? "compiled and not run" : "right");
        tap_line(programs_row_verdict(row), what, row->why);
    }
}

const struct programs_report programs_report_text = {.begin = programs_text_begin,
                                                     .end = programs_text_end},
                             programs_report_tap = {.begin = programs_tap_begin,
                                                    .end = programs_tap_end};
