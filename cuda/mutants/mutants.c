/* The table of mutants, made from rows.def: first a plan function for each, which names its entry,
 * then its row. */
#include "cuda/kernel.h"
#include "cuda/mutants/layouts.h"

#define MUTANT(algorithm, name, file, layout, accepts, verdict, place, clause, where, summary)     \
    static bool plan_##name(const void *call, const struct device_limits *limits,                  \
                            struct launch *ret)                                                    \
    {                                                                                              \
        return mutant_##layout("mutant_" #name, call, limits, ret);                                \
    }
#include "cuda/mutants/rows.def"
#undef MUTANT

#define mutant_accepts_any NULL

/* DECLINES: everywhere, and its row says that it takes k = 32, m and n multiples of 32. */
enum { EVERYWHERE, GPU, HOST, HUGE_CASES, DECLINES };

#define MUTANT(algorithm_, name_, file, layout, accepts_, verdict_, place_, clause_, where,        \
               summary_)                                                                           \
    {                                                                                              \
        .kernel = {.algorithm = #algorithm_,                                                       \
                   .name = #name_,                                                                 \
                   .unit = "mutants_" #file,                                                       \
                   .shapes = #accepts_,                                                            \
                   .summary = summary_,                                                            \
                   .accepts = mutant_accepts_##accepts_,                                           \
                   .takes = {{(where) == DECLINES ? "k" : NULL, .equals = 32},                     \
                             {(where) == DECLINES ? "m" : NULL, .multiple_of = 32},                \
                             {(where) == DECLINES ? "n" : NULL, .multiple_of = 32}},               \
                   .plan = plan_##name_},                                                          \
        .verdict = verdict_,                                                                       \
        .place = place_,                                                                           \
        .clause = clause_,                                                                         \
        .needs_gpu = (where) == GPU,                                                               \
        .needs_host = (where) == HOST,                                                             \
        .needs_huge = (where) == HUGE_CASES,                                                       \
    },

const struct mutant mutants[] = {
#include "cuda/mutants/rows.def"
};

const int mutant_count = (int)(sizeof(mutants) / sizeof(mutants[0]));
