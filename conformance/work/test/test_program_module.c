/* A module of programs: each word of its outputs counts. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/work/program_module.h"
#include "spec/testing.h"

enum { PROGRAMS = 3 };
static const char lines[] = "program version=2 seed=1 statements=12 threads=32\n"
                            "program version=2 seed=2 statements=30 threads=7\n"
                            "program version=2 seed=3 statements=5 threads=64\n";

static void make(struct program_module *ret)
{
    struct program_job *job = calloc(1, program_job_bytes(sizeof lines));
    struct reason reason = {.text = ""};
    ck_assert_ptr_nonnull(job);
    job->count = PROGRAMS;
    memcpy(job->lines, lines, sizeof lines);
    ck_assert_msg(program_module_make(job, ret, &reason), "%s", reason.text);
    memcpy(ret->got, ret->expected, ret->output_words * sizeof *ret->got);
    free(job);
}

/* Whichever word is wrong, also one between two programs, the program before it is. */
START_TEST(each_word_is_compared)
{
    CLAUSE("program_runs.outputs.whole");
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
        module.got[word] ^= (uint64_t)1 << word % 64;
        program_module_compare(&module, results);
        for (size_t index = 0; index < PROGRAMS; index++)
            ck_assert_uint_eq(results[index].wrong, index == owner);
        module.got[word] = module.expected[word];
    }
    program_module_free(&module);
}
END_TEST

/* What the launch does not write is wrong. */
START_TEST(no_result_is_there_before)
{
    CLAUSE("program_runs.poison.differs");
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
END_TEST
