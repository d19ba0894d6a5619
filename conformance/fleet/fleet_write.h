/* Shows a fleet: what was found, outliers first, and how many machines are the SAME. */
#pragma once

#include "conformance/fleet/fleet_judged.h"
#include "conformance/report/reporter.h"

/* Writes a fleet in any format of --format. */
void fleet_write(struct report *report, enum output_format format, const struct fleet *fleet);

/* A fleet as a document: a check for each machine and each file that was not used, and what differs
 * in it as findings. */
void fleet_document(struct document *ret, const struct fleet *fleet);

/* The formats that a fleet has a writer of its own for. */
typedef void fleet_writer(struct report *report, const struct fleet *fleet);
fleet_writer fleet_text_write, fleet_json_write, fleet_markdown_write, fleet_page_write;
