/* Running vectors: those of the pages hold; of made-up ones the right ones do, wrong and malformed
 * ones do not. */
#include "spec/suite/vector.h"
#include "spec/testing.h"

/* Lines as in a page, where the case stands in line 3. */
static bool holds(const char *text, struct vector_mistake *ret)
{
    char copy[2000];
    struct vector vector = {.page = "spec/toy.md", .line = 1, .case_line_number = 3};
    snprintf(copy, sizeof copy, "%s", text);
    char *line = copy;
    for (int number = 3; line; number++) {
        char *next = strchr(line, '\n'), *colon = strchr(line, ':');
        if (next)
            *next++ = 0;
        *colon = 0;
        const char *values = colon + 1 + (colon[1] == ' ');
        if (number == 3) {
            vector.case_line = values;
        } else {
            vector.operands[vector.operand_count].name = line;
            vector.operands[vector.operand_count].values = values;
            vector.operands[vector.operand_count++].line = number;
        }
        line = next;
    }
    memset(ret, 0, sizeof *ret);
    return vector_holds(&vector, NULL, NULL, ret);
}

static void assert_holds(const char *text)
{
    struct vector_mistake mistake;
    bool held = holds(text, &mistake);
    ck_assert_msg(held, "%s: line %d: %s", text, mistake.line, mistake.message);
}

static void assert_wrong(const char *text, int line, const char *expected)
{
    struct vector_mistake mistake;
    ck_assert_msg(!holds(text, &mistake), "held: %s", text);
    ck_assert_msg(mistake.line == line && strstr(mistake.message, expected), "%s: line %d: %s",
                  text, mistake.line, mistake.message);
}

#define DIFFERENCE(n) "case: adjacent_difference n=" #n " fill=uniform seed=0\n"
#define COPY          "case: offset_copy n=2 offset=1 element=2 fill=uniform seed=0\n"

START_TEST(values_have_many_forms, "clauses.form.vector")
{
    assert_holds(DIFFERENCE(3) "a: 1 3.5 0x1p3\nb: 0x3f800000 0x1.4p1 4.5");
    assert_holds(DIFFERENCE(3) "a: inf nan -inf\nb: inf nan 0xffffffff");
    assert_holds(DIFFERENCE(1) "a: 1e-45\nb: 0x00000001");
    assert_holds(DIFFERENCE(0) "a:\nb:");
    assert_holds(COPY "source: 00ff 7f80\ntarget: 00ff 7f80");
}

START_TEST(wrong_bits_fail, "clauses.vector.holds")
{
    assert_wrong(DIFFERENCE(2) "a: 1 3\nb: 1 0x40000001", 5, "b row 0 column 1");
    assert_wrong(DIFFERENCE(2) "a: 1 1\nb: 1 -0", 5, "the vector has 0x80000000");
    assert_wrong(DIFFERENCE(1) "a: -0\nb: 0", 5, "the golden has 0x80000000");
    assert_wrong(DIFFERENCE(1) "a: nan\nb: 1", 5, "b row 0 column 0");
    assert_wrong(DIFFERENCE(1) "a: 1\nb: nan", 5, "b row 0 column 0");
    assert_wrong(COPY "source: 00ff 7f80\ntarget: 00ff 7f81", 5, "has 7f80, the vector has 7f81");
    /* A copy keeps a NaN's bits: here one NaN does not equal another. */
    assert_wrong("case: offset_copy n=1 fill=uniform seed=0\nsource: 0100807f\ntarget: 0100c07f", 5,
                 "target row 0 column 0");
}

START_TEST(counts_are_strict, "clauses.form.vector")
{
    assert_wrong(DIFFERENCE(2) "a: 1\nb: 1 2", 4, "a has 2 elements, here are 1");
    assert_wrong(DIFFERENCE(2) "a: 1 2 3\nb: 1 2", 4, "here are more");
    assert_wrong(DIFFERENCE(2) "a: 1 2\nb: 1", 5, "b has 2 elements, here are 1");
    assert_wrong(DIFFERENCE(2) "a: 1 2\nb:", 5, "here are 0");
    assert_wrong(DIFFERENCE(0) "a: 1\nb:", 4, "here are more");
}

START_TEST(values_are_strict, "clauses.form.vector")
{
    static const char *const tokens[] = {
        "x",          "1x",         "0x",  "0x1",    "0x123456789", "+1",   "1e39", "-nan",
        "infinity",   "0x3F800000", "NAN", "nan(1)", ".5",          "-",    "--1",  "1,2",
        "0x1234567g", "0xp1",       "1f",  "INF",    "-0x12",       "0x1.8"};
    for (size_t index = 0; index < sizeof tokens / sizeof *tokens; index++) {
        char text[200];
        snprintf(text, sizeof text, DIFFERENCE(1) "a: %s\nb: 1", tokens[index]);
        assert_wrong(text, 4, "is no element");
    }
    assert_wrong(DIFFERENCE(1) "a: 1  2\nb: 1", 4, "");
    assert_wrong(DIFFERENCE(1) "a: 1000000000000000000000000000000000000000000000000000000000000000"
                               "000000000000000000000\nb: 1",
                 4, "is no element");
    assert_wrong(COPY "source: 00f 7f80\ntarget: 00ff 7f80", 4, "is no element");
    assert_wrong(COPY "source: 00FF 7f80\ntarget: 00ff 7f80", 4, "is no element");
    assert_wrong(COPY "source: 00ff00 7f80\ntarget: 00ff 7f80", 4, "is no element");
}

START_TEST(case_and_operands_are_strict, "clauses.form.vector")
{
    assert_wrong("case: nothing n=1 fill=uniform seed=0\na: 1\nb: 1", 3, "case line, column 1");
    assert_wrong("case: adjacent_difference n=1 fill=uniform\na: 1\nb: 1", 3, "case line");
    assert_wrong(DIFFERENCE(1) "b: 1\na: 1", 1, "operand 1 of adjacent_difference is `a`");
    assert_wrong(DIFFERENCE(1) "a: 1", 1, "operand 2 of adjacent_difference is `b`");
    assert_wrong(DIFFERENCE(1) "a: 1\nb: 1\nc: 1", 1, "has 2 operands");
    assert_wrong(DIFFERENCE(262145) "a: 1\nb: 1", 3, "1 MiB");
}

START_TEST(the_pages_vectors_hold, "clauses.vector.holds")
{
    struct vector_mistake wrong;
    ck_assert_int_gt(vector_count, 0);
    for (int index = 0; index < vector_count; index++)
        ck_assert_msg(vector_holds(&vectors[index], NULL, NULL, &wrong), "%s:%d: %s",
                      vectors[index].page, wrong.line, wrong.message);
}
