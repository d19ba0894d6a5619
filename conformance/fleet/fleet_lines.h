/* What the lines of a record are in a fleet's table: cells and figures (fleet_table.h). */
#pragma once

#include "conformance/fleet/fleet_table.h"
#include "conformance/record/lines.h"

/* True for lines of a kind that most records of a fleet have byte by byte, such as those of machine
 * code: fleet_keep keeps them. */
bool fleet_line_is_alike(enum record_kind kind);

/* Adds the texts of a line, such as bits or machine code. Nothing of a line of another kind. */
void fleet_line_cells(struct fleet_table *table, const struct line *line, struct fleet_cells *into);

/* Adds the figures of a line that was timed to its GPU, and the clocks that it had. */
void fleet_line_figures(struct fleet_table *table, const struct line *line, struct fleet_gpu *into);

/* Adds the fields of a device or of a header that describe the stack, once each: those that the row
 * has already are left as they are. */
void fleet_line_device(struct fleet_table *table, const struct line_device *line,
                       struct fleet_cells *into);
void fleet_line_header(struct fleet_table *table, const struct line_header *line,
                       struct fleet_cells *into);

/* Adds what follows from all lines of a GPU: its clocks. */
void fleet_line_clocks(struct fleet_table *table, struct fleet_gpu *gpu);

/* The cases of a record, in words: records with the same are compared bit by bit. */
fleet_text_id fleet_line_plan(struct fleet_table *table, const struct line_header *line);

/* Adds the plan as something that machines may differ in. */
void fleet_line_plan_cell(struct fleet_table *table, fleet_text_id plan, struct fleet_cells *into);
