/* What this program lacks for a device: rows of its tables (limits of the architecture, machine
 * code, budgets, floors, ...) that a GPU which nobody has seen does not have yet. A new kind of row
 * is a row in gaps_made.c. spec/guide/new_gpu.md explains each.
 *
 *     options->gaps = gaps_line;               run and gate write the line after the device's
 *     const struct line *line = gaps_line(options, &info, &board, &zone);  // NULL: nothing lacks
 *     gaps_write(stdout, "", LINE_AS(gaps, line));                         // report/gaps.h
 */
#pragma once

#include "conformance/record/lines.h"
#include "conformance/session/options.h"

/* The record's line of a device: every kind of row that it lacks; NULL if it lacks none, or is no
 * GPU. Clause: runner.gaps.listed. */
const struct line *gaps_line(const struct options *options, const struct device_info *info,
                             const struct board *board, struct zone *zone);
