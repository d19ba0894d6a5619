/* A module of programs: each word of its outputs counts. */
#include <fenv.h>

#include "conformance/work/program_run.h"
#include "cpu_ref/float_state.h"
#include "spec/testing.h"

enum { PROGRAMS = 3 };
static const char lines[] = "program version=2 seed=1 statements=12 threads=32\n"
                            "program version=2 seed=2 statements=30 threads=7\n"
                            "program version=2 seed=3 statements=5 threads=64\n";

static void make_of(const char *text, int count, struct program_module *ret)
{
    struct program_job *job = calloc(1, program_job_bytes(strlen(text)));
    struct reason reason = {.text = ""};
    ck_assert_ptr_nonnull(job);
    job->count = count;
    strcpy(job->lines, text);
    ck_assert_msg(program_module_make(job, ret, &reason), "%s", reason.text);
    for (int launch = 0; launch < PROGRAM_LAUNCHES; launch++)
        memcpy(ret->got[launch], ret->expected, ret->output_words * sizeof *ret->expected);
    free(job);
}

static void make(struct program_module *ret)
{
    make_of(lines, PROGRAMS, ret);
}

/* The first wrong word: its place, by the layout of outputs, and both sides' bits. */
static void check_place(const struct program_module *module, const struct module_program *it,
                        size_t word, const struct program_result *result)
{
    const size_t at = word - it->output_at, threads = it->program.threads;
    const size_t own = program_own_word(&it->program, 0), end = program_output_words(&it->program);
    const size_t each = (end - own) / threads;
    const bool is_own = at >= own && at < end;
    ck_assert_uint_eq(result->expected, module->expected[word]);
    ck_assert_uint_ne(result->got, module->expected[word]);
    ck_assert(result->got == module->got[0][word] || result->got == module->got[1][word] ||
              result->got == module->got[2][word]);
    if (at < it->program.variable_count * threads) {
        ck_assert_int_eq(result->variable, (int)(at / threads));
        ck_assert_int_eq(result->thread, (int)(at % threads));
    } else {
        ck_assert_int_eq(result->variable, is_own ? PROGRAM_PLACE_OWN : PROGRAM_PLACE_GAP);
        ck_assert_int_eq(result->thread, is_own ? (int)((at - own) / each) : 0);
        ck_assert_int_eq(result->word, is_own ? (int)((at - own) % each) : 0);
    }
}

/* Whichever word is wrong, also one between two programs, the program before it is. */
START_TEST(each_word_is_compared, "program_runs.outputs.whole")
{
    struct program_module module;
    struct program_result results[PROGRAMS];
    make(&module);
    program_module_compare(&module, results);
    for (int index = 0; index < PROGRAMS; index++) {
        ck_assert_uint_eq(results[index].wrong, 0);
        ck_assert_uint_eq(results[index].compared,
                          program_output_words(&module.programs[index].program));
    }
    for (size_t word = 0, owner = 0; word < module.output_words; word++) {
        owner += owner + 1 < PROGRAMS && word == module.programs[owner + 1].output_at;
        uint64_t *const got = module.got[word / 64 % PROGRAM_LAUNCHES];
        got[word] ^= (uint64_t)1 << word % 64;
        program_module_compare(&module, results);
        for (size_t index = 0; index < PROGRAMS; index++)
            ck_assert_uint_eq(results[index].wrong, index == owner);
        check_place(&module, &module.programs[owner], word, &results[owner]);
        got[word] = module.expected[word];
    }
    program_module_free(&module);
}

/* Words that depend on what earlier launches left vary from GPU to GPU; where they are does not. */
START_TEST(words_that_vary_are_known_by_their_places, "program_runs.launch.thrice")
{
    enum { WORD = 5, CASES = 6 };
    /* What is added to the right word by each launch. */
    static const uint64_t added[CASES][PROGRAM_LAUNCHES] = {{1, 1, 1}, {2, 2, 2}, {1, 2, 1},
                                                            {3, 0, 0}, {0, 9, 0}, {0, 0, 4}};
    struct program_module module;
    struct program_result results[CASES][PROGRAMS];
    make(&module);
    for (int index = 0; index < CASES; index++) {
        for (int launch = 0; launch < PROGRAM_LAUNCHES; launch++)
            module.got[launch][WORD] = module.expected[WORD] + added[index][launch];
        program_module_compare(&module, results[index]);
        ck_assert_uint_eq(results[index][0].wrong, 1);
        ck_assert_uint_eq(results[index][0].wrong_places, results[0][0].wrong_places);
    }
    ck_assert_uint_ne(results[0][0].wrong_bits, results[1][0].wrong_bits);
    for (int index = 2; index < CASES; index++) {
        ck_assert_uint_ne(results[index][0].wrong_bits, results[0][0].wrong_bits);
        ck_assert_uint_eq(results[index][0].wrong_bits, results[2][0].wrong_bits);
    }
    program_module_free(&module);
}

/* What the launch does not write is wrong. */
START_TEST(no_result_is_there_before, "program_runs.poison.differs")
{
    struct program_module module;
    make(&module);
    for (int index = 0; index < PROGRAMS; index++) {
        const struct module_program *it = &module.programs[index];
        const size_t variables = (size_t)it->program.variable_count * it->program.threads;
        for (size_t word = it->output_at; word < it->output_at + variables; word++)
            ck_assert_uint_ne(module.before[word], module.expected[word]);
    }
    program_module_free(&module);
}

/* Rounding to zero, and subnormals flushed, as a library left it that reads the clock. */
START_TEST(a_golden_does_not_depend_on_the_caller, "numerics.state.default")
{
    for (int seed = 1; seed <= 8; seed++) {
        char text[100];
        struct program_module sound, other;
        snprintf(text, sizeof text, "program version=2 seed=%d statements=100 threads=64", seed);
        make_of(text, 1, &sound);
        fesetround(FE_TOWARDZERO);
#if defined(__SSE__)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
        make_of(text, 1, &other);
        float_state_set();
        ck_assert_msg(memcmp(sound.expected, other.expected,
                             sound.output_words * sizeof *sound.expected) == 0,
                      "%s", text);
        program_module_free(&sound);
        program_module_free(&other);
    }
}
