/* Files and streams that are written: a file appears whole or not at all, in the named folder and
 * nowhere else, and one program at a time writes it; a stream whose reader is stuck ends with the
 * run, and a terminal shows text but does not obey it.
 *
 *     if (!file_replace(path, text, bytes, &reason))
 *         fprintf(stderr, "assay: %s\n", reason.text);
 *
 * main() calls output_open() once, before anything is printed. Files that are read:
 * fuzz/input_file.h. */
#ifndef ASSAY_CONFORMANCE_BASE_FILE_H
#define ASSAY_CONFORMANCE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"

/* Files. */

/* Writes `bytes` bytes as the file of that name: to a temporary file in its folder, which takes its
 * place, its mode and its owner when it is whole and on the disk. A symbolic link is refused, and
 * so is a record that is being written. A device, or a pipe that somebody reads, is written to as
 * it is; "-" is standard output. False with the reason, REASON_INPUT if it cannot be begun; the old
 * file is kept. */
bool file_replace(const char *path, const char *text, size_t bytes, struct reason *ret_reason);

/* The same for a name of this program's own in a folder that is open: what is there and is no
 * regular file is refused. `path` is what messages call the file. */
bool file_replace_in(int folder, const char *name, const char *path, const char *text, size_t bytes,
                     struct reason *ret_reason);

/* Opens a file that the user named to write it, with these flags of open(). A symbolic link is
 * refused, except for names of what was open when the program started, such as /dev/stdout; so is a
 * pipe that nobody reads: opening never waits. Less than 0 with the reason. */
int file_open_output(const char *path, int flags, struct reason *ret_reason);

/* Opens a folder to write files in, and makes it if it is not there. One that the user did not name
 * may have been planted as a link, which is refused. Less than 0 with the reason. */
int file_open_folder(const char *path, bool is_named, struct reason *ret_reason);

/* Holds a file until it is closed. False, with the reason, if another program holds it, or if
 * standard output or standard error are the same regular file. */
bool file_hold(int fd, const char *path, struct reason *ret_reason);

/* Writes the bytes of the file `from` after those of `to`; "-" is standard output. False with the
 * reason. */
bool file_append(const char *from, const char *to, struct reason *ret_reason);

/* A file without a name, in memory, which is gone with its last descriptor however the process
 * ends. *ret_path names it for this process and those that it forks. Less than 0 with errno. */
enum { FILE_ANONYMOUS_BYTES = 32 };
int file_anonymous(char ret_path[FILE_ANONYMOUS_BYTES]);

/* The words for an error of opening a file. */
const char *file_reason(int error);

/* True when both names are of one file. */
bool file_same(const char *left, const char *right);

/* Streams. */

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
