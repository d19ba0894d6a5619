/* What the generator covers, and how little it makes in vain. The figures are printed. */
#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/draw.h"
#include "fuzz/programs/program_case.h"
#include "spec/testing.h"

enum {
    PLACES = PROGRAM_ARGUMENTS_MAX * 2, /* each argument as a variable and as a constant */
    WORDS_MAX = (PROGRAM_VARIABLES_MAX + 8) * PROGRAM_THREADS_MAX,
    DEPENDENT_PERCENT = 20,
    LIVE_PERCENT = 90,
};

static struct program_case it;
static struct program program, part;
static uint64_t input[WORDS_MAX], expected[WORDS_MAX], got[WORDS_MAX];

START_TEST(operands_are_covered, "program_cases.measure.covered")
{
    static bool is_seen[OPERATIONS][PROGRAM_TYPES][PLACES];
    int places = 0;
    int seen = 0;
    for (uint64_t index = 0; index < 15000; index++) {
        program_case_pick(7, index, &it);
        program_case_make(&it, &program);
        for (int at = 0; at < program.statement_count; at++) {
            const struct program_statement *statement = &program.statement[at];
            for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++)
                if (statement->argument[place].kind != ARGUMENT_NONE)
                    is_seen[statement->operation][statement->type]
                           [2 * place + (statement->argument[place].kind == ARGUMENT_CONSTANT)] =
                               true;
        }
    }
    for (int row = 0; row < OPERATIONS; row++) {
        for (int type = 0; type < PROGRAM_TYPES; type++) {
            if (!(operations[row].types >> type & 1))
                continue;
            for (int place = 1; place <= operation_arguments(&operations[row]); place++) {
                uint64_t bound;
                bool is_constant =
                    operation_is_constant(&operations[row], (enum program_type)type, place, &bound);
                const bool *kinds = &is_seen[row][type][2 * (place - 1)];
                places += is_constant ? 1 : 2;
                seen += kinds[0] + kinds[1];
            }
        }
    }
    fprintf(stderr, "%d of %d operands (operation, type, argument, variable or constant)\n", seen,
            places);
    ck_assert_int_eq(seen, places);
}

static void make(uint64_t index)
{
    program_case_pick(8, index, &it);
    program_case_make(&it, &program);
    program_case_inputs(&it, &program, input);
    program_interpret(&program, input, expected);
}

/* Whether a variable's outputs differ from what was expected, in any thread. */
static bool differs(int variable)
{
    size_t first = (size_t)variable * program.threads;
    return memcmp(&got[first], &expected[first], program.threads * sizeof *got) != 0;
}

/* Inputs and outputs of which the one depends on the other, as bits that are flipped show. */
static int dependent_pairs(struct draw *draw)
{
    int pairs = 0;
    for (int word = 0; word < program.input_count; word++) {
        bool depends[PROGRAM_VARIABLES_MAX] = {false};
        for (int flip = 0; flip < 6; flip++) {
            static uint64_t flipped[WORDS_MAX];
            memcpy(flipped, input, program_input_words(&program) * sizeof *input);
            for (uint32_t thread = 0; thread < program.threads; thread++)
                flipped[(uint32_t)word * program.threads + thread] ^=
                    flip < 2 ? UINT64_C(1) << draw_below(draw, 32) | 1 : draw_word(draw);
            program_interpret(&program, flipped, got);
            for (int variable = 0; variable < program.variable_count; variable++)
                depends[variable] |= differs(variable);
        }
        for (int variable = 0; variable < program.variable_count; variable++)
            pairs += depends[variable];
    }
    return pairs;
}

START_TEST(outputs_depend_on_inputs, "program_cases.measure.depends")
{
    struct draw draw = {.seed = 1};
    int programs = 100, whole = 0, inputs = 0, pairs = 0, dependent = 0;
    for (int index = 0; index < programs; index++) {
        make((uint64_t)index);
        int of_program = dependent_pairs(&draw);
        int all = program.input_count * program.variable_count;
        whole += of_program == all;
        inputs += program.input_count;
        pairs += all;
        dependent += of_program;
    }
    fprintf(stderr,
            "%d of %d programs: every output depends on every input; %d of %d pairs, %d inputs\n",
            whole, programs, dependent, pairs, inputs);
    ck_assert_int_ge(dependent * 100, pairs * DEPENDENT_PERCENT);
}

START_TEST(little_is_computed_in_vain, "program_cases.measure.live")
{
    int programs = 60, statements = 0, live = 0;
    for (int index = 0; index < programs; index++) {
        make((uint64_t)index);
        part = program;
        for (int at = 0; at < part.statement_count; at++) {
            it.dropped[part.statement[at].number] = true;
            program_case_make(&it, &program);
            it.dropped[part.statement[at].number] = false;
            statements++;
            if (program.variable_count != part.variable_count) {
                live++; /* it alone names a variable */
                continue;
            }
            program_interpret(&program, input, got);
            live += memcmp(got, expected, program_output_words(&program) * sizeof *got) != 0;
        }
    }
    fprintf(stderr, "%d of %d statements change an output\n", live, statements);
    ck_assert_int_ge(live * 100, statements * LIVE_PERCENT);
}
