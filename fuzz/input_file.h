/* Opening the files that are read: records, floors, corpus files.
 *
 *     const char *why;
 *     FILE *file = input_file_open(path, &why);
 *     if (file == NULL)
 *         fprintf(stderr, "%s: %s\n", path, why); */
#pragma once

#include <stdio.h>

/* Opens a regular file for reading. Any other (a pipe, a device, a folder) is refused, and opening
 * it never waits: nobody may ever write to it, or it may have no end (runner.input.regular). A pipe
 * that the caller of the program has opened for it, as `<(zcat r.json.gz)` does, is read. Returns
 * NULL with the reason, without the path: a constant, or strerror's text. */
FILE *input_file_open(const char *path, const char **ret_why);

/* Reads such a file whole, with a 0 byte after it; the caller frees it. Returns NULL with the
 * reason, as above; a file of more than `bytes_max` bytes is refused, too. */
char *input_file_read(const char *path, size_t bytes_max, size_t *ret_bytes, const char **ret_why);

/* Makes a file's text safe to print in one line: control characters become '?'. */
void input_file_tame(char *text);
