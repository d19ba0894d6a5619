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

/* Runs the next of them on the hand's device: a hang or a crash, alone, or some others, which with
 * --time come after the programs. False where none is left, or the run is interrupted. */
struct crew_hand;
bool programs_check_early(struct programs *programs, struct crew_hand *hand);

/* Runs those that are left. */
void programs_check_late(struct programs *programs);

/* The row that the finding's smallest program is of, and that its compiler is listed with; NULL:
 * none. A row without a trigger is of what has its program's pattern. */
const struct known *programs_known_of(const struct programs *programs,
                                      const struct program_finding *it,
                                      const struct program *reduced);

/* A failure whose smallest program is of a known miscompile, of a version that has it, is counted
 * as that, and is no failure of its own. */
void programs_take_known(struct programs *programs);

#endif
