/* What text, TAP and JSON reports share: a finding in words. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_H

#include <stdio.h>

#include "conformance/bits/run.h"

extern const struct report report_text, report_tap, report_json;

/* Writes a finding as lines of "<prefix><name>  <what>": kernel, case, clause, place, expected,
 * got, others, note, replay. */
void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* The same of one that was tried again: how often it failed, and the smallest case. */
void report_reduced_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* A line of TAP: `not ok` unless the verdict is PASS or SKIP, and `# SKIP` where it is a SKIP;
 * `note` may be "". The last line says how many there were. */
void report_tap_line(enum verdict verdict, const char *what, const char *note);
void report_tap_plan(void);

/* Calls `take` for every kernel and path that was due, in catalog order. */
typedef void report_row_taker(FILE *file, const struct run *run, struct subject subject);
void report_rows(FILE *file, const struct run *run, report_row_taker *take);

/* What was reached of a device, as one line. */
void report_coverage(FILE *file, const char *prefix, const struct run *run, int device);

#endif
