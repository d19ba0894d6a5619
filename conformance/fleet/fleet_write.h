/* Shows a fleet: what was found, outliers first, and how many machines are the SAME. */
#pragma once

#include <stdio.h>

#include "conformance/fleet/fleet_judged.h"

typedef void fleet_writer(FILE *file, const struct fleet *fleet);

/* In the order of the words of --format. */
extern fleet_writer *const fleet_writers[];

fleet_writer fleet_text_write, fleet_json_write, fleet_markdown_write, fleet_page_write;
