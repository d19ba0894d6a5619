/* What text, TAP and JSON reports share: a finding in words. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_H

#include <stdio.h>

#include "conformance/bits/run.h"

extern const struct run_report run_report_text, run_report_tap;

/* "name      text", as a terminal may show it; left out where the text is empty. */
void report_pair(FILE *file, const char *name, const char *text);

/* The lines of the text, each after the prefix. */
void report_prefixed(FILE *file, const char *prefix, const char *text);

/* Writes a finding as lines of "<prefix><name>  <what>": kernel, case, clause, place, expected,
 * got, others, note, replay. */
void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* The same of one that was tried again: how often it failed, and the smallest case. */
void report_reduced_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* Calls `take` for every kernel and path that was due, in catalog order. */
typedef void report_row_taker(FILE *file, const struct run *run, struct subject subject);
void report_rows(FILE *file, const struct run *run, report_row_taker *take);

/* A line for each kernel on each device whose paths are not all right and not all wrong: the layer
 * that its failures come from. */
void report_layers(FILE *file, const char *prefix, const struct run *run);

/* What was reached of a device, as one line. */
void report_coverage(FILE *file, const char *prefix, const struct run *run, int device);

#endif
