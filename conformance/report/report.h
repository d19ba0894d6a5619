/* Live reports of the commands that run: text for people and TAP, each a table of functions that
 * the command calls as it goes (`run_report_text.begin(run)`). A finding is written from the record
 * line that it will be, so that it reads the same live and from a record (failure.h). */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_H

#include <stdio.h>

#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/programs/programs.h"
#include "conformance/report/loaded.h"
#include "conformance/speed/bench.h"

/* A run. */
extern const struct run_report run_report_text, run_report_tap;

/* Writes a finding as lines of "<prefix><name>  <what>": kernel, case, clause, place, expected,
 * got, others, note, replay. */
void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* The lines of the text, each after the prefix. */
void report_prefixed(FILE *file, const char *prefix, const char *text);

/* A line of TAP for a record's line of something measured, in the words of failure_text, with the
 * command that measures it again where it did not pass. Takes over `line`, a kind's wrapping. */
void report_tap_measured(enum loaded_kind kind, json_t *line);

/* A bench and its sweep. */
extern const struct bench_report bench_report_text, bench_report_tap;

/* Machine code. */
extern const struct codegen_report codegen_report_text, codegen_report_tap;

/* Generated programs. */
extern const struct programs_report programs_report_text, programs_report_tap;

#endif
