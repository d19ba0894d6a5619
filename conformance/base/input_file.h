/* The only reader of files that others wrote: records, floors, corpus files, machine code. It ends
 * in bounded memory and in bounded time, whatever the file is.
 *
 *     struct reason reason;
 *     size_t bytes;
 *     char *text = input_read(INPUT_LIMITS, path, &bytes, &reason);
 *     if (text == NULL)
 *         fprintf(stderr, "%s: cannot be read: %s\n", path, reason.text);
 *
 * A read() of a network file system that hangs cannot be interrupted, even if the file is a regular
 * one. So a thread opens and reads the file, and is left behind if it does not end in time. The
 * limit is INPUT_WAIT_S, and a second more for each INPUT_BYTES_A_SECOND that came. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"

/* What is read; each has a limit of bytes, and a name for messages. */
enum input {
    INPUT_RECORD,   /* a record, or several in one file */
    INPUT_LIMITS,   /* floors, budgets, a file of one GPU */
    INPUT_KNOWN,    /* a list of known miscompiles */
    INPUT_CASES,    /* a corpus file */
    INPUT_NAMES,    /* a list of files' names */
    INPUT_IMAGES,   /* an images file */
    INPUT_COMPILER, /* a compiler, or a library that it loads */
    INPUT_CODE,     /* what a compiler wrote, or the cache kept of it */
    INPUT_SOURCE,   /* a text to compile */
    INPUT_SYSTEM,   /* a file of the system's, such as /proc/cpuinfo */
    INPUT_COUNT
};

/* The time that a regular file may take to be opened and read. A pipe gets INPUT_PIPE_WAIT_S
 * instead, since the program at its other end may compute. */
enum { INPUT_WAIT_S = 30, INPUT_PIPE_WAIT_S = 600, INPUT_BYTES_A_SECOND = 16 << 20 };

/* Reads a regular file whole, with a 0 byte after it; the caller frees it. Anything else (a device,
 * a folder, a pipe) is refused without waiting for it (runner.input.regular); only a pipe that the
 * caller of the program opened for it is read, as `<(zcat r.json.gz)`. Returns NULL with the
 * reason, without the path: the system's words, or the file's size or the wait, and its limit. */
char *input_read(enum input input, const char *path, size_t *ret_bytes, struct reason *ret_reason);

/* The same of a file in memory that is open, from its beginning. REASON_BROKEN if it is empty or
 * too large. */
char *input_read_memory(enum input input, int file, size_t *ret_bytes, struct reason *ret_reason);

/* True if the open file is larger than such a file may be. */
bool input_is_large(enum input input, int file);

/* True if input_read could begin to read it. Reads nothing. */
bool input_can_open(const char *path, struct reason *ret_reason);

/* True for a regular file whose first bytes are these, at most INPUT_BEGIN_BYTES. */
enum { INPUT_BEGIN_BYTES = 16 };
bool input_begins(const char *path, const void *bytes, size_t count);

/* Makes a file's text safe to print in one line: control characters become '?'. */
void input_file_tame(char *text);
