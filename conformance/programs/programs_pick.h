/* Which programs a run has. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_PICK_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_PICK_H

#include "conformance/programs/programs_rows.h"

/* The lines of so many programs of the run, one after the other, for free(); NULL without memory.
 * Mostly ones that the generator picks; every sixteenth is made of one operation, of each in its
 * turn. Statements that complete the trigger of a known miscompile are dropped, unless the run
 * wants them. */
char *programs_lines_of(const struct programs *programs, uint64_t first, int count);

/* True where each run of tier standard, or of smoke, has these programs too: what a compiler makes
 * of them is worth keeping. Those of another seed are run once, mostly. */
bool programs_recur(const struct programs *programs, uint64_t first, int count);

/* The cases one after the other, a line each, for free(); NULL without memory. */
char *programs_join(const struct program_case *cases, int count);

#endif
