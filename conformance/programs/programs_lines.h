/* Generated programs in a record, and the command that replays one. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_LINES_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_LINES_H

#include <jansson.h>

#include "conformance/programs/programs_rows.h"
#include "conformance/session/path_option.h"
#include "fuzz/programs/program_case.h"

json_t *programs_row_line(const struct programs *programs, const struct programs_row *row);
json_t *programs_finding_line(const struct programs *programs, const struct program_finding *it);

json_t *programs_known_line(const struct programs *programs, const struct programs_known *it);

/* "variable 5 in thread 3"; "" where there is none. Returns `ret_text`. */
enum { PROGRAMS_PLACE_BYTES = 96 };
const char *programs_place(const struct program_finding *it, char ret_text[PROGRAMS_PLACE_BYTES]);

/* The smallest case that is known of it, and what came of that. */
const char *programs_smallest(const struct program_finding *it,
                              const struct program_result **ret_result);

#endif
