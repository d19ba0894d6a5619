/* The measure of bits: what kernels write, held to equality with the golden. */
#ifndef ASSAY_CONFORMANCE_BITS_BITS_H
#define ASSAY_CONFORMANCE_BITS_BITS_H

#include <signal.h>

#include "conformance/bits/run.h"
#include "conformance/session/measure.h"

/* Of a plan of cases, and of the one case of the line. Their report is a struct run_report. */
extern const struct measure bits_measure, bits_measure_replay;

/* Tries the kept failures again, reduces them and keeps them. */
void run_reduce(struct run *run, const volatile sig_atomic_t *stop);

#endif
