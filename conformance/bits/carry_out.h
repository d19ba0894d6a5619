/* Carrying out a run's plan: the client that the pool works for. */
#ifndef ASSAY_CONFORMANCE_BITS_CARRY_OUT_H
#define ASSAY_CONFORMANCE_BITS_CARRY_OUT_H

#include "conformance/bits/run.h"

/* Carries out the session's plan on its devices. False without memory: nothing was run then. */
bool run_execute(struct run *run);

#endif
