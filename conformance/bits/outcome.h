/* What a run comes to (spec/verdicts.md). */
#ifndef ASSAY_CONFORMANCE_BITS_OUTCOME_H
#define ASSAY_CONFORMANCE_BITS_OUTCOME_H

#include "conformance/bits/run.h"

/* The one word for the whole run, and the exit status that goes with it. */
enum verdict run_verdict(const struct run *run);
enum exit_status run_exit_status(const struct run *run);

/* Why the verdict is not PASS although nothing failed; "" otherwise. */
void run_reason(const struct run *run, char *ret_text, size_t text_bytes);

#endif
