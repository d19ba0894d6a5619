/* Files and streams for writing: a file appears completely or not at all, only in the named folder,
 * and one program at a time writes it; a stream whose reader is stuck ends with the run, and a
 * terminal shows text but never interprets it.
 *
 *     if (!file_replace(path, text, bytes, &reason))
 *         fprintf(stderr, "assay: %s\n", reason.text);
 *
 * main() calls output_open() once, before anything is printed. Files that are read:
 * input_file.h. */
#pragma once

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

/* The same for a name that this program chose, in an open folder: anything there but a regular file
 * is refused. `path` is the file's name in messages. */
bool file_replace_in(int folder, const char *name, const char *path, const char *text, size_t bytes,
                     struct reason *ret_reason);

/* Opens a file that the user named for writing, with these flags of open(). A symbolic link is
 * refused, except for names of what was open when the program started, such as /dev/stdout; so is a
 * pipe without a reader: opening never waits. Returns less than 0 with the reason. */
int file_open_output(const char *path, int flags, struct reason *ret_reason);

/* Opens a folder for writing files, and creates it if it is missing. A link is refused if the user
 * did not name it, since it may have been planted. Returns less than 0 with the reason. */
int file_open_folder(const char *path, bool is_named, struct reason *ret_reason);

/* Locks a file until it is closed. Returns false, with the reason, if another program holds the
 * lock, or if standard output or standard error is that regular file. */
bool file_hold(int fd, const char *path, struct reason *ret_reason);

/* The user's own folder of assay: "/home/u/.cache/assay" for "XDG_CACHE_HOME" and ".cache". The
 * variable counts if it is an absolute name, else $HOME; neither is the root folder itself. Returns
 * false without one. */
enum { FILE_FOLDER_BYTES = 4096 };
bool file_user_folder(const char *variable, const char *below_home,
                      char ret_path[FILE_FOLDER_BYTES]);

/* Makes the folder with all above it, for the user alone, as far as they are missing. */
void file_make_folders(const char *path);

/* The words for an error of opening a file. */
const char *file_reason(int error);

/* True if both names refer to one file. */
bool file_same(const char *left, const char *right);

/* Streams. */

/* Sends `stdout` and `stderr` through output_write, and escapes what is printed: control characters
 * except newline and tab, C1, hidden characters and bytes that are not UTF-8 are written as \xHH.
 * On a terminal verdicts have a colour, unless NO_COLOR is set or TERM is "dumb". Call it once,
 * before anything is printed. */
void output_open(void);

/* Writes all bytes, however often it is interrupted. Returns false with errno if that fails, or if
 * the reader reads nothing for a moment after stop_signal was set. */
bool output_write(int fd, const void *buffer, size_t bytes);

/* Erases the line of progress that a terminal shows on standard error. */
void output_erase_line(void);

/* Returns the status of a command that wrote to standard output: `status`, or that of a failure of
 * the harness if the output could not be written; a line then says so, unless it is only that the
 * reader is gone. */
int output_end(const char *command, int status);

/* True if standard output is a pipe or a socket whose reader has gone, which is not a failure of
 * the harness. */
bool output_is_unread(void);

/* Ends the process by SIGPIPE, as a filter ends (`assay help | head`), if a command ended in a
 * failure of the harness and its output has no reader. Else returns `status`. */
int output_leave(int status);
