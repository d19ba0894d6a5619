/* Failures of a run, each tried again: alone, smaller, and through every other row. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H

#include "conformance/programs/programs_rows.h"

/* Confirms, reduces, attributes and groups what failed, unless the run is interrupted. */
void programs_try_all(struct programs *programs);

/* The instructions of a program in their order, variables named as they come: what programs of one
 * miscompile have in common. Returns `ret_text`. */
const char *programs_pattern(const char *line, char ret_text[PROGRAMS_PATTERN_BYTES]);

#endif
