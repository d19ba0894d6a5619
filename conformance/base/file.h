/* Files that are written: whole or not there, in the folder that was named and nowhere else, and by
 * one program at a time. */
#ifndef ASSAY_CONFORMANCE_BASE_FILE_H
#define ASSAY_CONFORMANCE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"

/* Writes `bytes` bytes as the file of that name: to a temporary file beside it, which takes its
 * place, its mode and its owner when it is whole and on the disk. A symbolic link is refused, and
 * so is a record that is being written. A device, or a pipe that somebody reads, is written to as
 * it is; "-" is standard output. False with the reason, REASON_INPUT where it cannot be begun; what
 * was there before is kept. */
bool file_replace(const char *path, const char *text, size_t bytes, struct reason *ret_reason);

/* The same for a name of this program's own in a folder that is open: what is there and is no
 * regular file is refused. `path` is what messages call the file. */
bool file_replace_in(int folder, const char *name, const char *path, const char *text, size_t bytes,
                     struct reason *ret_reason);

/* Opens a file that the user named to write it, with these flags of open(). A symbolic link is
 * refused, but for names of what was open when the program was started, as /dev/stdout; so is a
 * pipe that nobody reads: opening never waits. Less than 0 with the reason. (The files that are
 * read: fuzz/input_file.h.) */
int file_open_output(const char *path, int flags, struct reason *ret_reason);

/* Opens a folder to write files in, and makes it if it is not there. One that the user did not name
 * may have been planted as a link, which is refused. Less than 0 with the reason. */
int file_open_folder(const char *path, bool is_named, struct reason *ret_reason);

/* Holds a file until it is closed. False, with the reason, where another program holds it, or where
 * standard output or standard error are the same regular file. */
bool file_hold(int fd, const char *path, struct reason *ret_reason);

/* Writes the bytes of the file `from` after those of `to`; "-" is standard output. False with the
 * reason. */
bool file_append(const char *from, const char *to, struct reason *ret_reason);

/* A file without a name, in memory, which is gone with its last descriptor however the process
 * ends. *ret_path names it for this process and those that it forks. Less than 0 with errno. */
enum { FILE_ANONYMOUS_BYTES = 32 };
int file_anonymous(char ret_path[FILE_ANONYMOUS_BYTES]);

/* What the system says of an error of opening a file, in words that help. */
const char *file_reason(int error);

/* True when both names are of one file. */
bool file_same(const char *left, const char *right);

#endif
