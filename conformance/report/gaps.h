/* What this program lacks for a device: rows of its tables (limits of the architecture, machine
 * code, budgets, floors, ...) that a GPU which nobody has seen does not have yet. A new kind of row
 * is a row in gaps.c. spec/guide/new_gpu.md explains each.
 *
 *     options->gaps = gaps_line;               run and gate write the line after the device's
 *     const struct line *line = gaps_line(options, &info, &board, &zone);   NULL: nothing is
 * lacking gaps_write(stdout, "", LINE_AS(gaps, line));                          the screen of it
 */
#pragma once

#include <stdio.h>

#include "conformance/session/session.h"

/* The record's line of a device: every kind of row that it lacks; NULL if it lacks none, or is no
 * GPU. Clause: runner.gaps.listed. */
const struct line *gaps_line(const struct options *options, const struct device_info *info,
                             const struct board *board, struct zone *zone);

/* Writes that line in at most 80 columns, and the verdicts to expect; each line begins
 * with the prefix. */
void gaps_write(FILE *file, const char *prefix, const struct line_gaps *gaps);

/* The same on standard output of a line that a session writes; nothing of any other line. */
void gaps_show(const struct session *session, const struct line *line);
