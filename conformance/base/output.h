/* Standard output, standard error, and whatever else may have a reader: a write that ends when the
 * run does, and text that a terminal shows and does not obey. */
#ifndef ASSAY_CONFORMANCE_BASE_OUTPUT_H
#define ASSAY_CONFORMANCE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Sends `stdout` and `stderr` through output_write, and escapes what is printed there: controls but
 * newline and tab, C1 and hidden letters, and bytes that are no UTF-8 come out as \xHH. Called
 * once, before anything is printed. */
void output_open(void);

/* Writes everything, however often it is interrupted. False with errno when it cannot be written,
 * or when a reader has taken nothing for a moment after stop_signal was set. */
bool output_write(int fd, const void *buffer, size_t bytes);

/* Takes back the line of progress that a terminal shows on standard error. */
void output_erase_line(void);

/* Returns the status of a command that wrote to standard output: `status`, or that of a failure of
 * the harness if the output could not be written; a line then says so, unless it is only that the
 * reader is gone. */
int output_end(const char *command, int status);

/* True if standard output is a pipe or a socket that nobody reads any more: no failure of the
 * harness. */
bool output_is_unread(void);

/* Ends the process by SIGPIPE, as a filter ends (`assay help | head`), if a command came to a
 * failure of the harness and nobody reads its output. Else returns `status`. */
int output_leave(int status);

#endif
