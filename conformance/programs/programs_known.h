/* Known miscompiles, each checked by itself. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_KNOWN_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_KNOWN_H

#include "conformance/programs/programs_rows.h"

/* Programs of the run avoid those known miscompiles that a compiler of it is listed with. */
void programs_choose_known(struct programs *programs);

/* Plans a check of each known miscompile through each row that runs, in the list's order. One that
 * would hang the driver's compiler is not tried unless --triggers asks for it: it is a SKIP. False
 * without memory. */
bool programs_plan_known(struct programs *programs);

/* Runs the next of them on the client's device: a hang or a crash, alone, or some others, which
 * with
 * --time come after the programs. False where none is left, or the run is interrupted. */
bool programs_check_early(struct programs *programs, struct session_client *client);

/* Runs those that are left. */
void programs_check_late(struct programs *programs);

/* The row whose trigger the program has, as it was generated and as it was reduced, which lists
 * that way of failing for its compiler; NULL: none. Whether it is that miscompile takes evidence.
 */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it);

/* A failure that is a known miscompile is counted as that, and is no failure of its own: its row
 * lists its wrong words, or, of a program that --triggers made, the row's own program came out as
 * listed through the same path. Checks of known miscompiles are over by then. */
void programs_take_known(struct programs *programs);

#endif
