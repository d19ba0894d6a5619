/* Lines of a record as they arrive, and what they are shown with (live.h). Clause:
 * report.live.lines. */
#include "conformance/report/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/gaps.h"

/* Findings of one run that are shown as they are found. */
enum { SHOWN_MAX = 64 };

struct live {
    struct live_options options;
    struct session_sink sink;
    struct loaded loaded;
    struct loaded_reader reader;
    const struct live_measure *measure;
    struct live_at at;
    bool has_progress; /* the terminal shows how far it is */
    struct zone zone;  /* of what was shown: */
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
    {"codegen", "code", false, "look at machine code", live_code},
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

static void show_end(const struct live *live, const struct live_stream *stream,
                     const struct line_summary *summary)
{
    char whole[64];
    if (stream->end)
        stream->end(&live->at, summary);
    if (live->options.format != FORMAT_TAP || live->at.record->header->part[0])
        return;
    snprintf(whole, sizeof whole, "the %s as a whole", live->measure->noun);
    tap_line(summary->verdict, whole, summary->reason);
    tap_plan();
}

static void show(struct live *live, const struct live_stream *stream, const struct line *line)
{
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_gaps *gaps = LINE_AS(gaps, line);
    clear_progress(live);
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

/* Shows the next line, the header first. */
static void take_entry(struct live *live, const struct record_entry *entry)
{
    const bool is_header = entry->kind == RECORD_header;
    struct zone zone = {.blocks = NULL};
    if (is_header) {
        loaded_line(&live->reader, entry);
        live->at.record = live->reader.record;
        live->measure = measure_of(live->at.record->header);
    }
    const struct live_stream *stream =
        live->measure ? &live->measure->streams[live->options.format] : NULL;
    if (stream && is_header && stream->begin)
        stream->begin(&live->at);
    if (stream && !is_header)
        show(live, stream, line_read(&zone, entry->kind, entry->object));
    if (!is_header)
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
    take_entry(context, &entry);
    json_decref(read);
    json_decref(made);
    free(text);
}

/* Only a terminal shows it. */
static void take_progress(void *context, const struct session_progress *progress)
{
    struct live *live = context;
    if (live->options.format != FORMAT_TEXT || !isatty(STDERR_FILENO))
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
    const struct live *live = context;
    if (live->options.format == FORMAT_TAP)
        printf(verdict == VERDICT_SKIP ? "1..0 # SKIP %s\n" : "Bail out! %s\n", why);
}

struct live *live_open(const struct live_options *options)
{
    if (options->format != FORMAT_TEXT && options->format != FORMAT_TAP)
        return NULL;
    struct live *live = heap_take(1, sizeof *live);
    live->options = *options;
    live->sink = (struct session_sink){
        .context = live, .line = take_line, .progress = take_progress, .nothing = take_nothing};
    live->loaded.file_count = 1;
    live->reader = (struct loaded_reader){.loaded = &live->loaded, .path = "this run"};
    live->at.options = &live->options;
    live->at.prefix = options->format == FORMAT_TAP ? "# " : "";
    return live;
}

const struct session_sink *live_sink(struct live *live)
{
    return live ? &live->sink : NULL;
}

void live_close(struct live *live)
{
    if (live == NULL)
        return;
    loaded_close(&live->loaded);
    zone_free(&live->zone);
    free(live);
}
