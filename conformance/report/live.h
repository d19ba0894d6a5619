/* Shows a command while it runs, from nothing but the lines of its record. Each line is read back
 * as a reader of the record gets it, so what a run prints is what its record says:
 *
 *     struct live *live = live_open(&(struct live_options){.format = FORMAT_TEXT});
 *     status = measure_run(&codegen_measure, options, live_sink(live));
 *     live_close(live);
 *
 * A kept record is played in the same words: its lines are given to live_sink(live)->line.
 *
 * How a measure looks in a format is a struct live_stream (live_stream.h); a new one is a row in
 * live.c. */
#pragma once

#include "conformance/report/live_stream.h"

/* NULL for a format that shows nothing. */
struct live *live_open(const struct live_options *options);
void live_close(struct live *live);

/* What gives it the lines, and NULL of NULL. It lives as long as `live`. */
const struct session_sink *live_sink(struct live *live);
