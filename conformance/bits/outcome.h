/* What a run comes to (spec/verdicts.md). */
#ifndef ASSAY_CONFORMANCE_BITS_OUTCOME_H
#define ASSAY_CONFORMANCE_BITS_OUTCOME_H

#include "conformance/bits/run.h"

/* All but the rows, and but what comes over the session itself. */
void run_outcome(const struct run *run, struct outcome *ret);

/* The layer that the kernel's failures on the subject's device come from, as its rows show it: ""
 * where none of its paths is right, or none is wrong. Returns `ret_text`. */
const char *run_layer(const struct run *run, struct subject subject, char ret_text[LAYER_BYTES]);

#endif
