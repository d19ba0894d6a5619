/* Programs to workers: known miscompiles, each checked by itself, and the programs of the run
 * through every row. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H

#include "conformance/programs/programs_rows.h"

/* True where the known miscompile is listed for the row's compiler. */
bool programs_lists(const struct programs *programs, const struct programs_row *row,
                    const struct known *known);

/* Programs of the run avoid those known miscompiles that a compiler of it is listed with. */
void programs_choose_known(struct programs *programs);

/* Plans a check of each known miscompile through each row that runs, in the list's order. One that
 * would hang the driver's compiler is not tried unless --triggers asks for it: it is a SKIP. False
 * without memory. */
bool programs_plan_known(struct programs *programs);

/* Hands out what is planned until all of it is done, or the run is to end: known miscompiles that
 * hang or crash a compiler first, then the other ones, which come after the programs with --time.
 */
void programs_take_all(struct programs *programs);

/* Runs the checks that are left. */
void programs_check_late(struct programs *programs);

#endif
