/* The programs of a run through every row: ranges handed out, results counted. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H

#include "conformance/programs/programs_rows.h"

/* Hands out what is planned until all of it is done, or the run is to end. */
void programs_take_all(struct programs *programs);

#endif
