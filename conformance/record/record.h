/* The record: one JSON object a line (spec/record.md), written as results arrive, so that it is
 * valid up to the moment at which a run is killed. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/record/lines.h"

/* A line of bits has a digest for each that many case numbers, from 0 on, in that many digits. */
enum { RANGE_CASES = 4096, RANGE_DIGITS = 4 };

/* "cases 8192 to 12287, 20480 to 24575 and 2 more ranges": the case numbers, below `planned`, whose
 * digests differ in the `ranges` of two lines of bits. "" if either has none. Returns `ret_text`.
 */
enum { RANGES_TEXT_BYTES = 192 };
const char *ranges_apart(const char *left, const char *right, uint64_t planned,
                         char ret_text[RANGES_TEXT_BYTES]);

/* Sets of case numbers. */

/* Adds one; a number that follows the last one widens its range. */
void ranges_add(struct ranges *ranges, uint64_t first, uint64_t last);

/* Sorts, and joins what touches or overlaps. False when a number was in two of them. */
bool ranges_settle(struct ranges *ranges);

/* How many numbers are in it. */
uint64_t ranges_total(const struct ranges *ranges);

void ranges_free(struct ranges *ranges);

/* The name of the count of one verdict in a record's lines: `passed`, `fail`, ... */
const char *verdict_counts_key(enum verdict verdict);

enum { RECORD_VERSION = 1 };

struct record;

/* Opens a file to write; "-" is standard output. NULL with the reason, as that another program
 * writes it. What an older file of that name holds goes with the first line, and a file that is new
 * and gets no line goes when it is closed. */
struct record *record_create(const char *path, struct reason *ret_reason);

/* The record of a part of a run or a gate: its lines go to the process that writes the file. */
struct record *record_of_pipe(int fd);

/* Writes one line, completely or not at all; after a summary, and after the verdict of a gate, the
 * end of the record too (record_end.h). False if it cannot be written (a full disk): the file
 * then ends with the last complete line, and nothing more is written. */
bool record_line(struct record *record, const struct line *line);

/* Writes a line, with its newline, as somebody else has made it: no end follows. */
bool record_text_line(struct record *record, const char *text, size_t bytes);

/* The reason why writing failed, or NULL. */
const char *record_error(const struct record *record);

/* Closes it. Returns false with the reason if the data cannot be written to the disk; a line that
 * could not be written was reported before. */
bool record_close(struct record *record, struct reason *ret_reason);

/* A line as it is read: its kind, and the object that it wraps or, of a kind that wraps none, the
 * line itself; and its bytes, without the newline, where it comes from a text. */
struct record_entry {
    enum record_kind kind;
    const json_t *object, *line;
    const char *text;
    size_t bytes;
};

/* The entry of one line; its kind is RECORD_KIND_COUNT if it is no line of a record. */
struct record_entry record_entry_of(const json_t *line);

/* Gives every line of a record, the bytes of `text` or, if that is NULL, the file at `path`, to
 * `take`, checked for its kind and for fields that are ALWAYS there; types are checked where a
 * field is read: one of another type reads as empty. A last line that a kill cut short is passed
 * over; of a file of several records, if the record before it has its end, only in a gate's file
 * (record.lines.whole). False with the reason, naming the line, when it is no record or a line was
 * damaged (record_end.h). */
typedef void record_taker(void *context, const struct record_entry *entry);
bool record_read(const char *path, const char *text, size_t bytes, record_taker *take,
                 void *context, struct reason *ret_reason);

/* The same of a file that may hold several records, one after the other: each begins with its
 * header. */
bool records_read(const char *path, const char *text, size_t bytes, record_taker *take,
                  void *context, struct reason *ret_reason);

/* The same, for a reader of long or many files: each whole line within a record, but for those that
 * begin or end it, is offered to `recall`, which returns true if it has taken the line, as one that
 * it knows or has read itself (line_scan.h). `take` then never gets it, and it is not parsed. The
 * entry of an end has no object. */
typedef bool record_recaller(void *context, const char *text, size_t bytes);
bool records_recall(const char *path, const char *text, size_t bytes, record_recaller *recall,
                    record_taker *take, void *context, struct reason *ret_reason);
