/* Processes of the parts of a command, and the file of their records (parts.h). Clauses:
 * gate.parts.apart, gate.parts.stopped, gate.parts.exclusive, gate.parts.concurrent. */
#include "conformance/session/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"

/* A part also sends lines that do not go into the file: what it does now, and at its end the reason
 * of its result. */
static const char note_of_now[] = "!now ", note_of_why[] = "!why ";

static void add_text(struct part_text *text, const char *bytes, size_t count)
{
    char *each = realloc(text->each, text->count + count + 1);
    heap_need(each);
    memcpy(each + text->count, bytes, count);
    each[text->count += count] = 0;
    text->each = each;
}

/* Removes the first bytes. */
static void drop_text(struct part_text *text, size_t count)
{
    memmove(text->each, text->each + count, text->count - count + 1);
    text->count -= count;
}

struct parts *parts_open(const char *command, const struct options *options, bool to_stdout,
                         const struct probe_choice *chosen, const char *const *names,
                         struct reason *ret_reason)
{
    const char *paths[2] = {options->record, to_stdout ? "-" : NULL};
    struct parts *parts = heap_take(1, sizeof *parts);
    *parts =
        (struct parts){.command = command, .options = options, .chosen = chosen, .names = names};
    for (int index = 0; index < 2; index++) {
        struct record *record = paths[index] ? record_create(paths[index], ret_reason) : NULL;
        if (paths[index] && record == NULL) {
            parts_close(parts);
            return NULL;
        }
        if (record)
            parts->records[parts->record_count++] = record;
    }
    return parts;
}

struct session_part *parts_add(struct parts *parts, const char *name, const struct measure *measure,
                               const struct options *options)
{
    struct session_part *part = &parts->each[parts->count++];
    *part = (struct session_part){.name = name,
                                  .measure = measure,
                                  .options = *options,
                                  .verdict = VERDICT_COUNT,
                                  .lines_fd = -1,
                                  .token = {.waits_fd = -1, .gives_fd = -1}};
    part->options.chosen = parts->chosen;
    part->options.part = name;
    part->options.parts = parts->names;
    part->options.parts_of = parts->command;
    part->options.exit_zero = false;
    return part;
}

static void stop_all(struct parts *parts)
{
    for (int index = 0; index < parts->count; index++)
        parts_stop(&parts->each[index]);
}

/* Keeps why the records could not be written, and ends the parts. */
static void fail(struct parts *parts, const char *why)
{
    if (parts->error[0])
        return;
    snprintf(parts->error, sizeof parts->error, "%.200s", why);
    fprintf(stderr, "assay: cannot write the record: %s; the run stops\n", why);
    stop_all(parts);
}

static void write_text(struct parts *parts, const char *text, size_t bytes)
{
    for (int index = 0; index < parts->record_count; index++)
        if (!record_text_line(parts->records[index], text, bytes))
            fail(parts, record_error(parts->records[index]));
}

/* Says that the next lines are of that part. */
static void write_marker(struct parts *parts, const struct session_part *part)
{
    struct zone zone = {.blocks = NULL};
    json_t *line = line_json(LINE(&zone, lines_of, .lines_of = part->name));
    char *text = json_dumps(line, VALUE_WRITTEN);
    heap_need(text);
    const size_t bytes = strlen(text);
    text[bytes] = '\n'; /* in the place of its 0 */
    write_text(parts, text, bytes + 1);
    free(text);
    json_decref(line);
    zone_free(&zone);
}

/* Gives a line to whoever reads them. A part ends with its reader. */
static void give(struct parts *parts, const struct session_part *part, json_t *line)
{
    const struct record_entry entry = record_entry_of(line);
    if (parts->take)
        parts->take(parts->context, part, &entry);
    json_decref(line);
    if (ferror(stdout))
        stop_all(parts);
}

/* Gives what has waited until now. */
static void give_waiting(struct parts *parts, struct session_part *part)
{
    for (size_t index = 0; index < part->waiting_count; index++)
        give(parts, part, part->waiting[index]);
    part->waiting_count = 0;
}

/* Puts a line of the part's record into the file, and gives it to whoever reads them. */
static void take_line(struct parts *parts, struct session_part *part, const char *text,
                      size_t bytes)
{
    json_error_t error;
    json_t *line = form_parse(text, bytes - 1, 0, &error);
    const struct record_entry entry = record_entry_of(line);
    if (entry.kind == RECORD_KIND_COUNT) {
        fail(parts, "a part sent what is no line of a record");
        json_decref(line);
        return;
    }
    if (entry.kind != RECORD_header && parts->wrote != part)
        write_marker(parts, part);
    write_text(parts, text, bytes);
    parts->wrote = part;
    part->has_record = true;
    if (entry.kind == RECORD_summary) {
        struct zone zone = {.blocks = NULL};
        const struct line_summary *summary =
            LINE_AS(summary, line_read(&zone, entry.kind, entry.object));
        part->verdict = summary->verdict;
        part->awaits_merge = summary->awaits_merge;
        zone_free(&zone);
    }
    if (parts->current == part) {
        give(parts, part, line);
        return;
    }
    HEAP_ROOM(part->waiting, part->waiting_count);
    part->waiting[part->waiting_count++] = line;
}

/* Shows what a part does now, if it is the current one. */
static void take_now(const struct parts *parts, const struct session_part *part, const char *text)
{
    char noun[32], doing[128];
    unsigned long long done, due;
    struct session_progress now = {.noun = noun, .doing = doing};
    if (parts->current != part || parts->progress == NULL ||
        sscanf(text, "%llu %llu %lf %31[^|]|%127[^\n]", &done, &due, &now.left_s, noun, doing) != 5)
        return;
    now.done = done;
    now.due = due;
    parts->progress(parts->context, &now);
}

static void take_lines(struct parts *parts, struct session_part *part)
{
    const char *newline;
    size_t taken = 0;
    while (part->line.each &&
           (newline = memchr(part->line.each + taken, '\n', part->line.count - taken)) != NULL) {
        const char *text = part->line.each + taken;
        const size_t bytes = (size_t)(newline - text) + 1;
        if (strncmp(text, note_of_now, strlen(note_of_now)) == 0)
            take_now(parts, part, text + strlen(note_of_now));
        else if (strncmp(text, note_of_why, strlen(note_of_why)) == 0)
            snprintf(part->why, sizeof part->why, "%.*s", (int)(bytes - strlen(note_of_why) - 1),
                     text + strlen(note_of_why));
        else
            take_line(parts, part, text, bytes);
        taken += bytes;
    }
    if (taken > 0)
        drop_text(&part->line, taken);
}

/* Reads what has arrived. */
static void read_all(int fd, struct part_text *text)
{
    char bytes[1 << 16];
    ssize_t count;
    while (fd >= 0 &&
           ((count = read(fd, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR)))
        if (count > 0)
            add_text(text, bytes, (size_t)count);
}

/* True when the part has ended and everything that it sent has been read. */
static bool is_over(const struct session_part *part)
{
    return part->watch.has_ended && part->lines_fd < 0;
}

/* Reads what the parts have sent, or waits a moment for it, and for `fd` unless it is negative;
 * looks which of them have ended. */
static void serve(struct parts *parts, int fd)
{
    enum { MOMENT_MS = 20 };
    struct pollfd polled[PARTS_MAX + 1] = {{.fd = fd, .events = POLLIN}};
    nfds_t count = 1;
    for (struct session_part *it = parts->each; it < parts->each + parts->count; it++)
        if (it->has_begun && !it->watch.has_ended)
            polled[count++] = (struct pollfd){.fd = it->lines_fd, .events = POLLIN};
    poll(polled, count, MOMENT_MS);
    for (struct session_part *it = parts->each; it < parts->each + parts->count; it++) {
        if (!it->has_begun || is_over(it))
            continue;
        const bool has_ended = process_watch(&it->watch); /* what it sent has arrived by then */
        read_all(it->lines_fd, &it->line);
        take_lines(parts, it);
        if (has_ended && it->lines_fd >= 0)
            close(it->lines_fd);
        it->lines_fd = has_ended ? -1 : it->lines_fd;
    }
}

/* Who shows a part in its own process: nobody but its progress, which the other process shows. */
static void ignore_line(void *context, const struct line *line)
{
    (void)context, (void)line;
}

static void send_progress(void *context, const struct session_progress *it)
{
    const int *lines_fd = context;
    if (isatty(STDERR_FILENO))
        dprintf(*lines_fd, "%s%llu %llu %.3f %s|%s\n", note_of_now, (unsigned long long)it->done,
                (unsigned long long)it->due, it->left_s, it->noun ? it->noun : "thing", it->doing);
}

static void ignore_nothing(void *context, enum verdict verdict, const char *why)
{
    (void)context, (void)verdict, (void)why;
}

/* In its process: takes the measure, and says how it ended. */
static void run_part(struct session_part *part, int lines_fd)
{
    char why[FINDING_NOTE_BYTES] = "";
    const struct session_sink sink = {.context = &lines_fd,
                                      .line = ignore_line,
                                      .progress = send_progress,
                                      .nothing = ignore_nothing};
    part->options.channel = lines_fd;
    part->options.why = why;
    const int status = measure_run(part->measure, &part->options, &sink);
    fflush(NULL);
    for (char *at = why; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    dprintf(lines_fd, "%s%s\n", note_of_why, why);
    _exit(status);
}

static void begin(struct session_part *part, struct token *opened)
{
    int lines[2] = {-1, -1};
    const bool good = pipe2(lines, O_CLOEXEC) == 0;
    part->has_begun = true;
    part->options.token = part->token.waits_fd >= 0 ? &part->token : NULL;
    part->options.opened = opened;
    fflush(NULL);
    part->watch = (struct process_watch){.pid = good ? process_fork(PROCESS_PART) : -1};
    part->error = errno;
    if (part->watch.pid == 0)
        run_part(part, lines[1]);
    part->lines_fd = lines[0];
    if (lines[0] >= 0)
        fcntl(lines[0], F_SETFL, O_NONBLOCK);
    if (lines[1] >= 0)
        close(lines[1]);
}

/* Waits until the part's devices are open, or it has ended. */
static void wait_for_devices(struct parts *parts, struct session_part *part, struct token *opened)
{
    char given;
    close(opened->gives_fd); /* else the part's end would not be seen */
    opened->gives_fd = -1;
    fcntl(opened->waits_fd, F_SETFL, O_NONBLOCK);
    while (!part->watch.has_ended && !stop_is_signalled()) {
        serve(parts, opened->waits_fd);
        if (read(opened->waits_fd, &given, 1) >= 0)
            break;
    }
}

void parts_begin(struct parts *parts)
{
    struct token opened = {.waits_fd = -1, .gives_fd = -1};
    struct session_part *first = parts->each;
    parts->current = first;
    if (!parts->are_at_once || parts->count == 0 || stop_is_signalled())
        return;
    const bool is_open = parts->count > 1 && token_open(&opened);
    if (!first->is_timed)
        begin(first, is_open ? &opened : NULL);
    if (is_open && !first->is_timed)
        wait_for_devices(parts, first, &opened);
    token_close(&opened);
    if (first->watch.has_ended && first->watch.ended == EXIT_STATUS_USAGE)
        return;
    for (struct session_part *it = first + 1; it < first + parts->count && !stop_is_signalled();
         it++)
        if (!it->is_timed || token_open(&it->token))
            begin(it, NULL);
}

enum exit_status parts_end(struct parts *parts, struct session_part *part)
{
    parts->current = part;
    give_waiting(parts, part);
    if (!part->has_begun)
        begin(part, NULL);
    if (parts->error[0])
        parts_stop(part);
    token_give(&part->token);
    while (!is_over(part))
        serve(parts, -1);
    token_close(&part->token);
    if (part->watch.ended >= 0)
        return (enum exit_status)part->watch.ended;
    error_line(parts->command, "the part %s %s%s", part->name,
               part->watch.pid < 0 ? "has no process: " : process_end_text(part->watch.ended),
               part->watch.pid < 0 ? strerror(part->error) : "");
    return EXIT_STATUS_HARNESS;
}

void parts_stop(struct session_part *part)
{
    if (part->has_begun && part->watch.pid > 0 && !part->watch.has_ended)
        kill(part->watch.pid, SIGTERM);
}

void parts_abandon(struct parts *parts)
{
    stop_all(parts);
    parts->current = NULL;
    for (struct session_part *it = parts->each; it < parts->each + parts->count; it++) {
        while (it->has_begun && !is_over(it))
            serve(parts, -1);
        token_close(&it->token);
        give_waiting(parts, it);
    }
}

void parts_write(struct parts *parts, const struct line *line)
{
    for (int index = 0; index < parts->record_count; index++)
        if (!record_line(parts->records[index], line))
            fail(parts, record_error(parts->records[index]));
}

bool parts_close(struct parts *parts)
{
    struct reason reason;
    for (int index = 0; index < parts->record_count; index++)
        if (!record_close(parts->records[index], &reason))
            fail(parts, reason.text);
    for (struct session_part *it = parts->each; it < parts->each + parts->count; it++) {
        free(it->line.each);
        for (size_t index = 0; index < it->waiting_count; index++)
            json_decref(it->waiting[index]);
        free(it->waiting);
    }
    const bool good = parts->error[0] == 0;
    free(parts);
    return good;
}
