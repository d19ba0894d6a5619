/* The line of what this program lacks for a device, in words. */
#pragma once

#include <stdio.h>

#include "conformance/record/lines.h"

/* Writes that line in at most 80 columns, and the verdicts to expect; each line begins
 * with the prefix. */
void gaps_write(FILE *file, const char *prefix, const struct line_gaps *gaps);
