/* A bench and its sweep, as text and as TAP. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_BENCH_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_BENCH_H

#include "conformance/speed/bench.h"

extern const struct bench_report bench_report_text, bench_report_tap;

/* Calls `tell` for each of the two copies that is not a PASS. */
typedef void bench_report_copy(const char *what, const struct bench_result *copy);
void bench_report_wrong_copies(const struct bench_ceiling *ceiling, const char *where,
                               bench_report_copy *put);
bench_report_copy bench_tap_copy; /* as a line of TAP */

/* A point of the sweep (report_sweep.c). */
void sweep_text_point(const struct bench *bench, int point);
void sweep_tap_point(const struct bench *bench, int point);

#endif
