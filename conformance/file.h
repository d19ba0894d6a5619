/* A file that is whole or not there. */
#ifndef ASSAY_CONFORMANCE_FILE_H
#define ASSAY_CONFORMANCE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum file_result { FILE_WRITTEN, FILE_REFUSED /* it cannot be begun */, FILE_FAILED };

/* Writes `bytes` bytes as the file of that name: to a temporary file beside it, which takes its
 * place when it is whole and on the disk. What is no regular file (a device, a pipe) is written to
 * as it is; "-" is standard output. The reason where it failed; what was there before stands then.
 */
enum file_result file_replace(const char *path, const char *text, size_t bytes, char *why,
                              size_t why_bytes);

/* True when both names are of one file. */
bool file_same(const char *left, const char *right);

#endif
