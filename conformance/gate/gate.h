/* The gate: bits, machine code and speed of this stack, into one file, and what
 * has changed since a baseline was made in the same way (spec/gate.md). */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_H
#define ASSAY_CONFORMANCE_GATE_GATE_H

#include "conformance/session/options.h"

/* Goes through it and prints what came of it, the verdict last. Returns main's status. */
int gate_run(const struct options *options);

#endif
