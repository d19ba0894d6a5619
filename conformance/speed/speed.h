/* The measure of speed: bandwidth and host calls, held to floors, ceilings and relations. */
#ifndef ASSAY_CONFORMANCE_SPEED_SPEED_H
#define ASSAY_CONFORMANCE_SPEED_SPEED_H

#include "conformance/session/measure.h"
#include "conformance/speed/bench.h"

/* Its report is a struct bench_report. */
extern const struct measure speed_measure;

/* Measures and judges everything on so many devices at once, then reports and records one after the
 * other, and takes the sweep of each. */
void bench_execute(struct bench *const *benches, int count, const struct bench_report *report);

#endif
