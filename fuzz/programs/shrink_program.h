/* The smallest program found that still fails: statements dropped (halves first, then one by one),
 * loops made shorter, arguments made constants, then the mix narrowed to what is left. */
#ifndef ASSAY_FUZZ_PROGRAMS_SHRINK_PROGRAM_H
#define ASSAY_FUZZ_PROGRAMS_SHRINK_PROGRAM_H

#include "fuzz/programs/program_case.h"

/* Asks of `count` cases at once which fail as the first one did (ret_fails): so that one module and
 * one launch answer many. False: stop and keep what there is. */
typedef bool program_fails(void *context, const struct program_case *cases, int count,
                           bool *ret_fails);

void program_shrink(struct program_case *it, program_fails *fails, void *context);

#endif
