/* The last line of a record, its `end`: how many lines come before it, a digest of their bytes, and
 * 16 bits of the digest of each, so that a reader finds a line that was damaged, and a record that
 * was cut.
 *
 *     struct record_end *end = record_end_open();
 *     record_end_add(end, text, bytes);            // each line of the record, with its newline
 *     json_t *line = record_end_line(end);         // ends it; the next line begins another one
 *     record_end_close(end);
 *
 * Digests are XXH3's of 128 bits, of all bytes; of a line the low bits of that of 64 bits. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/record/record_order.h"

struct record_end;

/* Opens one without lines. */
struct record_end *record_end_open(void);

/* Adds one line, whose newline is one of the bytes. */
void record_end_add(struct record_end *end, const char *line, size_t bytes);

/* The `end` of the lines that were added. */
json_t *record_end_line(struct record_end *end);

void record_end_close(struct record_end *end);

/* Compares each `end` of a file with the lines before it, back to the first line of
 * its record. False with the reason, which names the first line that is not as it was written, or
 * the `end` itself. Records without `end`, and one that a kill cut short, are skipped. */
bool record_ends_hold(const char *path, const struct record_order *order,
                      struct reason *ret_reason);
