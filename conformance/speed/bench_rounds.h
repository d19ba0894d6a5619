/* A bench from its first group to its last relation. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_ROUNDS_H

#include "conformance/speed/bench.h"

/* Measures and judges everything; rows are reported when all repeats are done. */
void bench_execute(struct bench *bench, const struct bench_report *report);

#endif
