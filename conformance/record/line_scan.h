/* Reads a line of a record from its text, as this program writes it, without a tree of JSON values:
 * for a reader of thousands of records.
 *
 *     const struct line *line = line_scan(&zone, text, bytes);
 *     if (line == NULL)
 *         ... form_parse, record_entry_of and line_read ...
 */
#pragma once

#include "conformance/record/lines.h"

/* The line, in the zone's memory, equal to the one that line_read makes of the parsed text. NULL if
 * the line must be parsed: fields in another order or unknown ones, spaces, escapes, letters beyond
 * ASCII, numbers with exponents or of more than 15 digits, values of another type, a kind of
 * line that is not WRAPPED (record_fields.def), a long line, or no JSON at all. */
const struct line *line_scan(struct zone *zone, const char *text, size_t bytes);
