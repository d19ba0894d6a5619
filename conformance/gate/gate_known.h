/* What a gate's baseline knows of speeds, for a bench that need not measure for long what has not
 * changed (bench_known). */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_KNOWN_H
#define ASSAY_CONFORMANCE_GATE_GATE_KNOWN_H

#include "conformance/report/loaded.h"
#include "conformance/speed/bench.h"

/* Of the baseline's records, which are borrowed. */
struct bench_known gate_known(const struct loaded *baseline);

#endif
