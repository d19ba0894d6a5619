/* Which cases a run has: a boundary cross first, then a seeded random tail, each in an order
 * shuffled by the seed, then a few that are each made for one kind of mistake. Their number is
 * known before the first one is made, and each can be made by itself:
 *
 *     struct generator generator;
 *     struct fuzz_case test_case;
 *     generator_open(&generator, algorithm_find("matmul"), TIER_SMOKE, seed, 0);
 *     for (uint64_t index = 0; index < generator.count; index++)
 *         generator_case(&generator, index, &test_case); */
#pragma once

#include "fuzz/case.h"

/* TIER_HUGE is separate: index products past 2^31 and 2^32, and gigabytes to hold them. */
enum tier { TIER_SMOKE, TIER_STANDARD, TIER_DEEP, TIER_HUGE, TIER_COUNT };

struct generator {
    const struct algorithm *algorithm;
    enum tier tier;
    uint64_t seed;
    int64_t elements_max;    /* no case's operand has more elements, gaps and placement included;
                                generator_open sets the tier's, the caller may lower it then */
    uint64_t boundary_count; /* set by generator_open */
    uint64_t count;          /* set by generator_open: boundary cross + random tail + extra cases */
};

const char *tier_name(enum tier tier);

/* Opens the cases of one algorithm. `count` 0: as many as the tier has. */
void generator_open(struct generator *generator, const struct algorithm *algorithm, enum tier tier,
                    uint64_t seed, uint64_t count);

/* The index of the case at `place` < count when the most informative cases run first: a few of the
 * cross, the extra cases, then the others. */
uint64_t generator_telling(const struct generator *generator, uint64_t place);

/* Case `index` < count. Always valid; the same for the same generator. */
void generator_case(const struct generator *generator, uint64_t index, struct fuzz_case *ret);

/* The place of `index` in an order of [0, count) that the seed chooses: a bijection. */
uint64_t generator_shuffle(uint64_t seed, uint64_t index, uint64_t count);

/* The value number that case `rank` of the boundary cross has in column `column`: the axes in
 * order, then the fill. */
int generator_cross_digit(uint64_t rank, int column);
