/* The measure of generated programs: `assay run --programs` and `assay replay` with a program's
 * line. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H

#include "conformance/programs/programs_rows.h"
#include "conformance/session/measure.h"

extern const struct measure programs_measure, programs_measure_replay;

/* How many programs a run of a tier has; 0: it has none. */
uint64_t programs_of_tier(enum tier tier);

/* Gives a run or a gate its tier's programs: without a seed that the user gave, the same each time,
 * so that what is known of them is known for all. A deep run looks further. */
void programs_take_tier(struct options *options);

/* Why options like these leave programs out, where nobody asks for them: NULL where nothing does.
 */
const char *programs_left_out(const struct options *options);

#endif
