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
#include "conformance/report/failure.h"
#include "conformance/report/scope.h"
#include "conformance/report/terminal.h"
#include "conformance/session/option_words.h"
#include "conformance/session/session.h"
#include "cuda/image.h"

static bool is_text(const struct gate_shown *shown)
{
    return comparison_writers[shown->options->comparison_format] == comparison_text;
}

enum { NAME_COLUMNS = 10 };

/* "name      text" a line, broken at 80 columns. */
static void put_about(FILE *file, const char *text)
{
    char line[GATE_WORDS_BYTES + 32];
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        const size_t whole = strcspn(text, "\n");
        const size_t bytes = whole < sizeof line ? whole : sizeof line - 1;
        memcpy(line, text, bytes);
        line[bytes] = 0;
        const size_t name_bytes = bytes < NAME_COLUMNS ? bytes : NAME_COLUMNS;
        fwrite(line, 1, name_bytes, file);
        escape_wrap(file, line + name_bytes, NAME_COLUMNS, 80);
    }
    fflush(file);
}

void gate_shown_begin(struct gate_shown *shown, const char *devices, int gpu_count)
{
    char now[SESSION_TIME_BYTES];
    shown->gpu_count = gpu_count;
    snprintf(shown->about, sizeof shown->about,
             "gate      assay %s, commit %.60s, begun %s, seed %" PRIu64 "\n"
             "toolkit   %.60s\ndevices   %.400s\n",
             build_version, build_commit, session_time(now), shown->options->seed,
             image_toolkit[0] ? image_toolkit : "none: no machine code in this program", devices);
    put_about(is_text(shown) ? stdout : stderr, shown->about);
}

void gate_shown_stack(struct gate_shown *shown, const struct loaded *loaded)
{
    struct written written;
    shown->loaded = loaded;
    if (shown->devices)
        return;
    written_open(&written);
    terminal_devices(written.file, &loaded->records[0]);
    shown->devices = written_close(&written);
    put_about(is_text(shown) ? stdout : stderr, shown->devices);
}

void gate_shown_wait(const char *name)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "%-9s ...", name);
}

void gate_shown_part(struct gate_shown *shown, const char *name, enum verdict verdict,
                     const char *words, const char *why)
{
    FILE *file = is_text(shown) ? stdout : stderr;
    if (isatty(STDERR_FILENO))
        output_erase_line();
    char line[GATE_WORDS_BYTES + 32]; /* with room for the name and the verdict */
    snprintf(line, sizeof line, "%-9s %s%s%s", name, verdict_name(verdict), words[0] ? "  " : "",
             words);
    put_about(file, line);
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
    const struct loaded *loaded = shown->loaded;
    struct written known, failures;
    written_open(&known);
    for (size_t index = 0; loaded && index < loaded->count; index++)
        scope_put_known(known.file, "", &loaded->records[index], shown->options->verbose);
    shown->known = written_close(&known);
    shown->known[strcspn(shown->known, "\n")] = 0;
    written_open(&failures);
    if (loaded) {
        struct document document;
        document_open(&document, loaded);
        terminal_failures(is_text(shown) ? stdout : failures.file, &document);
        document_close(&document);
    }
    shown->failures = written_close(&failures);
}

enum change gate_shown_comparison(struct gate_shown *shown, const struct loaded *loaded)
{
    comparison_writer *write = comparison_writers[shown->options->comparison_format];
    struct written written;
    if (is_text(shown)) {
        printf("\n");
        return comparison_write(stdout, loaded, write, true);
    }
    written_open(&written);
    const enum change change = comparison_write(written.file, loaded, write, true);
    shown->comparison = written_close(&written);
    return change;
}

static bool is_known_present(const struct line *line)
{
    const struct line_known *known = LINE_AS(known, line);
    return known && known->present;
}

/* The lines of the records that are taken, as they are there. */
static json_t *lines_json(const struct gate_shown *shown, bool (*takes)(const struct line *line))
{
    json_t *all = json_array();
    const size_t count = shown->loaded ? shown->loaded->count * LOADED_KIND_COUNT : 0;
    for (size_t at = 0; at < count; at++) {
        const int kind = (int)(at % LOADED_KIND_COUNT);
        const struct loaded_lines *it = &shown->loaded->records[at / LOADED_KIND_COUNT].kinds[kind];
        for (size_t index = 0; index < it->count; index++)
            if (takes(it->each[index]))
                json_array_append_new(all, line_object(it->each[index]));
    }
    return all;
}

static bool put_json(const struct gate_shown *shown, enum verdict verdict, const char *why,
                     double seconds)
{
    json_t *parts = json_array(), *devices = json_array(), *comparisons = json_array();
    /* The first record is of bits, which are checked on all devices. */
    const struct loaded_record *first = shown->loaded ? shown->loaded->records : NULL;
    for (size_t index = 0; first && index < first->kinds[RECORD_device].count; index++)
        json_array_append_new(devices, line_object(first->kinds[RECORD_device].each[index]));
    if (shown->comparison)
        json_array_append_new(comparisons, json_loads(shown->comparison, 0, NULL));
    for (int index = 0; index < shown->part_count; index++) {
        const struct gate_shown_part *part = &shown->parts[index];
        json_array_append_new(parts, json_pack("{s:s, s:s, s:o}", "part", part->name, "verdict",
                                               verdict_name(part->verdict), "words",
                                               value_of_text(part->words)));
    }
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:i, s:o, s:o, s:o?, s:o?, s:i, s:o?, s:o, s:o, s:o, s:o, s:o}",
                  "gate", "assay", "version", 1, "verdict", verdict_name(verdict), "exit_status",
                  (int)verdict_exit_status(verdict), "why", value_of_text(why), "seconds",
                  value_of_number(seconds), "baseline", value_of_text(shown->options->baseline),
                  "record", value_of_text(shown->options->record), "gpus", shown->gpu_count,
                  "header", first ? line_object(&first->header->line) : NULL, "devices", devices,
                  "parts", parts, "failures", lines_json(shown, failure_fails), "comparisons",
                  comparisons, "known", lines_json(shown, is_known_present));
    const bool whole = root && json_dumpf(root, stdout, VALUE_WRITTEN) == 0;
    printf("\n");
    json_decref(root);
    return whole;
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
                .exit_status = verdict_exit_status(verdict), .baseline = shown->options->baseline,
                .ended_early = shown->is_cut, .seconds = seconds, .parts = {parts, count});
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

bool gate_shown_end(struct gate_shown *shown, enum verdict verdict, const char *why, double seconds)
{
    const struct options *options = shown->options;
    FILE *hints = is_text(shown) ? stdout : stderr;
    const char *no_gpu = shown->gpu_count > 0 ? "" : "; no GPU was checked";
    bool whole = true;
    if (comparison_writers[options->comparison_format] == comparison_json) {
        whole = put_json(shown, verdict, why, seconds);
    } else if (!is_text(shown)) {
        printf("**%s**: ", verdict_name(verdict));
        escape_markdown(stdout, why);
        printf("%sin %.1f s%s\n\n| part | verdict | |\n|---|---|---|\n", why[0] ? ", " : "",
               seconds, no_gpu);
        for (int index = 0; index < shown->part_count; index++) {
            printf("| %s | %s | ", shown->parts[index].name,
                   verdict_name(shown->parts[index].verdict));
            escape_markdown(stdout, shown->parts[index].words);
            printf(" |\n");
        }
        printf("\n~~~text\n%s%s~~~\n", shown->about, shown->devices ? shown->devices : "");
        if (shown->known && shown->known[0]) {
            printf("\n");
            escape_markdown(stdout, shown->known);
            printf("\n");
        }
        if (shown->failures && shown->failures[0]) /* no line of it begins with a tilde */
            printf("\n~~~text\n%s~~~\n", shown->failures);
        printf("\n%s", shown->comparison ? shown->comparison : "");
    } else {
        printf("\n");
        if (shown->known && shown->known[0])
            escape_row(stdout, "known", shown->known);
        printf("%s  ", verdict_name(verdict));
        escape_line(stdout, why, GATE_WORDS_BYTES);
        printf("%sin %.1f s%s\n", why[0] ? "; " : "", seconds, no_gpu);
    }
    if (options->baseline == NULL && options->record && !shown->is_cut)
        put_next(hints, shown, verdict);
    else if (options->baseline == NULL && options->record == NULL)
        fputs("No baseline was recorded: with -o FILE a gate records one.\n", hints);
    return whole && fflush(stdout) == 0 && !ferror(stdout);
}

void gate_shown_close(struct gate_shown *shown)
{
    free(shown->devices);
    free(shown->failures);
    free(shown->comparison);
    free(shown->known);
    shown->devices = shown->failures = shown->comparison = shown->known = NULL;
}
