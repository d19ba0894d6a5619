/* A failure in words, for a page and for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_FAILURE_H
#define ASSAY_CONFORMANCE_REPORT_FAILURE_H

#include "conformance/report/dossier.h"

enum { FAILURE_TEXT_BYTES = 512 };

/* Where it is wrong: "element c[3][4]", "guard of c, 12 bytes behind its end"; "" without a place.
 */
void failure_place(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES]);

/* The bits under "expected" or "got", with the distance in ulp behind the latter; "" without. */
void failure_bits(const json_t *finding, const char *key, char ret_text[FAILURE_TEXT_BYTES]);

/* Everything that is wrong in the allocation; "" where nothing was compared. */
void failure_total(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES]);

/* The `reduced` line of a finding, or NULL. */
const json_t *failure_reduced(const struct dossier_record *record, const json_t *finding);

/* What was too slow or wrong while it was timed, with its figures. */
void failure_measured(enum dossier_kind kind, const json_t *line,
                      char ret_text[FAILURE_TEXT_BYTES]);

/* True for a timed line that failed. */
bool failure_is_measured(const json_t *line);

#endif
