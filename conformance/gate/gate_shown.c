/* Three forms of what a gate found (gate_shown.h). Clause: gate.output.formats. */
#include "conformance/gate/gate_shown.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/build_info.h"
#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/report/reporter.h"
#include "conformance/report/scope.h"
#include "conformance/report/terminal.h"
#include "conformance/session/option_words.h"
#include "conformance/session/session.h"
#include "cuda/image.h"

static bool is_text(const struct gate_shown *shown)
{
    return shown->options->format == FORMAT_TEXT;
}

/* Where lines go while the gate runs: other formats have standard output to themselves. */
static FILE *lines_of(const struct gate_shown *shown)
{
    return is_text(shown) ? stdout : stderr;
}

enum { NAME_COLUMNS = 10 };

void gate_shown_begin(struct gate_shown *shown, const char *devices, int gpu_count)
{
    char now[SESSION_TIME_BYTES];
    const struct line_header header = {.assay = build_version,
                                       .commit = build_commit,
                                       .started = session_time(now),
                                       .seed = shown->options->seed,
                                       .toolkit = image_toolkit,
                                       .devices_chosen = devices};
    shown->gpu_count = gpu_count;
    if (!shown->options->quiet)
        terminal_about(lines_of(shown), "gate", &header);
    fflush(lines_of(shown));
}

void gate_shown_stack(struct gate_shown *shown, const struct loaded *loaded)
{
    shown->loaded = loaded;
    if (!shown->has_stack && !shown->options->quiet)
        terminal_devices(lines_of(shown), &loaded->records[0]);
    shown->has_stack = true;
    fflush(lines_of(shown));
}

void gate_shown_wait(const char *name)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "%-9s ...", name);
}

void gate_shown_part(struct gate_shown *shown, const char *name, enum verdict verdict,
                     const char *words, const char *why)
{
    const bool is_told =
        !shown->options->quiet || (verdict != VERDICT_PASS && verdict != VERDICT_DECLINED);
    if (isatty(STDERR_FILENO))
        output_erase_line();
    char text[GATE_WORDS_BYTES + 32]; /* with room for the verdict */
    snprintf(text, sizeof text, "%s%s%s", verdict_name(verdict), words[0] ? "  " : "", words);
    if (is_told)
        escape_row(lines_of(shown), name, text);
    fflush(lines_of(shown));
    if (shown->part_count == GATE_SHOWN_PARTS_MAX)
        return;
    struct gate_shown_part *part = &shown->parts[shown->part_count++];
    part->name = name;
    part->verdict = verdict;
    snprintf(part->words, sizeof part->words, "%s", words);
    snprintf(part->why, sizeof part->why, "%s", why);
    part->in_baseline = shown->in_baseline;
    shown->in_baseline = 0;
}

void gate_shown_record(struct gate_shown *shown, const char *name, const char *noun,
                       const struct loaded_record *record, const struct assessment *assessment)
{
    const struct line_summary *summary = loaded_summary(record);
    char words[GATE_WORDS_BYTES], phases[SESSION_PHASES_BYTES];
    char compiled[SESSION_COMPILED_BYTES];
    session_phases_text(summary->phases.each, summary->phases.count, phases);
    session_compiled_text(summary->compiled, summary->compiled_cached.count, compiled);
    snprintf(words, sizeof words, "%s, in %.1f s%s%s%s%s%s%s",
             NUMBER_COUNT(summary->counts.passed, noun), summary->seconds, phases[0] ? " (" : "",
             phases, phases[0] ? ")" : "", compiled, assessment->reason[0] ? ": " : "",
             assessment->reason);
    gate_shown_part(shown, name, assessment->verdict, words, assessment->reason);
}

const char *gate_shown_agreed(enum change change)
{
    static const char *const words[CHANGE_COUNT] = {
        [CHANGE_SAME] = "SAME as the baseline",
        [CHANGE_BETTER] = "BETTER than the baseline",
        [CHANGE_NOT_COMPARABLE] = "",
        [CHANGE_REGRESSED] = "",
    };
    return words[change];
}

void gate_shown_found(struct gate_shown *shown)
{
    struct document document;
    if (!is_text(shown) || shown->loaded == NULL)
        return;
    document_open(&document, shown->loaded);
    terminal_failures(stdout, &document);
    document_close(&document);
}

enum change gate_shown_comparison(struct gate_shown *shown, const struct loaded *loaded)
{
    comparison_writer *write =
        shown->options->format == FORMAT_JSON ? comparison_json : comparison_markdown;
    struct written written;
    written_open(&written);
    const enum change change =
        comparison_write(written.file, loaded, is_text(shown) ? comparison_text : write, true);
    shown->comparison = written_close(&written);
    if (is_text(shown) && (!shown->options->quiet || change > CHANGE_BETTER))
        printf("\n%s", shown->comparison);
    return change;
}

const struct line *gate_shown_line(const struct gate_shown *shown, enum verdict verdict,
                                   const char *why, double seconds, struct zone *zone)
{
    struct line_gate_part *parts = zone_take(zone, (size_t)shown->part_count * sizeof *parts);
    size_t count = 0;
    for (const struct gate_shown_part *it = shown->parts; it < shown->parts + shown->part_count;
         it++)
        if (it->verdict != VERDICT_DECLINED) /* then it was not asked for */
            parts[count++] = (struct line_gate_part){.part = it->name,
                                                     .verdict = it->verdict,
                                                     .note = it->words,
                                                     .in_baseline = it->in_baseline};
    return LINE(zone, gate, .verdict = verdict_of_whole(verdict), .reason = why,
                .exit_status = verdict_exit_status(verdict), .awaits_merge = shown->awaits_merge,
                .baseline = shown->options->baseline, .ended_early = shown->is_cut,
                .seconds = seconds, .parts = {parts, count});
}

/* What is missing in a baseline that is not PASS; then the command that compares this stack with
 * it, which runs what this gate ran. */
static void put_next(FILE *file, const struct gate_shown *shown, enum verdict verdict)
{
    static const char *const left_out[] = {"output", "baseline", "format", "verbose", NULL};
    char word[SHELL_WORD_BYTES], missing[GATE_SHOWN_PARTS_MAX * ASSESSMENT_REASON_BYTES] = "";
    char *words = heap_take(1, OPTION_WORDS_BYTES);
    for (int index = 0; index < shown->part_count && verdict != VERDICT_PASS; index++) {
        const struct gate_shown_part *part = &shown->parts[index];
        if (part->verdict != VERDICT_PASS && part->verdict != VERDICT_DECLINED)
            text_join(missing, sizeof missing, "; ", "%s %s, %s", part->name,
                      verdict_name(part->verdict), part->why);
    }
    if (missing[0]) {
        fputs("Not PASS: ", file);
        escape_wrap(file, missing, NAME_COLUMNS, 80);
    }
    fputs("Recorded a baseline; compare with it: assay gate --baseline ", file);
    escape_line(file, shell_word(shown->options->record, word), ESCAPE_LETTERS_MAX);
    option_words(shown->options, "gate", left_out, words);
    escape_line(file, words, ESCAPE_LETTERS_MAX);
    fputc('\n', file);
    free(words);
}

/* What a shard is for. */
static void put_shard(FILE *file, const struct gate_shown *shown)
{
    char shard[SHARD_TEXT_BYTES], word[SHELL_WORD_BYTES];
    const struct options *options = shown->options;
    if (options->record == NULL)
        fputs("No record was written: `assay merge` needs those of all shards (-o FILE).\n", file);
    if (options->record == NULL || shown->is_cut)
        return;
    fprintf(file, "Recorded %s; with the records of all: assay merge ",
            shard_text(&options->shard, shard));
    escape_line(file, shell_word(options->record, word), ESCAPE_LETTERS_MAX);
    fputs(" ...\n", file);
}

/* The known miscompiles, and the verdict. */
static void put_verdict(const struct gate_shown *shown, const struct line_gate *gate)
{
    struct written known;
    written_open(&known);
    for (size_t index = 0; shown->loaded && index < shown->loaded->count; index++)
        scope_put_known(known.file, "", &shown->loaded->records[index], shown->options->verbose);
    char *text = written_close(&known);
    text[strcspn(text, "\n")] = 0;
    printf("\n");
    if (text[0])
        escape_row(stdout, "known", text);
    free(text);
    printf("%s  ", verdict_name(gate->verdict));
    escape_line(stdout, gate->reason, GATE_WORDS_BYTES);
    printf("%sin %.1f s%s\n", gate->reason[0] ? "; " : "", gate->seconds,
           shown->gpu_count > 0 ? "" : "; no GPU was checked");
}

bool gate_shown_end(struct gate_shown *shown, const struct line_gate *gate)
{
    static const struct loaded none = {.count = 0};
    const struct options *options = shown->options;
    if (is_text(shown)) {
        if (!options->quiet || gate->verdict != VERDICT_PASS)
            put_verdict(shown, gate);
    } else {
        struct report report = {.file = stdout};
        struct document document;
        document_open_gate(&document, shown->loaded ? shown->loaded : &none, gate);
        document.changes = shown->comparison;
        reporters[options->format]->end(&report, &document);
        document_close(&document);
    }
    FILE *hints = lines_of(shown);
    if (options->quiet)
        return fflush(stdout) == 0 && !ferror(stdout);
    if (options->shard.count > 0)
        put_shard(hints, shown);
    else if (options->baseline == NULL && options->record && !shown->is_cut)
        put_next(hints, shown, gate->verdict);
    else if (options->baseline == NULL && options->record == NULL)
        fputs("No baseline was recorded: with -o FILE a gate records one.\n", hints);
    return fflush(stdout) == 0 && !ferror(stdout);
}

void gate_shown_close(struct gate_shown *shown)
{
    free(shown->comparison);
    shown->comparison = NULL;
}
