/* Lines of a record as they arrive, and what they are shown with (live.h). Clause:
 * report.live.lines. */
#include "conformance/report/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/meaning.h"
#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/reporter.h"
#include "conformance/report/terminal.h"

/* Findings of one run that are shown as they are found. */
enum { SHOWN_MAX = 64 };

struct live {
    struct live_options options;
    struct session_sink sink;
    struct loaded loaded;
    struct loaded_reader reader;
    const struct live_measure *measure;
    struct live_at at;
    bool has_progress;                /* the terminal shows how far it is */
    const struct line_gate *gate;     /* the line of a command of several parts, or NULL */
    char nothing[FINDING_NOTE_BYTES]; /* why there will be no line, or "" */
    struct zone zone;                 /* of that, and of what was shown: */
    struct {
        struct line_subject subject;
        enum verdict verdict;
    } shown[SHOWN_MAX];
    size_t shown_count;
};

/* The measures, each with its streams by format. */
static const struct live_measure {
    const char *command, *part; /* of records of it */
    bool is_of_programs;        /* generated programs, whose records have no kernels */
    const char *noun;           /* "the bench as a whole" */
    const struct live_stream *streams;
} measures[] = {
    {"bench", "speed", false, "bench", live_bench},
    {"codegen", "code", false, "codegen", live_code},
    {"run", "programs", true, "run", live_programs},
    {"replay", "programs", true, "run", live_programs},
    {"run", "bits", false, "run", live_bits},
    {"run", "kernels", false, "run", live_bits},
    {"replay", "bits", false, "run", live_bits},
};

/* The measure that writes records with this header. */
static const struct live_measure *measure_of(const struct line_header *header)
{
    for (size_t index = 0; index < sizeof measures / sizeof measures[0]; index++) {
        const struct live_measure *it = &measures[index];
        if (strcmp(header->part[0] ? header->part : header->command,
                   header->part[0] ? it->part : it->command) == 0 &&
            (!it->is_of_programs || header->kernels.count == 0))
            return it;
    }
    return NULL;
}

/* True for a finding that is shown: the first of its kernel, path, device and verdict. Hangs are
 * few, and each may be the machine's. */
static bool is_shown(struct live *live, const struct line_finding *finding)
{
    const struct line_subject *subject = &finding->subject;
    bool is_first = true;
    for (size_t index = 0; index < live->shown_count; index++)
        is_first = is_first && !(live->shown[index].verdict == finding->finding &&
                                 line_is_of_subject(&live->shown[index].subject, subject));
    if (live->shown_count == SHOWN_MAX || (!is_first && finding->finding != VERDICT_TIMEOUT)) {
        live->at.unshown++;
        return false;
    }
    live->shown[live->shown_count].verdict = finding->finding;
    live->shown[live->shown_count++].subject =
        (struct line_subject){.device = zone_text(&live->zone, subject->device),
                              .kernel = zone_text(&live->zone, subject->kernel),
                              .path = zone_text(&live->zone, subject->path)};
    return true;
}

/* What a terminal showed of the progress makes way. */
static void clear_progress(struct live *live)
{
    if (live->has_progress)
        output_erase_line();
    live->has_progress = false;
}

static void show_whole(const struct live *live, const char *noun, enum verdict verdict,
                       const char *text)
{
    char whole[64];
    if (live->options.format == FORMAT_TEXT)
        return;
    snprintf(whole, sizeof whole, "the %s as a whole", noun);
    tap_line(verdict, whole, text);
    tap_plan();
}

static void show_end(const struct live *live, const struct live_stream *stream,
                     const struct line_summary *summary)
{
    if (stream->end)
        stream->end(&live->at, summary);
    if (live->at.record->header->part[0] == 0)
        show_whole(live, live->measure->noun, summary->verdict, summary->reason);
}

/* The parts of a run, and its verdict: "PASS  kernels PASS, generated programs PASS". */
static void show_parts(const struct live *live, const struct line_gate *gate)
{
    char text[2 * FINDING_NOTE_BYTES + 128] = "";
    bool has_reason = gate->reason[0] == 0;
    for (size_t at = 0; at < gate->parts.count; at++) {
        const struct line_gate_part *it = &gate->parts.each[at];
        has_reason = has_reason || strcmp(it->note, gate->reason) == 0;
        text_join(text, sizeof text, ", ", "%s%s %s%s%s%s",
                  strcmp(it->part, "programs") == 0 ? "generated " : "", it->part,
                  verdict_name(it->verdict), it->note[0] ? " (" : "", it->note,
                  it->note[0] ? ")" : "");
    }
    if (!has_reason)
        text_join(text, sizeof text, "; ", "%s", gate->reason);
    if (live->options.format == FORMAT_TEXT)
        printf("\n%s  %s\n", verdict_name(gate->verdict), text);
    show_whole(live, live->at.record ? live->at.record->header->command : "run", gate->verdict,
               text);
}

static void show(struct live *live, const struct live_stream *stream, const struct line *line)
{
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_gaps *gaps = LINE_AS(gaps, line);
    if (gaps)
        gaps_write(stdout, live->at.prefix, gaps);
    else if (line->kind == RECORD_summary)
        show_end(live, stream, LINE_AS(summary, line));
    else if (finding || line->kind == RECORD_reduced) {
        if (stream->finding && (finding == NULL || is_shown(live, finding)))
            stream->finding(&live->at, line);
    } else if (stream->line)
        stream->line(&live->at, line);
    if (!line_kind(line->kind).is_measured)
        return;
    live->at.measured_kind = line->kind;
    snprintf(live->at.measured_device, sizeof live->at.measured_device, "%s",
             line_view(line).device);
}

/* A line of text or TAP for one of the record. */
static bool is_stream(const struct live *live)
{
    return live->options.format == FORMAT_TAP ||
           (live->options.format == FORMAT_TEXT && !live->options.is_quiet);
}

/* The next record. */
static void begin_record(struct live *live, const struct record_entry *entry)
{
    const bool is_first = live->loaded.count == 0;
    loaded_line(&live->reader, entry);
    live->at.record = live->reader.record;
    live->at.unshown = 0;
    live->at.measured_device[0] = 0;
    live->at.measured_kind = (enum record_kind)0;
    live->shown_count = 0;
    live->measure = measure_of(live->at.record->header);
    if (!is_first && live->options.format == FORMAT_TEXT && is_stream(live))
        printf("\n");
}

void live_entry(struct live *live, const struct record_entry *entry)
{
    struct zone zone = {.blocks = NULL};
    if (live == NULL)
        return;
    clear_progress(live);
    if (entry->kind == RECORD_header)
        begin_record(live, entry);
    const struct live_stream *stream =
        live->measure && is_stream(live) ? &live->measure->streams[live->options.format] : NULL;
    if (entry->kind == RECORD_gate)
        live->gate = LINE_AS(gate, line_read(&live->zone, entry->kind, entry->object));
    if (entry->kind == RECORD_gate && is_stream(live))
        show_parts(live, live->gate);
    else if (stream && entry->kind == RECORD_header && stream->begin)
        stream->begin(&live->at);
    else if (stream && entry->kind != RECORD_header && entry->kind != RECORD_end)
        show(live, stream, line_read(&zone, entry->kind, entry->object));
    if (entry->kind != RECORD_header && live->reader.record)
        loaded_line(&live->reader, entry);
    fflush(stdout);
    zone_free(&zone);
}

/* A reader of the record gets the line with the digits that are written. */
static void take_line(void *context, const struct line *line)
{
    json_error_t error;
    json_t *made = line_json(line);
    char *text = json_dumps(made, VALUE_WRITTEN);
    heap_need(text);
    json_t *read = form_parse(text, strlen(text), 0, &error);
    heap_need(read);
    const struct record_entry entry = record_entry_of(read);
    live_entry(context, &entry);
    json_decref(read);
    json_decref(made);
    free(text);
}

/* Only a terminal shows it. */
static void take_progress(void *context, const struct session_progress *progress)
{
    struct live *live = context;
    if (live->options.format == FORMAT_TAP || live->options.is_quiet || !isatty(STDERR_FILENO))
        return;
    output_erase_line();
    if (progress->due > 0)
        fprintf(stderr, "%llu of %s, %s, %.0f s left", (unsigned long long)progress->done,
                NUMBER_COUNT(progress->due, progress->noun), progress->doing,
                progress->left_s > 0 ? progress->left_s : 0);
    else
        fputs(progress->doing, stderr);
    fflush(stderr);
    live->has_progress = true;
}

static void take_nothing(void *context, enum verdict verdict, const char *why)
{
    struct live *live = context;
    snprintf(live->nothing, sizeof live->nothing, "%s", why);
    if (live->options.format == FORMAT_TAP)
        printf(verdict == VERDICT_SKIP ? "1..0 # SKIP %s\n" : "Bail out! %s\n", why);
}

struct live *live_open(const struct live_options *options)
{
    if (options->format == FORMAT_JSON)
        return NULL;
    struct live *live = heap_take(1, sizeof *live);
    live->options = *options;
    live->sink = (struct session_sink){
        .context = live, .line = take_line, .progress = take_progress, .nothing = take_nothing};
    live->loaded.file_count = 1;
    live->loaded.names_known = options->names_known && options->format != FORMAT_PAGE;
    live->reader = (struct loaded_reader){.loaded = &live->loaded,
                                          .path = options->record ? options->record : "this run"};
    live->at.options = &live->options;
    live->at.prefix = options->format == FORMAT_TAP ? "# " : "";
    return live;
}

struct live *live_of(const char *command, const struct options *options, live_comparer *compare)
{
    return live_open(&(struct live_options){.command = command,
                                            .record = options->record,
                                            .format = (enum output_format)options->format,
                                            .is_quiet = options->quiet,
                                            .names_known = options->verbose,
                                            .compare = compare});
}

const struct session_sink *live_sink(struct live *live)
{
    return live ? &live->sink : NULL;
}

/* The verdict of a command that ended with the status and left no line. */
static enum verdict verdict_of(int status)
{
    for (int verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++)
        if ((int)meaning_of((enum verdict)verdict)->exit_status == status)
            return (enum verdict)verdict;
    return VERDICT_ERROR;
}

/* Records that have their summary are whole here: what ends them in a file is not given. */
static void open_document(struct live *live, int status, struct document *ret)
{
    struct loaded *loaded = &live->loaded;
    struct line_gate none = {
        .verdict = verdict_of(status), .reason = live->nothing, .baseline = ""};
    for (size_t at = 0; at < loaded->count; at++) {
        loaded_settle(&loaded->records[at]);
        loaded->records[at].has_end = loaded->records[at].summary != NULL;
        loaded->records[at].gate_has_end = loaded->records[at].gate != NULL;
    }
    if (loaded->count > 0)
        document_open(ret, loaded);
    else
        document_open_gate(ret, loaded, live->gate ? live->gate : &none);
    if (ret->command[0] == 0)
        ret->command = live->options.command;
    if (status == EXIT_STATUS_HARNESS && ret->verdict != VERDICT_ERROR) {
        ret->verdict = VERDICT_ERROR;
        ret->reason = "the command failed after its last line; standard error has the reason";
    }
}

int live_end(struct live *live, int status)
{
    struct document document;
    if (live == NULL)
        return status;
    clear_progress(live);
    const bool has_lines = live->loaded.count > 0 || live->gate;
    const bool is_quiet = live->options.is_quiet && live->options.format == FORMAT_TEXT;
    const bool is_told = has_lines || !(is_quiet || status == EXIT_STATUS_USAGE);
    if (!is_stream(live) && is_told) {
        struct report report = {
            .file = stdout, .unicode = terminal_unicode(), .is_quiet = live->options.is_quiet};
        open_document(live, status, &document);
        reporters[live->options.format]->end(&report, &document);
        document_close(&document);
        status = output_end(live->options.command, status);
    }
    loaded_close(&live->loaded);
    zone_free(&live->zone);
    free(live);
    return status;
}
