/* Which programs a run has that names none. */
#include "conformance/programs/programs_tier.h"
#include "spec/testing.h"

/* The same programs each time, but where the user gave a seed, and in a deep run. */
START_TEST(tiers_have_the_same_programs)
{
    CLAUSE("program_runs.tiers.same");
    struct options options = {.seed = 5, .tier = TIER_SMOKE},
                   other = {.seed = 6, .tier = TIER_SMOKE};
    programs_take_tier(&options);
    programs_take_tier(&other);
    ck_assert_uint_eq(options.programs, 200);
    ck_assert_uint_eq(options.seed, other.seed);
    other = (struct options){.seed = 6, .tier = TIER_STANDARD, .given.seed = true};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.programs, 5000);
    ck_assert_uint_eq(other.seed, 6);
    other = (struct options){.seed = 6, .tier = TIER_DEEP};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.seed, 6);
}
END_TEST

/* So many in place of the tier's; 0 leaves the part of a gate out, by that word. */
START_TEST(a_gate_has_as_many_as_are_named)
{
    CLAUSE("program_runs.tiers.chosen");
    struct options options = {.tier = TIER_STANDARD, .programs = 7, .given.programs = true};
    programs_take_tier(&options);
    ck_assert_uint_eq(options.programs, 7);
    ck_assert_ptr_null(programs_left_out(&options));
    options.programs = 0;
    ck_assert_str_eq(programs_left_out(&options), "--programs 0");
    options.given.programs = false;
    ck_assert_ptr_null(programs_left_out(&options));
}
END_TEST
