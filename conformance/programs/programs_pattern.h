/* The pattern of a program: what programs of one miscompile have in common. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_PATTERN_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_PATTERN_H

#include "conformance/programs/programs_rows.h"

/* The instructions of a program in their order, variables named as they come. Returns `ret_text`.
 */
const char *programs_pattern(const char *line, char ret_text[PROGRAMS_PATTERN_BYTES]);

#endif
