/* What a run does with its failures when all cases have run. */
#ifndef ASSAY_CONFORMANCE_BITS_REDUCE_H
#define ASSAY_CONFORMANCE_BITS_REDUCE_H

#include <signal.h>

#include "conformance/bits/run.h"

/* Tries the kept failures again, reduces them and keeps them. */
void run_reduce(struct run *run, const volatile sig_atomic_t *stop);

#endif
