/* Files that are written: whole or not there, in the folder that was named and nowhere else, and by
 * one program at a time. */
#ifndef ASSAY_CONFORMANCE_BASE_FILE_H
#define ASSAY_CONFORMANCE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum file_result { FILE_WRITTEN, FILE_REFUSED /* it cannot be begun */, FILE_FAILED };

/* Writes `bytes` bytes as the file of that name: to a temporary file beside it, which takes its
 * place, its mode and its owner when it is whole and on the disk. A symbolic link is refused, and
 * so is a record that is being written. What is no regular file (a device, a pipe) is written to as
 * it is; "-" is standard output. The reason where it failed; what was there before is kept. */
enum file_result file_replace(const char *path, const char *text, size_t bytes, char *why,
                              size_t why_bytes);

/* The same in a folder that is open; `path` is what messages call the file. */
enum file_result file_replace_in(int folder, const char *name, const char *path, const char *text,
                                 size_t bytes, char *why, size_t why_bytes);

/* Opens a file to write with these flags of open(), and no symbolic link: but for names of what was
 * open when the program was started, as /dev/stdout. Less than 0 with the reason. */
int file_open_output(const char *path, int flags, char *why, size_t why_bytes);

/* Holds a file until it is closed. False, with the reason, where another program holds it, or where
 * standard output or standard error are the same regular file. */
bool file_hold(int fd, const char *path, char *why, size_t why_bytes);

/* What the system says of an error of opening a file, in words that help. */
const char *file_reason(int error);

/* True when both names are of one file. */
bool file_same(const char *left, const char *right);

#endif
