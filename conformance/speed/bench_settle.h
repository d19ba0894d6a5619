/* Ending the repeats of what is decided: a baseline says how fast it was. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_SETTLE_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_SETTLE_H

#include "conformance/speed/bench.h"

/* After `repeats` of the first round's: what passes so far, and is settled by what is known, is due
 * no more. A kernel that a relation holds against another has all its repeats; nothing else than a
 * PASS is settled. */
void bench_settle(struct bench *bench, int repeats);

/* True where the group has a row, or a peak, to be measured. */
bool bench_group_has_work(const struct bench *bench, int group);

#endif
