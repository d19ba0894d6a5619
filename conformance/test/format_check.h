/* What must hold of a report in each format, whatever its records hold: well-formed, and counted
 * right. */
#pragma once

#include "conformance/report/reporter.h"

enum { FORMAT_WHY_BYTES = 512 };

/* Writes a document in that format; the text is for free(). */
char *format_write_document(enum output_format format, const struct document *document,
                            bool unicode, size_t *ret_bytes);

/* The same of records. */
char *format_write(enum output_format format, const struct loaded *loaded, bool unicode,
                   size_t *ret_bytes);

/* False with the reason, if the text is none of that format. */
bool format_check(enum output_format format, const char *text, size_t bytes,
                  char ret_why[FORMAT_WHY_BYTES]);
