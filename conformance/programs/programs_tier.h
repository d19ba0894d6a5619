/* The programs of a tier, beside the kernels of a run and in a gate: how many, which, and when
 * none. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TIER_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TIER_H

#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/session/options.h"

/* The seed of the programs that each run and gate has. */
enum { PROGRAMS_SEED = 2 };

/* How many programs a run of a tier has; 0: it has none. */
uint64_t programs_of_tier(enum tier tier);

/* Gives a run or a gate its tier's programs. They follow from the generator's version alone, so
 * that what is known of them is known for all: --seed chooses cases of kernels. Tier deep is a
 * search, as
 * --programs is in a run. */
void programs_take_tier(struct options *options);

/* Why options like these leave programs out, where nobody asks for them: NULL where nothing does.
 */
const char *programs_left_out(const struct options *options);

/* True where programs run through the path: it takes their text. */
bool programs_take_path(const struct path *path);

#endif
