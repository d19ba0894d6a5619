/* A failure in words, for a page and for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_FAILURE_H
#define ASSAY_CONFORMANCE_REPORT_FAILURE_H

#include <stdio.h>

#include "conformance/report/dossier.h"

enum { FAILURE_TEXT_BYTES = 512 };

/* Gives what a finding tells to `put`, in the order in which it is read: case, clause, place,
 * expected, got, everything that is wrong, note. What is not told is "". */
typedef void failure_put(FILE *file, const char *name, const char *text);
void failure_tell(FILE *file, const json_t *finding, failure_put *put);

/* "231 wrong elements, 0 gap bytes, 0 guard bytes, 1 input". */
void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES]);

/* The `reduced` line of a finding, or NULL. */
const json_t *failure_reduced(const struct dossier_record *record, const json_t *finding);

/* What was too slow or wrong while it was timed, with its figures. */
void failure_measured(enum dossier_kind kind, const json_t *line,
                      char ret_text[FAILURE_TEXT_BYTES]);

/* True for a timed line that failed. */
bool failure_is_measured(const json_t *line);

#endif
