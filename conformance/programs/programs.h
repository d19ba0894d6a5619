/* The measure of generated programs: `assay run --programs` and `assay replay` with a program's
 * line. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H

#include "conformance/programs/programs_rows.h"
#include "conformance/session/measure.h"

extern const struct measure programs_measure, programs_measure_replay;

/* How many programs a run of a tier has; 0: it has none. */
uint64_t programs_of_tier(enum tier tier);

/* Why options like these leave programs out, where nobody asks for them: NULL where nothing does.
 */
const char *programs_left_out(const struct options *options);

#endif
