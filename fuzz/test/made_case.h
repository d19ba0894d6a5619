/* Cases for tests. */
#pragma once

#include "fuzz/generator.h"
#include "spec/testing.h"

/* The case of that line, which there must be. */
static inline struct fuzz_case made_case(const char *line)
{
    struct fuzz_case test_case;
    struct case_error error;
    ck_assert_msg(case_parse(line, &test_case, &error), "%s: %s", line, error.message);
    return test_case;
}

static inline struct generator made_generator(const struct algorithm *algorithm, enum tier tier,
                                              uint64_t seed)
{
    struct generator generator;
    generator_open(&generator, algorithm, tier, seed, 0);
    return generator;
}

static inline struct fuzz_case generated(const struct generator *generator, uint64_t number)
{
    struct fuzz_case test_case;
    generator_case(generator, number, &test_case);
    return test_case;
}
