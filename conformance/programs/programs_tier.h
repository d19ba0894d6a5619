/* The programs of a tier, beside the kernels of a run and in a gate: how many, which, and when
 * none. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TIER_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TIER_H

#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/session/options.h"

/* The seed of tiers smoke and standard where the user gives none. */
enum { PROGRAMS_SEED = 2 };

/* How many programs a run of a tier has; 0: it has none. */
uint64_t programs_of_tier(enum tier tier);

/* Gives a run or a gate its tier's programs: without a seed that the user gave, the same each time,
 * so that what is known of them is known for all. A deep run looks further. */
void programs_take_tier(struct options *options);

/* Why options like these leave programs out, where nobody asks for them: NULL where nothing does.
 */
const char *programs_left_out(const struct options *options);

/* True where programs run through the path: it takes their text. */
bool programs_take_path(const struct path *path);

#endif
