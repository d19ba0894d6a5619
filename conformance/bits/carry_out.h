/* Carrying out a run's plan: the client that the pool works for. */
#ifndef ASSAY_CONFORMANCE_BITS_CARRY_OUT_H
#define ASSAY_CONFORMANCE_BITS_CARRY_OUT_H

#include "conformance/bits/run.h"

/* The tables that it counts in. False without memory: a line has said so. */
bool run_open(struct run *run);

/* Carries out the session's plan on its devices. */
void run_take(struct run *run);

/* Gives back what the two have made. */
void run_close(struct run *run);

#endif
