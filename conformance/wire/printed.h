/* What a worker, its driver and their children print. It is shown on standard error as it comes, a
 * line each, with the worker's name before it and controls as escapes, as standard error writes
 * them:
 *
 *     cuda:0 worker: the driver's \x1b[1mwords
 *
 * A worker's first lines are shown at once; of the others the last ones at its end, so that the
 * report of a sanitizer is among them, and how many were left out. Everything is read, shown or
 * not, so that who prints never waits for long; and nothing here waits for anybody. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    PRINTED_LINES_MAX = 200, /* shown at once */
    PRINTED_BYTES_MAX = 16 << 10,
    PRINTED_TAIL_LINES = 400,      /* at least half of these are shown at the end, */
    PRINTED_TAIL_BYTES = 16 << 10, /* or of these */
    PRINTED_LINE_BYTES = 500,      /* what is longer is several lines */
    PRINTED_NAME_BYTES = 32,
};

struct printed {
    int fd; /* less than 0: closed */
    char name[PRINTED_NAME_BYTES];
    int shown_lines, tail_lines;
    size_t shown_bytes;
    uint64_t dropped_lines, dropped_bytes;
    size_t line_bytes, tail_bytes;
    char line[PRINTED_LINE_BYTES + 1]; /* that has not ended yet */
    char tail[PRINTED_TAIL_BYTES];     /* lines, each ended by 0 */
};

/* `fd`, which becomes the reader's, is a pipe's end that does not block. */
void printed_begin(struct printed *ret, int fd, const char *name);

/* Reads what has come, as far as a pipe holds. */
void printed_read(struct printed *printed);

/* Reads what has come, shows what is kept, and closes the pipe, whoever has its other end. */
void printed_end(struct printed *printed);
