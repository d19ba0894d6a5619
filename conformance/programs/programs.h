/* The measure of generated programs: `assay run --programs` and `assay replay` with a program's
 * line. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H

#include "conformance/programs/programs_rows.h"
#include "conformance/session/measure.h"

extern const struct measure programs_measure, programs_measure_replay;

#endif
