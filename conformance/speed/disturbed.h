/* Why a GPU may be slow that is healthy. */
#ifndef ASSAY_CONFORMANCE_SPEED_DISTURBED_H
#define ASSAY_CONFORMANCE_SPEED_DISTURBED_H

#include "conformance/speed/bench.h"

/* The clause of what may have slowed a healthy GPU while the result was measured, and why, or NULL:
 * then no speed fails. Of host calls only who else was there counts, as the GPU idles
 * meanwhile. */
enum { BENCH_WHY_BYTES = 128 };
const char *bench_disturbance(const struct bench *bench, const struct bench_result *result,
                              char ret_why[BENCH_WHY_BYTES]);

#endif
