/* A failure in words: of a line of a record, whether it was read from one or is about to be written
 * to one. The terminal, TAP and the page all get their words here. */
#ifndef ASSAY_CONFORMANCE_REPORT_FAILURE_H
#define ASSAY_CONFORMANCE_REPORT_FAILURE_H

#include <stdio.h>

#include "conformance/report/loaded.h"

enum { FAILURE_TEXT_BYTES = 512 };

/* "matmul/tiled through sass on cuda:0". */
void failure_subject(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES]);

/* The place: "element c[3][4]", "guard of c, 12 bytes after its end"; "" without one. */
void failure_place(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES]);

/* Gives what a finding says to `put`, in the order in which it is read: the cases before it, case,
 * clause, place, expected, got, everything that is wrong, note. What it does not say is "". */
typedef void failure_put(FILE *file, const char *name, const char *text);
void failure_report(FILE *file, const json_t *finding, failure_put *put);

/* The same of a `reduced` line: how often it failed again, and how it was made smaller. */
void failure_report_reduced(FILE *file, const json_t *reduced, failure_put *put);

/* Why a row of a kernel is no PASS: its reason, or the layer that its failures come from. */
const char *failure_row(const json_t *row);

/* "231 wrong elements, 0 gap bytes, 0 guard bytes, 1 input". */
void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES]);

/* The `reduced` line of a finding, or NULL. */
const json_t *failure_reduced(const struct loaded_record *record, const json_t *finding);

/* What was too slow or wrong while it was timed, with its figures. */
void failure_measured(enum loaded_kind kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES]);

/* True for a timed line that failed. */
bool failure_is_measured(const json_t *line);

#endif
