/* Operations times code paths: what the program of each came to through each row. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_OPERATIONS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_OPERATIONS_H

#include <jansson.h>

#include "conformance/programs/programs_rows.h"

/* Plans them, before anything else that the rows have. False without memory. */
bool programs_open_operations(struct programs *programs);

/* The record's line of a row; NULL where none was planned. */
json_t *programs_operations_line(const struct programs *programs, int row);

#endif
