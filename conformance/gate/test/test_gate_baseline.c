/* Failures of generated programs that a gate's baseline has as well, and nothing else. */
#include "conformance/gate/gate_baseline.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

/* Of the record of programs: what failed through the first path, what is known there, and the line
 * of that path. */
#define PROGRAM "3/program/"
#define ABSENT  "8/known/"
#define ROW     "23/programs/"

/* One program is wrong through the first path, in no way that the list has. */
#define FAILS                                                                                      \
    {BOTH, PROGRAM "known", NULL}, {BOTH, PROGRAM "recurs", "true"},                               \
        {BOTH, PROGRAM "wrong_bits", "\"0x1\""}, {BOTH, ROW "verdict", "\"FAIL\""},                \
        {BOTH, ROW "known", "0"}, {BOTH, ROW "fail", "1"},                                         \
    {                                                                                              \
        BOTH, "1/device/name", "\"A\""                                                             \
    }

/* How many failures of the second record the first has, and the verdict without them. */
static size_t count_before(const struct edit *edits, enum verdict *ret_verdict)
{
    const struct loaded *pair = made_pair(made_lines_programs, edits);
    const struct loaded baseline = {.records = {pair->records[0]}, .count = 1};
    return gate_failed_before(&baseline, &pair->records[1], ret_verdict);
}

#define COUNT_BEFORE(...) count_before(EDITS(__VA_ARGS__), &verdict)

START_TEST(a_failure_of_the_baseline_is_no_failure, "gate.programs.before")
{
    enum verdict verdict = VERDICT_COUNT;
    ck_assert_uint_eq(COUNT_BEFORE(FAILS), 1);
    ck_assert_int_eq(verdict, VERDICT_PASS);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, ROW "inconclusive", "2"}), 1);
    ck_assert_int_eq(verdict, VERDICT_INCONCLUSIVE);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, ABSENT "verdict", "\"INCONCLUSIVE\""}), 1);
    ck_assert_int_eq(verdict, VERDICT_INCONCLUSIVE);
    ck_assert_uint_eq(
        COUNT_BEFORE({BOTH, ABSENT "verdict", "\"FAIL\""}, {BOTH, ABSENT "wrong_bits", "\"0x1\""}),
        1);
    ck_assert_int_eq(verdict, VERDICT_PASS);
}

START_TEST(another_failure_is_one, "gate.programs.before")
{
    enum verdict verdict = VERDICT_COUNT;
    ck_assert_uint_eq(COUNT_BEFORE({NONE, NULL, NULL}), 0); /* nothing fails */
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, PROGRAM "wrong_bits", "\"0x2\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, PROGRAM "path", "\"ptx-lowest\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, PROGRAM "program", "\"program version=2\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, PROGRAM "verdict", "\"CRASH\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, PROGRAM "recurs", "false"}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {BASE, PROGRAM "recurs", NULL}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {BOTH, PROGRAM "recurs", NULL}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, "1/device/name", "\"B\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, ROW "fail", "2"}), 0); /* one without a line */
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, ABSENT "verdict", "\"FAIL\""}), 0);
    ck_assert_uint_eq(COUNT_BEFORE(FAILS, {NEW, "last", NULL}), 0); /* cut short */
    ck_assert_uint_eq(
        COUNT_BEFORE({BOTH, ABSENT "verdict", "\"FAIL\""}, {NEW, ABSENT "failure", "\"CRASH\""}),
        0);
    ck_assert_int_eq(verdict, VERDICT_COUNT);
}

#define SUMMARY "last/summary/"
#define SKIPS                                                                                      \
    {BOTH, SUMMARY "verdict", "\"INCONCLUSIVE\""}, {BOTH, SUMMARY "skip", "2"},                    \
    {                                                                                              \
        BOTH, SUMMARY "reason", "\"2 skipped: why\""                                               \
    }

START_TEST(a_skip_of_the_baseline_is_no_doubt, "gate.baseline.skipped")
{
    static const struct {
        size_t count;
        struct edit edits[EDITS_MAX];
    } rows[] = {
        {2, {SKIPS}},
        {0, {SKIPS, {NEW, SUMMARY "skip", "3"}}},
        {0, {SKIPS, {NEW, SUMMARY "reason", "\"2 skipped: another\""}}},
        {0, {SKIPS, {NEW, SUMMARY "inconclusive", "1"}}},
        {0, {SKIPS, {NEW, SUMMARY "error", "1"}}},
        {0, {SKIPS, {NEW, SUMMARY "fail", "1"}}},
        {0, {SKIPS, {NEW, SUMMARY "passed", "0"}}},
        {0, {SKIPS, {NEW, "0/part", "\"speed\""}}},
        {0, {SKIPS, {NEW, "last", NULL}}},
        {0, {SKIPS, {BASE, SUMMARY "verdict", "\"PASS\""}}},
        {0, {{BOTH, SUMMARY "skip", "0"}}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct loaded *pair = made_pair(made_lines_run, rows[row].edits);
        const struct loaded baseline = {.records = {pair->records[0]}, .count = 1};
        ck_assert_msg(gate_skipped_before(&baseline, &pair->records[1]) == rows[row].count,
                      "row %zu", row);
    }
}
