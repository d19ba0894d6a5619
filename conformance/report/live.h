/* Shows a command while it runs, from nothing but the lines of its record. Each line is read back
 * as a reader of the record gets it, so what a run prints is what its record says:
 *
 *     struct live *live = live_of("codegen", options, NULL);
 *     status = measure_run(&codegen_measure, options, live_sink(live));
 *     status = live_end(live, status);
 *
 * Text and TAP are streams, a line of output for one of the record; any other format is a report of
 * all lines (reporter.h), written by live_end(), and so is quiet text. A kept record is played in
 * the same words: its lines are given to live_entry().
 *
 * How a measure looks in a stream is a struct live_stream (live_stream.h); a new one is a row in
 * live.c. */
#pragma once

#include "conformance/report/live_stream.h"

/* NULL for FORMAT_JSON, which is the record itself. Every function accepts NULL. */
struct live *live_open(const struct live_options *options);

/* The same of a command line, whose texts are borrowed. */
struct live *live_of(const char *command, const struct options *options, live_comparer *compare);

/* What gives it the lines of a measure, and NULL of NULL. It lives as long as `live`. */
const struct session_sink *live_sink(struct live *live);

/* The next line of a record, the header first. Those of several records follow each other: parts of
 * one command, and at last the line of the whole. */
void live_entry(struct live *live, const struct record_entry *entry);

/* Writes the report of all that has come, if the format is no stream, and frees `live`. `status`
 * is what the command ends with; a failure of the harness is an ERROR, whatever the lines say.
 * Returns `status`, or a failure of the harness if standard output cannot be written. */
int live_end(struct live *live, int status);
