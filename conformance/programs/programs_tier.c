/* Programs that nobody asked for by number (programs_tier.h). Clauses: program_runs.tiers.same,
 * program_runs.tiers.chosen, program_runs.paths.text. */
#include "conformance/programs/programs_tier.h"

uint64_t programs_of_tier(enum tier tier)
{
    static const uint64_t counts[] = {[TIER_SMOKE] = 200,
                                      [TIER_STANDARD] = 5000,
                                      [TIER_DEEP] = UINT64_C(1)
                                                    << 40, /* without an end, as it were */
                                      [TIER_HUGE] = 0};
    return (size_t)tier < sizeof counts / sizeof counts[0] ? counts[tier] : 0;
}

void programs_take_tier(struct options *options)
{
    if (!options->given.programs)
        options->programs = programs_of_tier((enum tier)options->tier);
    options->same_programs = options->tier != TIER_DEEP;
    if (options->same_programs)
        options->seed = PROGRAMS_SEED;
}

bool programs_take_path(const struct path *path)
{
    return path->source->takes_text != SOURCE_TEXT_NONE && path->images == NULL;
}

const char *programs_left_out(const struct options *options)
{
    bool is_taken = !options->given.paths;
    for (int path = 0; path < path_count() && !is_taken; path++)
        is_taken = programs_take_path(path_row(path)) && path_is_among(path, options->paths);
    return options->given.programs && options->programs == 0        ? "--programs 0"
           : options->pattern_count > 0 && !options->given.programs ? "kernels are named"
           : is_taken                                               ? NULL
                      : "no code path that is named takes their text";
}
