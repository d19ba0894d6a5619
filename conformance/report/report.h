/* Live reports of the commands that run: text for people and TAP. What was measured they read from
 * the lines of the record, as they are written, so that it reads the same live and from a record:
 *
 *     measure_run(&bits_measure, options, report_run[options->format]); */
#pragma once

#include <stdio.h>

#include "conformance/bits/run.h"
#include "conformance/report/loaded.h"
#include "conformance/session/options.h"

/* The live reports of a run, by format; NULL for a format without one. */
extern const struct session_report *const report_run[];

/* Writes a finding as lines of "<prefix><name>  <what>": kernel, case, clause, place, expected,
 * got, others, note, replay. */
void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);
