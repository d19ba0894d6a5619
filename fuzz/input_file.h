/* Opening the files that are read: records, floors, corpus files. */
#ifndef ASSAY_FUZZ_INPUT_FILE_H
#define ASSAY_FUZZ_INPUT_FILE_H

#include <stdio.h>

/* Opens a regular file for reading. Any other (a pipe, a device, a folder) is refused, and opening
 * it never waits: nobody may ever write to it, or it may have no end (runner.input.regular). A pipe
 * that the caller of the program has opened for it, as `<(zcat r.json.gz)` does, is read. NULL with
 * the reason, without the path: a constant, or strerror's text. */
FILE *input_file_open(const char *path, const char **ret_why);

/* The whole of such a file with a 0 byte after it, to be freed. NULL with the reason, as above; one
 * of more than `bytes_max` bytes is refused, too. */
char *input_file_read(const char *path, size_t bytes_max, size_t *ret_bytes, const char **ret_why);

/* A file's text, printed in one line that moves no cursor: control characters become '?'. */
void input_file_tame(char *text);

#endif
