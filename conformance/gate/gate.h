/* The gate: bits, machine code, programs and speed of this stack in one file, and the changes since
 * a baseline was made in the same way (spec/gate.md). */
#pragma once

#include "conformance/session/options.h"

/* Runs the gate and prints the results, the verdict last. Returns main's status. */
int gate_run(const struct options *options);
