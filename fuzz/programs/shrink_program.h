/* The smallest program found that still fails: statements dropped (all of a group, then halves,
 * down to one by one), fewer threads, shorter loops, arguments made constants; again, until none of
 * that keeps the failure. */
#ifndef ASSAY_FUZZ_PROGRAMS_SHRINK_PROGRAM_H
#define ASSAY_FUZZ_PROGRAMS_SHRINK_PROGRAM_H

#include "fuzz/programs/program_case.h"

enum { PROGRAM_SHRINK_BATCH = 64 };

/* Asks of `count` cases (at most PROGRAM_SHRINK_BATCH) at once which fail as the first one did: so
 * that one module and one launch answer many. False: stop and keep what there is. */
typedef bool program_fails(void *context, const struct program_case *cases, int count,
                           bool *ret_fails);

/* `it` fails. Each case that is asked of is smaller than the one before that failed. */
void program_shrink(struct program_case *it, program_fails *fails, void *context);

#endif
