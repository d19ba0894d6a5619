/* Failures of a run, each tried again: alone, smaller, and through every other row. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H

#include "conformance/programs/programs_rows.h"

/* Confirms, reduces and attributes what failed, unless the run is interrupted. */
void programs_try_all(struct programs *programs);

/* Those of one miscompile get one group, once what is known is found among them. */
void programs_group(struct programs *programs);

/* Failures of one cause: what a smallest program is made of, as a trigger, tells which other
 * failures come from the same miscompile, without a reduction of each. */

/* The row whose trigger the program has, as it was generated and as it was reduced, which lists
 * that way of failing for its compiler; NULL: none. Whether it is that miscompile takes evidence.
 */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it);

/* A failure that is a known miscompile is counted as that, and is no failure of its own: its row
 * lists its wrong words, or, of a program that --triggers made, the row's own program came out as
 * listed through the same path. Checks of known miscompiles are over by then. */
void programs_take_known(struct programs *programs);

/* The whole program as the trigger of its last statement, arguments that no statement gives left
 * open; "" where a trigger cannot say it. Returns `ret_text`. */
const char *programs_cause(const struct program *program, char ret_text[PROGRAMS_CAUSE_BYTES]);

/* Drops what completes the cause from the case. True where something was. */
bool programs_without_cause(const char *cause, struct program_case *it, struct program *scratch);

/* Others of the same row may have its cause from now on, where its smallest program is of nothing
 * that is known there. */
void programs_tell_cause(struct programs *programs, struct program_finding *it);

/* Where a smallest program has the shorter cause of another one in it, it is of that one. What is
 * known neither gives nor takes a cause: else one that is not listed would be counted as known. */
void programs_join_causes(struct programs *programs);

#endif
