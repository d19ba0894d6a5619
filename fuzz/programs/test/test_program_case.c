/* Lines of programs, and what they make. */
#include "fuzz/programs/program_case.h"

#include "fuzz/programs/draw.h"
#include "fuzz/programs/test/program_check.h"
#include "fuzz/programs/render.h"
#include "spec/testing.h"

enum { PROGRAMS = 400 };

static struct program_case it;
static struct program program;

static void check_made(void)
{
    char line[PROGRAM_TEXT_BYTES];
    int statement;
    const char *wrong = program_check(&program, &statement);
    if (wrong != NULL)
        program_case_print(&it, line);
    ck_assert_msg(wrong == NULL, "%s: statement %d: %s", line, statement, wrong);
}

START_TEST(a_line_is_strict, "program_cases.text.strict")
{
    static const struct {
        const char *line, *wrong;
    } rows[] = {
        {"", "'': 'program' is expected"},
        {"matmul m=1", "'matmul': 'program' is expected"},
        {"program", "version= is missing"},
        {"program version=1 seed=7",
         "the line is of version 1 of the generator, which is version 2"},
        {"program version=2 seed=7 threads=1", "statements= is missing"},
        {"program version=2 seed=-7", "'': a number is expected"},
        {"program version=2 seed=18446744073709551616",
         "18446744073709551616 is too large: at most 18446744073709551615"},
        {"program version=2 seed=7 statements=513 threads=1", "513 is too large: at most 512"},
        {"program version=2 seed=7 statements=0 threads=1", "0 is too small: at least 1"},
        {"program version=2 seed=7 statements=4 threads=257", "257 is too large: at most 256"},
        {"program version=2 seed=7 statements=4 threads=1 mix=bits,bit",
         "'bit': a group of operations is expected"},
        {"program version=2 seed=7 statements=4 threads=1 operation=ad",
         "'ad': an operation's name is expected"},
        {"program version=2 seed=7 statements=4 threads=1 drop=4", "4 is too large: at most 3"},
        {"program version=2 seed=7 statements=4 threads=1 set=1.5:0x1",
         "set= wants STATEMENT.ARGUMENT:0xBITS"},
        {"program version=2 seed=7 statements=4 threads=1 set=1.0:0x1",
         "set= wants STATEMENT.ARGUMENT:0xBITS"},
        {"program version=2 seed=7 statements=4 threads=1 set=1.1:1",
         "set= wants STATEMENT.ARGUMENT:0xBITS"},
        {"program version=2 seed=7 statements=4 threads=1 seed=7",
         "'seed=7': the end of the line, or another key, is expected"},
        {"program version=2 seed=7 statements=4 threads=1 drop=1 mix=bits",
         "'mix=bits': the end of the line, or another key, is expected"},
        {"program version=2 seed=7 statements=4 threads=1 \033[31m",
         "'?[31m': the end of the line, or another key, is expected"},
        {"program version=2 seed=7 statements=4 threads=1\n", "'1?': a number is expected"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        char error[PROGRAM_ERROR_BYTES] = "";
        memset(&it, 0x5a, sizeof it);
        ck_assert_msg(!program_case_parse(rows[row].line, &it, error), "%s", rows[row].line);
        ck_assert_str_eq(error, rows[row].wrong);
        ck_assert_uint_eq(it.threads, 0x5a5a5a5a); /* untouched */
    }
}

START_TEST(a_line_is_written_in_one_way, "program_cases.text.canonical")
{
    static const char *const other[] = {
        "program version=2 seed=07 statements=4 threads=1",
        "program version=2 seed=7 statements=4 threads=1 inputs=7",
        "program version=2 seed=7 statements=4 threads=1 mix=logic,bits,logic",
        "program version=2 seed=7 statements=4 threads=1 mix=bits,logic",
        "program version=2 seed=7 statements=4 threads=1 drop=1,2",
        "program version=2 seed=7 statements=4 threads=1 drop=2-1",
        "program version=2 seed=7 statements=4 threads=1 drop=1-1",
        "program version=2 seed=7 statements=4 threads=1 set=1.1:0x01",
        "program version=2 seed=7 statements=4 threads=1 set=1.1:0x1,1.1:0x2",
        "program version=2 seed=7 statements=4 threads=1 set=2.1:0x1,1.1:0x2",
    };
    char error[PROGRAM_ERROR_BYTES], line[PROGRAM_TEXT_BYTES];
    for (size_t row = 0; row < sizeof other / sizeof *other; row++)
        ck_assert_msg(!program_case_parse(other[row], &it, error), "%s", other[row]);
    for (uint64_t index = 0; index < PROGRAMS; index++) {
        struct draw draw = {.seed = index};
        program_case_pick(5, index, &it);
        it.mix = (uint32_t)draw_below(&draw, UINT64_C(1) << OPERATION_GROUPS);
        it.input_seed = draw_word(&draw);
        if (index % 2)
            it.operation = (int32_t)draw_below(&draw, OPERATIONS);
        for (uint32_t number = 0; number < it.statements; number++)
            it.dropped[number] = draw_below(&draw, 3) == 0;
        for (int set = 0; set < 20; set++)
            program_case_set(&it, (int)draw_below(&draw, it.statements),
                             1 + (int)draw_below(&draw, PROGRAM_ARGUMENTS_MAX), draw_word(&draw));
        static struct program_case again;
        program_case_print(&it, line);
        ck_assert_msg(program_case_parse(line, &again, error), "%s: %s", line, error);
        ck_assert_mem_eq(&it, &again, sizeof it);
    }
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = random_word(digest, (unsigned char)*text);
    return digest;
}

/* Of what the program is, not of its texts. */
static uint64_t digest_program(uint64_t digest)
{
    for (int word = 0; word < PROGRAM_TABLE_WORDS; word++)
        digest = random_word(digest, program.table[word]);
    digest = random_word(digest, program.register_limit + 256u * program.blocks_minimum);
    for (int at = 0; at < program.statement_count; at++) {
        const struct program_statement *statement = &program.statement[at];
        digest = digest_text(digest, operations[statement->operation].name);
        digest = random_word(digest, statement->type + 256u * statement->result);
        digest = random_word(digest, statement->body + 65536u * statement->otherwise);
        for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++) {
            const struct program_argument *argument = &statement->argument[place];
            digest = random_word(digest, argument->kind);
            digest = random_word(digest, argument->kind == ARGUMENT_CONSTANT ? argument->bits
                                                                             : argument->variable);
        }
    }
    return digest;
}

/* The programs of version 2: a row that is added to the table of operations, or a draw that is
 * added to the generator, makes others. Lines of version 2 are kept (spec/known_miscompiles.def),
 * so PROGRAM_VERSION goes up then: with another program they would be right in silence. */
START_TEST(programs_stay_what_they_are, "program_cases.generator.stable")
{
    static const uint64_t of_version_2 = UINT64_C(0x6f4d38ea4063e573);
    static uint64_t input[PROGRAM_VARIABLES_MAX * PROGRAM_THREADS_MAX];
    uint64_t digest = PROGRAM_VERSION;
    for (uint64_t index = 0; index < 100; index++) {
        program_case_pick(index % 2, index, &it);
        program_case_make(&it, &program);
        program_case_inputs(&it, &program, input);
        digest = digest_program(digest);
        for (uint32_t word = 0; word < program_input_words(&program); word++)
            digest = random_word(digest, input[word]);
    }
    ck_assert_msg(digest == of_version_2, "the digest is 0x%llx", (unsigned long long)digest);
}

/* Without a GPU nothing runs the PTX: it stays the text that GPUs and compilers were seen to agree
 * with. A miscompile shows in one text and not in another that means the same, so CUDA C stays too.
 * What changes them on purpose goes through both again before these numbers follow. */
START_TEST(texts_stay_what_they_are, "program_cases.generator.stable")
{
    static const uint64_t ptx_of_version_2 = UINT64_C(0xc7f25c3d2fe8a96d),
                          c_of_version_2 = UINT64_C(0xc306ca39cc64164a);
    uint64_t digest = PROGRAM_VERSION, c_digest = PROGRAM_VERSION;
    for (uint64_t index = 0; index < PROGRAMS; index++) {
        struct program_text text = {0};
        program_case_pick(2, index, &it);
        program_case_make(&it, &program);
        render_ptx_begin(&text, 90);
        render_ptx(&text, &program, "p");
        digest = digest_text(digest, text.text);
        free(text.text);
        text = (struct program_text){0};
        render_c(&text, &program, "p");
        c_digest = digest_text(c_digest, text.text);
        free(text.text);
    }
    ck_assert_msg(digest == ptx_of_version_2, "the digest is 0x%llx", (unsigned long long)digest);
    ck_assert_msg(c_digest == c_of_version_2, "of C it is 0x%llx", (unsigned long long)c_digest);
}

START_TEST(programs_are_valid, "program_cases.generator.valid")
{
    for (uint64_t index = 0; index < 20 * PROGRAMS; index++) {
        program_case_pick(1, index, &it);
        if (index % 4 == 0)
            it.mix = 1u << index / 4 % OPERATION_GROUPS;
        program_case_make(&it, &program);
        check_made();
    }
}

static bool same_statement(const struct program_statement *one, const struct program *of_one,
                           const struct program_statement *other, const struct program *of_other)
{
    if (one->operation != other->operation || one->type != other->type)
        return false;
    if (operation_has_result(&operations[one->operation]) &&
        of_one->variable[one->result].number != of_other->variable[other->result].number)
        return false;
    for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++) {
        const struct program_argument *a = &one->argument[place], *b = &other->argument[place];
        if (a->kind == ARGUMENT_VARIABLE &&
            (b->kind != a->kind ||
             of_one->variable[a->variable].number != of_other->variable[b->variable].number))
            return false;
        if (a->kind == ARGUMENT_CONSTANT && (b->kind != a->kind || a->bits != b->bits))
            return false;
    }
    return true;
}

START_TEST(parts_of_programs_are_programs, "program_cases.generator.parts")
{
    static struct program whole;
    static uint64_t inputs[2][PROGRAM_VARIABLES_MAX * PROGRAM_THREADS_MAX];
    for (uint64_t index = 0; index < PROGRAMS; index++) {
        struct draw draw = {.seed = index};
        program_case_pick(2, index, &it);
        program_case_make(&it, &whole);
        program_case_inputs(&it, &whole, inputs[0]);
        uint64_t rate = 1 + draw_below(&draw, 9);
        for (uint32_t number = 0; number < it.statements; number++)
            it.dropped[number] = draw_below(&draw, 10) < rate;
        program_case_make(&it, &program);
        program_case_inputs(&it, &program, inputs[1]);
        check_made();
        ck_assert_mem_eq(program.table, whole.table, sizeof whole.table);
        for (int at = 0; at < program.statement_count; at++)
            ck_assert(same_statement(&program.statement[at], &program,
                                     &whole.statement[program.statement[at].number], &whole));
        for (int at = 0; at < program.variable_count; at++) {
            int before = 0;
            while (whole.variable[before].number != program.variable[at].number)
                before++;
            if (program.variable[at].is_input)
                ck_assert_mem_eq(&inputs[1][program.variable[at].bits * program.threads],
                                 &inputs[0][whole.variable[before].bits * whole.threads],
                                 sizeof(uint64_t) * program.threads);
        }
        for (int set = 0; set < 20; set++)
            program_case_set(&it, (int)draw_below(&draw, it.statements),
                             1 + (int)draw_below(&draw, PROGRAM_ARGUMENTS_MAX), draw_word(&draw));
        program_case_make(&it, &program);
        check_made();
    }
}

START_TEST(every_operation_is_used, "program_cases.generator.every")
{
    static uint16_t used[OPERATIONS];
    for (uint64_t index = 0; index < 10 * PROGRAMS; index++) {
        program_case_pick(3, index, &it);
        program_case_make(&it, &program);
        for (int at = 0; at < program.statement_count; at++)
            used[program.statement[at].operation] |= (uint16_t)(1u << program.statement[at].type);
    }
    for (int row = 0; row < OPERATIONS; row++) {
        ck_assert_msg(used[row] == operations[row].types, "%s: types %x of %x",
                      operations[row].name, used[row], operations[row].types);
        program_case_of_operation(row, 1, &it);
        program_case_make(&it, &program);
        check_made();
        for (int at = 0; at < program.statement_count; at++)
            ck_assert_int_eq(program.statement[at].operation, row);
    }
}

/* Statements by hand: an `if` around one that all threads must come to together, and so on. */
static void make_by_hand(void)
{
    program = (struct program){
        .threads = 32,
        .variable_count = 2,
        .statement_count = 3,
        .input_count = 1,
        .variable = {{.of_class = CLASS_32, .is_input = true}, {.of_class = CLASS_PREDICATE}},
        .statement = {{.operation = OPERATION_loop,
                       .type = TYPE_U32,
                       .body = 2,
                       .argument = {{.kind = ARGUMENT_CONSTANT, .bits = 3}}},
                      {.operation = OPERATION_if,
                       .type = TYPE_PREDICATE,
                       .body = 1,
                       .argument = {{.kind = ARGUMENT_VARIABLE, .variable = 1}}},
                      {.operation = OPERATION_add,
                       .type = TYPE_U32,
                       .argument = {{.kind = ARGUMENT_VARIABLE, .variable = 0},
                                    {.kind = ARGUMENT_CONSTANT, .bits = 7}}}}};
}

static void check_refused(int at, const char *reason)
{
    int statement = -2;
    const char *wrong = program_check(&program, &statement);
    ck_assert_msg(wrong != NULL, "not refused: %s", reason);
    ck_assert_str_eq(wrong, reason);
    ck_assert_int_eq(statement, at);
    make_by_hand();
}

START_TEST(what_is_no_program_is_refused, "program_cases.generator.refused")
{
    struct program_statement *statement = program.statement;
    make_by_hand();
    check_made();
    program.threads = 257;
    check_refused(-1, "the number of threads");
    program.variable_count = PROGRAM_VARIABLES_MAX + 1;
    check_refused(-1, "the number of variables");
    program.statement_count = PROGRAM_STATEMENTS_MAX + 1;
    check_refused(-1, "the number of statements");
    program.input_count = 3;
    check_refused(-1, "the number of inputs");
    program.variable[0].of_class = PROGRAM_CLASSES;
    check_refused(-1, "the class of a variable");
    program.variable[1].bits = 2;
    check_refused(-1, "the first value of a variable");
    statement[2].operation = OPERATIONS;
    check_refused(2, "an unknown operation");
    statement[2].type = TYPE_F32;
    check_refused(2, "a type that the operation does not have");
    statement[2].result = 2;
    check_refused(2, "a result that is not in the program");
    statement[2].result = 1;
    check_refused(2, "the class of the result");
    statement[2].argument[0].variable = 2;
    check_refused(2, "a variable that is not in the program");
    statement[2].argument[0].variable = 1;
    check_refused(2, "the class of an argument");
    statement[2].argument[1].kind = ARGUMENT_NONE;
    check_refused(2, "an argument that is missing");
    statement[2].argument[1].bits = UINT64_C(1) << 32;
    check_refused(2, "a constant that is too wide");
    statement[2].argument[2].kind = ARGUMENT_CONSTANT;
    check_refused(2, "an argument that the operation does not take");
    statement[0].argument[0].bits = PROGRAM_LOOP_MAX + 1;
    check_refused(0, "a constant that is not below its bound");
    statement[0].argument[0].kind = ARGUMENT_VARIABLE;
    check_refused(0, "a variable where only a constant may be");
    statement[2].body = 1;
    check_refused(2, "a body where none may be");
    statement[0].body = 1;
    check_refused(1, "a body that ends after the block around it");
    statement[0].otherwise = 1;
    check_refused(0, "the length of an else-branch");
    statement[0].operation = OPERATION_if;
    statement[0].type = TYPE_PREDICATE;
    statement[0].argument[0] = statement[1].argument[0];
    statement[0].otherwise = 1;
    check_refused(0, "an else-branch that begins within a statement");
    statement[2].operation = OPERATION_vote_ballot;
    statement[2].argument[0].variable = 1;
    check_refused(2, "an operation of all threads in a block that threads run apart");
    program.statement_count = PROGRAM_DEPTH_MAX + 2;
    for (int at = 0; at < PROGRAM_DEPTH_MAX + 2; at++) {
        statement[at] = statement[0];
        statement[at].body = (uint16_t)(PROGRAM_DEPTH_MAX + 1 - at);
    }
    check_refused(PROGRAM_DEPTH_MAX, "blocks that nest too deep");
}
