/* The output of workers, shown (printed.h). Clause: runner.worker.printed. */
#include "conformance/wire/printed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/text.h"

void printed_begin(struct printed *ret, int fd, const char *name)
{
    *ret = (struct printed){.fd = fd};
    snprintf(ret->name, sizeof ret->name, "%s", name);
}

/* In one call, so that those of several workers do not mix. Standard error escapes controls
 * (output_open, base/file.h). */
static void show(const struct printed *printed, const char *line)
{
    fprintf(stderr, "%s: %s\n", printed->name, line);
}

/* Keeps a line for the end, in the place of the oldest. */
static void keep(struct printed *printed, const char *line, size_t bytes)
{
    size_t from = 0;
    /* Half of them at a time: a flood moves few bytes for each line. */
    if (printed->tail_bytes + bytes > PRINTED_TAIL_BYTES ||
        printed->tail_lines == PRINTED_TAIL_LINES)
        while (printed->tail_bytes - from > PRINTED_TAIL_BYTES / 2 ||
               printed->tail_lines > PRINTED_TAIL_LINES / 2) {
            from += strlen(printed->tail + from) + 1;
            printed->tail_lines--;
            printed->dropped_lines++;
        }
    memmove(printed->tail, printed->tail + from, printed->tail_bytes - from);
    printed->dropped_bytes += from;
    printed->tail_bytes -= from;
    memcpy(printed->tail + printed->tail_bytes, line, bytes);
    printed->tail_bytes += bytes;
    printed->tail_lines++;
}

static void end_line(struct printed *printed)
{
    char *line = printed->line;
    if (printed->line_bytes > 0 && line[printed->line_bytes - 1] == '\r')
        printed->line_bytes--;
    line[printed->line_bytes] = 0;
    const size_t bytes = printed->line_bytes + 1;
    const bool fits = printed->shown_lines < PRINTED_LINES_MAX &&
                      printed->shown_bytes + bytes <= PRINTED_BYTES_MAX && printed->tail_bytes == 0;
    if (fits) {
        show(printed, line);
        printed->shown_lines++;
        printed->shown_bytes += bytes;
    } else {
        keep(printed, line, bytes);
    }
    printed->line_bytes = 0;
}

static void take(struct printed *printed, const char *bytes, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        const char letter = bytes[index];
        if (printed->line_bytes == PRINTED_LINE_BYTES && letter != '\n')
            end_line(printed);
        if (letter == '\n')
            end_line(printed);
        else
            printed->line[printed->line_bytes++] = letter == 0      ? '?'
                                                   : letter == '\t' ? ' '
                                                                    : letter;
    }
}

void printed_read(struct printed *printed)
{
    enum { PIPE_BYTES = 64 << 10 };
    char bytes[4096];
    ssize_t got;
    for (size_t all = 0; printed->fd >= 0 && all < PIPE_BYTES; all += (size_t)got) {
        while ((got = read(printed->fd, bytes, sizeof bytes)) < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            if (got < 0 && errno == EAGAIN)
                return;
            close(printed->fd);
            printed->fd = -1;
            return;
        }
        take(printed, bytes, (size_t)got);
    }
}

void printed_end(struct printed *printed)
{
    printed_read(printed);
    if (printed->line_bytes > 0)
        end_line(printed);
    if (printed->dropped_lines > 0)
        fprintf(stderr, "%s: ... left out: %s, %s\n", printed->name,
                NUMBER_COUNT(printed->dropped_lines, "line"),
                NUMBER_BYTES((double)printed->dropped_bytes));
    for (size_t at = 0; at < printed->tail_bytes; at += strlen(printed->tail + at) + 1)
        show(printed, printed->tail + at);
    if (printed->fd >= 0)
        close(printed->fd);
    printed->fd = -1;
    printed->tail_bytes = 0;
}
