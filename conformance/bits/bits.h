/* The measure of bits: what kernels write, held to equality with the golden. */
#ifndef ASSAY_CONFORMANCE_BITS_BITS_H
#define ASSAY_CONFORMANCE_BITS_BITS_H

#include "conformance/bits/run.h"
#include "conformance/session/measure.h"

/* Of a plan of cases, and of the one case of the line. Their report is a struct run_report. */
extern const struct measure bits_measure, bits_measure_replay;

/* What the two share. */
void bits_take(void *state);
void bits_settle(void *state);
void bits_judge(const void *state, struct outcome *ret);
void bits_end(const void *state, const struct outcome *outcome);

#endif
