/* What a run comes to (spec/verdicts.md). */
#ifndef ASSAY_CONFORMANCE_BITS_OUTCOME_H
#define ASSAY_CONFORMANCE_BITS_OUTCOME_H

#include "conformance/bits/run.h"

/* All but the rows, and but what comes over the session itself. */
void run_outcome(const struct run *run, struct outcome *ret);

#endif
