/* Generated programs while they run, as text and as TAP (live_stream.h). Clauses:
 * program_runs.finding.printed, program_runs.host.compiles. */
#include "conformance/report/live_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/terminal.h"

static void begin(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    const bool is_endless = header->part[0] && loaded_is_deep(at->record);
    const char *before = at->prefix;
    printf("%sdevice    %s\n%splan      %s, seed %" PRIu64 ", through %s\n", before,
           header->devices_chosen, before,
           is_endless ? "programs without end" : NUMBER_COUNT(header->cases_planned, "program"),
           header->seed, NUMBER_COUNT(header->paths.count * header->devices.count, "code path"));
    terminal_shard(stdout, before, at->record);
}

/* The first of each miscompile; of those that were not reduced a few. */
static void put_findings(const struct live_at *at, const struct line_summary *summary)
{
    const char *prefix = at->prefix;
    enum { ALONE_MAX = 8 };
    const struct loaded_lines *lines = &at->record->kinds[RECORD_program];
    uint64_t left_out = lines->left_out, alone = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_program *line = LINE_AS(program, lines->each[index]);
        const bool is_alone = line->reduced[0] == 0;
        alone += is_alone;
        left_out += is_alone && alone > ALONE_MAX;
        if ((is_alone && alone > ALONE_MAX) || !failure_program_is_first(lines, index))
            continue;
        struct written written;
        char indented[8];
        snprintf(indented, sizeof indented, "%s  ", prefix);
        printf("%s%s%s\n", prefix, line->known[0] ? "known: " : "",
               line->known[0] ? line->known : verdict_name(line->verdict));
        written_open(&written);
        failure_program(written.file, lines, index, failure_pair);
        char *text = written_close(&written);
        text_prefixed(stdout, indented, text);
        free(text);
        printf("%s", prefix[0] ? "" : "\n");
    }
    if (left_out)
        printf("%sonly in the record (-o): %s\n", prefix, NUMBER_COUNT(left_out, "more finding"));
    if (summary->findings_left_out)
        printf("%snot in the record: %s\n", prefix,
               NUMBER_COUNT(summary->findings_left_out, "more finding"));
}

/* "known     2 known miscompiles in this stack, through ptx on cuda:0: abs_max, ...", wrapped. */
static void put_known(const struct live_at *at)
{
    enum { INDENT = 10, COLUMNS = 80 };
    const char *prefix = at->prefix;
    const struct loaded_lines *lines = &at->record->kinds[RECORD_known];
    struct written words, wrapped;
    if (lines->count == 0)
        return;
    written_open(&words);
    known_words(words.file, lines, at->options->names_known);
    char *text = written_close(&words);
    written_open(&wrapped);
    fputs("known     ", wrapped.file);
    escape_wrap(wrapped.file, text, INDENT, COLUMNS - strlen(prefix));
    free(text);
    text = written_close(&wrapped);
    text_prefixed(stdout, prefix, text);
    free(text);
}

static void text_end(const struct live_at *at, const struct line_summary *summary)
{
    enum { PATH_LETTERS = 16 };
    const struct loaded_lines *rows = &at->record->kinds[RECORD_programs];
    const int width = live_path_width(at, PATH_LETTERS);
    uint64_t counts[VERDICT_COUNT], ran = 0, only = 0, all_words = 0, kept = 0;
    line_counts(&summary->counts, counts);
    const uint64_t failed = verdict_failures(counts);
    printf("\n");
    put_findings(at, summary);
    printf("%-*s %-8s %9s %9s %7s %7s %7s  verdict\n", width, "path", "device", "right", "compiled",
           "wrong", "broken", "other");
    for (size_t index = 0; index < rows->count; index++) {
        const struct line_programs *it = LINE_AS(programs, rows->each[index]);
        const struct line_counts *own = &it->counts;
        ran += it->compared;
        all_words += it->words;
        kept += it->kept;
        only += it->runs ? 0 : own->passed;
        printf("%-*s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               "  %s%s%s\n",
               width, it->path, it->device, it->runs ? own->passed : 0, it->runs ? 0 : own->passed,
               own->fail, own->crash + own->timeout, own->error + own->inconclusive + own->skip,
               verdict_name(it->verdict), it->note[0] ? ": " : "", it->note);
    }
    put_known(at);
    printf("\n");
    live_print_phases(summary);
    if (kept)
        printf("kept      code of %s, compiled by an earlier run\n", NUMBER_COUNT(kept, "program"));
    printf("\n%s  ", verdict_name(summary->verdict));
    if (failed > 0) /* a program that fails through three paths is three */
        printf("%s of ", NUMBER_COUNT(failed, "failure"));
    printf("%s, %s compared in %s words, %s compiled and not run, in %.1f s, %s a second%s%s%s\n",
           NUMBER_COUNT(summary->cases_done, "program"), NUMBER_WHOLE(ran), NUMBER_WHOLE(all_words),
           NUMBER_WHOLE(only), summary->seconds,
           NUMBER_WHOLE((uint64_t)((double)(ran + only) / summary->seconds)),
           summary->reason[0] ? ": " : "", summary->reason,
           live_is_emulated(at) ? "; no GPU was checked" : "");
}

static void tap_end(const struct live_at *at, const struct line_summary *summary)
{
    const struct loaded_lines *rows = &at->record->kinds[RECORD_programs];
    put_findings(at, summary);
    put_known(at);
    for (size_t index = 0; index < rows->count; index++) {
        const struct line_programs *it = LINE_AS(programs, rows->each[index]);
        char what[160];
        snprintf(what, sizeof what,
                 "programs %.32s %.48s: %" PRIu64 " of %" PRIu64 " compared, %" PRIu64 " %s",
                 it->device, it->path, it->compared, it->planned, it->counts.passed,
                 it->runs ? "right" : "compiled and not run");
        tap_line(it->verdict, what, it->note);
    }
}

const struct live_stream live_programs[] = {[FORMAT_TEXT] = {.begin = begin, .end = text_end},
                                            [FORMAT_TAP] = {.begin = begin, .end = tap_end}};
