/* Triggers on programs made by hand. */
#include "conformance/model/program_text.h"
#include "conformance/test/made_program.h"

static struct program program;

/* Of the statement that completes the trigger; -1: none. */
static int number_of(const char *trigger)
{
    for (int index = 0; index < program.statement_count; index++)
        if (trigger_matches(trigger, &program, index))
            return program.statement[index].number;
    return -1;
}

START_TEST(triggers_match, "program_runs.known.trigger")
{
    static const struct {
        const char *trigger;
        int number; /* of the statement that completes it; -1: none */
    } rows[] = {
        {"add", 10},
        {"add.u32", 10},
        {"add.s32", -1},
        {"add(_, #)", 10},
        {"add(_, 7)", 10},
        {"add(_, 0x7)", 10},
        {"add(_, 8)", -1},
        {"add(#)", -1},
        {"mul_lo(add)", 11},
        {"mul_lo(_, add)", -1},
        {"sub(mul_lo)", 13},
        {"sub(mul_lo(add(_, 7), _), xor)", 13},
        {" sub ( mul_lo ( add ) , xor ) ", 13},
        {"sub(_, add)", -1}, /* another statement came between */
        {"sub(_, xor.u32)", 13},
        {"sub(_, xor.u16)", -1},
        {"sub(_, _, _)", -1}, /* it has two */
        {"sub(mul_lo, xor)", 13},
        {"mul_lo(!add)", 11}, /* the xor overwrites it */
        {"sub(!mul_lo)", -1},
        {"mul_lo(add, _)", 11},
        {"mul_lo(add, #)", -1}, /* of mul_lo, not of add */
        {"mul_lo(add(_, #), _)", 11},
        {"sub(mul_lo(add, _), xor)", 13},
    };
    made_program(&program);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        ck_assert_msg(number_of(rows[row].trigger) == rows[row].number, "%s", rows[row].trigger);
    }
}

/* while v0 { while v1 { v1 = xor v1, v0 } v2 = add v0, 7 } */
START_TEST(triggers_match_in_blocks, "program_runs.known.trigger")
{
    static const struct {
        const char *trigger;
        int number;
    } rows[] = {
        {"while{while{xor}}", 10}, {"while { while }", 10},   {"while{while{while}}", -1},
        {"while{xor.pred}", 10},   {"while{while{add}}", -1}, {"while{add(_, 7)}", 10},
        {"add{xor}", -1},
    };
    memset(&program, 0, sizeof program);
    made_statement(&program, "while", TYPE_PREDICATE, 0, made_variable(0), made_constant(2));
    made_statement(&program, "while", TYPE_PREDICATE, 0, made_variable(1), made_constant(2));
    made_statement(&program, "xor", TYPE_PREDICATE, 1, made_variable(1), made_variable(0));
    made_statement(&program, "add", TYPE_U32, 2, made_variable(0), made_constant(7));
    program.statement[0].body = 3;
    program.statement[1].body = 1;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        ck_assert_msg(number_of(rows[row].trigger) == rows[row].number, "%s", rows[row].trigger);
    }
}

START_TEST(triggers_are_checked, "program_runs.known.trigger")
{
    static const char *const good[] = {"add", "add.u32(_, #)", "sub(mul_lo(add(_, 7), _), xor)",
                                       "while{if{add(_, #)}}", "add(!add(!xor), #)"};
    static const char *const bad[] = {
        "while{", "while{}", "while{_}", "while{add", "while{add}}", "",
        "_",      "#",       "none",     "add.",      "add.u",       "add(",
        "add()",  "add(_",   "add(_,)",  "add)",      "add(_) add",  "7",
        "!add",   "add(!_)", "add(!#)",  "add(!7)",   "while{!add}", "add(!)"};
    struct reason reason;
    for (size_t row = 0; row < sizeof good / sizeof good[0]; row++)
        ck_assert_msg(trigger_check(good[row], &reason), "%s", good[row]);
    for (size_t row = 0; row < sizeof bad / sizeof bad[0]; row++)
        ck_assert_msg(!trigger_check(bad[row], &reason), "%s", bad[row]);
}
