/* What came of generated programs (report_programs.h). Clauses: program_runs.finding.printed,
 * program_runs.host.compiles. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/programs/programs_rows.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/report.h"
#include "conformance/session/session_lines.h"

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

static void text_begin(const struct programs *programs)
{
    begin("", programs);
}

static void tap_begin(const struct programs *programs)
{
    begin("# ", programs);
}

/* Adds what the record's line has under its key. Takes over `line`. */
static void add_line(struct loaded_lines *lines, json_t *line, const char *key)
{
    lines->lines[lines->count++] = json_incref(json_object_get(line, key));
    json_decref(line);
}

/* Findings as the record has them, which are put in words as from there. */
static bool lines_open(struct loaded_lines *ret, const struct programs *programs)
{
    *ret = (struct loaded_lines){.lines = calloc(programs->finding_count + 1, sizeof *ret->lines)};
    while (ret->lines && ret->count < programs->finding_count)
        add_line(ret, programs_finding_line(programs, &programs->findings[ret->count]),
                 LINE_KEY(program));
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
        failure_program(memory, lines, index, report_pair);
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
    if (!lines_open(&lines, programs))
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

static void put_rows(const struct programs *programs)
{
    const int width = session_path_width(programs->session);
    printf("%-*s %-8s %9s %9s %7s %7s %7s  verdict\n", width > 16 ? width : 16, "path", "device",
           "right", "compiled", "wrong", "broken", "other");
    for (size_t index = 0; index < programs->row_count; index++) {
        const struct programs_row *row = &programs->rows[index];
        const uint64_t *counts = row->counts;
        printf("%-*s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               "  %s%s%s\n",
               width > 16 ? width : 16, path_name(row->path),
               programs->session->devices[row->device].label,
               row->only_compiles ? 0 : counts[VERDICT_PASS],
               row->only_compiles ? counts[VERDICT_PASS] : 0, counts[VERDICT_FAIL],
               counts[VERDICT_CRASH] + counts[VERDICT_TIMEOUT],
               counts[VERDICT_ERROR] + counts[VERDICT_INCONCLUSIVE] + counts[VERDICT_SKIP],
               verdict_name(programs_row_verdict(row)), row->why[0] ? ": " : "", row->why);
    }
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

static bool known_lines_open(struct loaded_lines *ret, const struct programs *programs)
{
    *ret = (struct loaded_lines){.lines = calloc(programs->check_count + 1, sizeof *ret->lines)};
    while (ret->lines && ret->count < programs->check_count)
        add_line(ret, programs_known_line(programs, &programs->checks[ret->count]),
                 LINE_KEY(known));
    return ret->lines != NULL;
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
    if (memory && known_lines_open(&lines, programs)) {
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

static void text_end(const struct programs *programs, const struct outcome *outcome)
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
    put_rows(programs);
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

static void tap_end(const struct programs *programs, const struct outcome *outcome)
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

const struct programs_report programs_report_text = {.begin = text_begin, .end = text_end},
                             programs_report_tap = {.begin = tap_begin, .end = tap_end};
