/* Live reports of the commands that run: text for people and TAP. What was measured they read from
 * the lines of the record, as they are written, so that it reads the same live and from a record:
 *
 *     measure_run(&bits_measure, options, report_run[options->format]); */
#pragma once

#include <stdio.h>

#include "conformance/bits/run.h"
#include "conformance/report/loaded.h"
#include "conformance/session/options.h"

/* The live reports of a run and of a bench with its sweep, by format; NULL for a format without
 * one. */
extern const struct session_report *const report_run[], *const report_bench[];

/* Writes a finding as lines of "<prefix><name>  <what>": kernel, case, clause, place, expected,
 * got, others, note, replay. */
void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *finding);

/* The next line of a kind, from *at on, among those that a session keeps; NULL after the last. */
const struct line *report_next(const struct session *session, enum record_kind kind, size_t *at);

/* A line of TAP for a record's line of something measured, in the words of failure_text, with the
 * command that measures it again where it did not pass. */
void report_tap_measured(const struct line *line);

/* Prints a measured line that the live report has no table for, in the words of failure_text. */
void report_other(const struct line *line);

/* The same of a line of the plan, as a session writes it: the `line` of a measure's report. */
void report_tap_line(const struct session *session, const struct line *line);
