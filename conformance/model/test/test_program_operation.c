/* Programs of one operation each: there is one for each, they are valid, and another operation in
 * place of it gives other bits. */
#include "conformance/model/program_text.h"
#include "fuzz/programs/test/program_check.h"
#include "spec/testing.h"

static struct program made, other;
static struct program_case test_case;

static void make(int index, struct program *ret)
{
    char line[OPERATION_WORDS_BYTES + 16], words[OPERATION_WORDS_BYTES];
    struct reason reason = {.text = ""};
    snprintf(line, sizeof line, "operation %s", operation_program_words(index, words));
    ck_assert(program_text_is(line));
    ck_assert_msg(program_text_make(line, &test_case, ret, &reason), "%s: %s", line, reason.text);
}

START_TEST(each_operation_has_programs, "program_runs.operations.table")
{
    bool seen[OPERATIONS] = {false};
    int wrong;
    for (int index = 0; index < operation_programs(); index++) {
        const int row = operation_program_row(index);
        uint32_t used = 0;
        make(index, &made);
        make(index, &other);
        ck_assert_mem_eq(&made, &other, sizeof made);
        const char *why = program_check(&made, &wrong);
        ck_assert_msg(why == NULL, "%s: %s", operations[row].name, why);
        for (int at = 0; at < made.statement_count; at++)
            used += made.statement[at].operation == row;
        ck_assert_msg(used >= 2, "%s: %u statements", operations[row].name, used);
        seen[row] = true;
    }
    for (int row = 0; row < OPERATIONS; row++)
        ck_assert_msg(seen[row], "%s", operations[row].name);
}

START_TEST(what_names_no_operation_is_refused, "program_runs.operations.table")
{
    static const char *const bad[] = {
        "operation",          "operation ",         "operation add",       "operation add.f32",
        "operation none.u32", "operation add.u32 ", "operation add.u32(_)"};
    struct reason reason;
    for (size_t row = 0; row < sizeof bad / sizeof bad[0]; row++)
        ck_assert_msg(!program_text_make(bad[row], &test_case, &made, &reason), "%s", bad[row]);
}

static uint64_t *outputs_of(const struct program *program)
{
    uint64_t *input = calloc((size_t)program_input_words(program) + 1, sizeof *input);
    uint64_t *output = calloc((size_t)program_output_words(program) + 1, sizeof *output);
    program_case_inputs(&test_case, program, input);
    program_interpret(program, input, output);
    free(input);
    return output;
}

/* The next row that could stand in its place, in the text's order; -1: none. */
static int find_like(int row, int type)
{
    for (int turn = 1; turn < OPERATIONS; turn++) {
        const int like = (row + turn) % OPERATIONS;
        if (strcmp(operations[like].signature, operations[row].signature) == 0 &&
            (operations[like].types >> type & 1) && !operations[like].is_block)
            return like;
    }
    return -1;
}

/* As conversions to s32 and to u32 of the same bits, some compute the same: 28 of 844. */
START_TEST(another_operation_is_seen, "program_runs.operations.table")
{
    int pairs = 0, alike = 0;
    for (int index = 0; index < operation_programs(); index++) {
        const int row = operation_program_row(index);
        make(index, &made);
        int first = 0;
        while (made.statement[first].operation != row)
            first++;
        const int like = find_like(row, made.statement[first].type);
        if (operations[row].is_block || like < 0)
            continue;
        other = made;
        for (int at = first; at < made.statement_count; at++)
            if (other.statement[at].operation == row)
                other.statement[at].operation = (uint16_t)like;
        uint64_t *expected = outputs_of(&made), *got = outputs_of(&other);
        alike += memcmp(expected, got, program_output_words(&made) * sizeof *got) == 0;
        pairs++;
        free(expected);
        free(got);
    }
    ck_assert_int_gt(pairs, 700);
    ck_assert_msg(alike * 25 < pairs, "%d of %d", alike, pairs);
}
