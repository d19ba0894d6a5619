/* Generated programs and known miscompiles of two records: what counts, and where it is said to be.
 */
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

/* Of the record of programs: what is known through the first path, a hang that is tried and one
 * that is not, and the line of that path. */
#define PRESENT "7/known/"
#define ABSENT  "8/known/"
#define TRIED   "9/known/"
#define UNTRIED "12/known/"
#define ROW     "23/programs/"
#define LAST    "last/summary/"

struct row {
    const char *name;
    enum change change;
    enum difference_kind kind; /* the first difference */
    const char *place;         /* and where it is */
    struct edit edits[EDITS_MAX];
};

#define ROW_OF(name, change, kind, place, ...)                                                     \
    {                                                                                              \
        name, CHANGE_##change, DIFFERENCE_##kind, place,                                           \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* `base` and `next` are its sides, unless NULL. */
static void hold_sides(const struct row *row, const char *base, const char *next)
{
    struct made_comparison pair = made_comparison(made_lines_programs, row->edits);
    const struct compared *it = pair.it;
    ck_assert_msg(it->change == row->change, "%s: %s, %s", row->name, change_name(it->change),
                  it->why);
    if (row->place) {
        ck_assert_uint_gt(it->count, 0);
        ck_assert_str_eq(difference_rows[it->differences[0].kind].name,
                         difference_rows[row->kind].name);
        ck_assert_str_eq(it->differences[0].place, row->place);
        if (base) {
            ck_assert_str_eq(it->differences[0].base, base);
            ck_assert_str_eq(it->differences[0].next, next);
        }
    } else {
        ck_assert_uint_eq(it->kinds[row->kind], 0);
    }
}

static void hold(const struct row *row)
{
    hold_sides(row, NULL, NULL);
}

START_TEST(programs_are_counted_by_path, "compare.programs.fewer")
{
    static const struct row rows[] = {
        ROW_OF("the same", SAME, programs_fewer, NULL, {NONE, NULL, NULL}),
        ROW_OF("fewer were compared", REGRESSED, programs_fewer, "programs through sass on cuda:0",
               {NEW, ROW "compared", "9"}),
        ROW_OF("fewer, undecided", REGRESSED, programs_fewer, "programs through sass on cuda:0",
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, ROW "compared", "9"}),
        ROW_OF("a smaller tier", NOT_COMPARABLE, programs_fewer, "programs through sass on cuda:0",
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, "0/tier", "\"smoke\""},
               {NEW, ROW "compared", "9"}),
        ROW_OF("less time for a deep run", SAME, programs_fewer, NULL, {BOTH, "0/tier", "\"deep\""},
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, ROW "compared", "9"}),
        ROW_OF("no deep run any more", NOT_COMPARABLE, programs_fewer,
               "programs through sass on cuda:0", {BASE, "0/tier", "\"deep\""},
               {NEW, "0/tier", "\"smoke\""}, {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
               {NEW, ROW "compared", "9"}),
        ROW_OF("compiled alone", REGRESSED, programs_fewer, "programs through sass on cuda:0",
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, ROW "runs", "false"}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold(&rows[row]);
}

START_TEST(what_is_known_comes_and_goes, "compare.programs.known")
{
    static const struct row rows[] = {
        ROW_OF("gone", BETTER, known_gone, "known miscompile abs_s16 through sass on cuda:0",
               {NEW, PRESENT "present", "false"}),
        ROW_OF("come", REGRESSED, known_came, "known miscompile neg_s16 through sass on cuda:0",
               {NEW, ABSENT "present", "true"}, {NEW, ABSENT "listed", "true"}),
        ROW_OF("skipped now", NOT_COMPARABLE, known_gone, NULL,
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, PRESENT "present", "false"},
               {NEW, PRESENT "verdict", "\"INCONCLUSIVE\""}),
        ROW_OF("not checked before", SAME, known_came, NULL,
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
               {BASE, ABSENT "verdict", "\"INCONCLUSIVE\""}, {NEW, ABSENT "present", "true"},
               {NEW, ABSENT "listed", "true"}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold(&rows[row]);
}

/* The same programs: more of them fail as known miscompiles do. That a list of the user's was there
 * on one side alone is said. */
START_TEST(excused_programs_are_counted, "compare.programs.excused")
{
#define UNDECIDED                                                                                  \
    {                                                                                              \
        BOTH, LAST "verdict", "\"INCONCLUSIVE\""                                                   \
    }
    static const struct row rows[] = {
        ROW_OF("more are excused", REGRESSED, known_more, "programs through sass on cuda:0",
               UNDECIDED, {NEW, ROW "known", "2"}, {NEW, ROW "passed", "8"}),
        ROW_OF("fewer are excused", BETTER, known_fewer, "programs through sass on cuda:0",
               UNDECIDED, {BASE, ROW "known", "2"}, {BASE, ROW "passed", "8"}),
        ROW_OF("more of others", NOT_COMPARABLE, known_more, NULL, UNDECIDED,
               {NEW, ROW "known", "2"}, {NEW, "0/seed", "\"0x2\""}),
        ROW_OF("a list of the user's", SAME, environment, "known list",
               {NEW, "0/known_list", "\"mine, 1 row, 0x0123456789abcdef\""}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold(&rows[row]);
}

/* A hang that is tried on one side alone: who asks for it differs, and no stack does. */
START_TEST(what_is_not_tried_is_inconclusive, "compare.programs.untried")
{
    static const struct row rows[] = {
        ROW_OF("not tried now", NOT_COMPARABLE, verdict_undecided,
               "known miscompile set_lt_of_set through ptx on cuda:0",
               {BASE, UNTRIED "verdict", "\"PASS\""}, {BASE, UNTRIED "present", "true"},
               {BASE, UNTRIED "failure", "\"TIMEOUT\""}),
        ROW_OF("not tried before", SAME, verdict_other,
               "known miscompile set_lt_of_set through ptx on cuda:0",
               {NEW, UNTRIED "verdict", "\"PASS\""}),
        ROW_OF("tried, and too much", REGRESSED, run_failed, "", {NEW, LAST "verdict", "\"FAIL\""},
               {NEW, UNTRIED "verdict", "\"TIMEOUT\""}, {NEW, UNTRIED "present", "true"}),
        ROW_OF("gone where it is tried", BETTER, known_gone,
               "known miscompile set_lt_of_set through sass on cuda:0",
               {NEW, TRIED "present", "false"}, {NEW, TRIED "failure", NULL}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold(&rows[row]);
}

/* Of other programs that many others fail. */
START_TEST(other_programs_are_said, "compare.programs.other")
{
#define FAILS                                                                                      \
    {BOTH, LAST "verdict", "\"FAIL\""},                                                            \
    {                                                                                              \
        BOTH, ROW "verdict", "\"FAIL\""                                                            \
    }
    static const struct row rows[] = {
        ROW_OF("more fail of the same", REGRESSED, failures_more, "programs through sass on cuda:0",
               FAILS, {NEW, ROW "fail", "2"}),
        ROW_OF("more than those not compared before", REGRESSED, programs_more,
               "programs through sass on cuda:0", FAILS, {BASE, ROW "compared", "9"},
               {BASE, ROW "fail", "1"}, {NEW, ROW "fail", "3"}),
        ROW_OF("as many as those not compared before", SAME, programs_more,
               "programs through sass on cuda:0", FAILS, {BASE, ROW "compared", "9"},
               {BASE, ROW "fail", "1"}, {NEW, ROW "fail", "2"}),
        ROW_OF("more of fewer in a deep run", REGRESSED, failures_more,
               "programs through sass on cuda:0", FAILS, {BOTH, "0/tier", "\"deep\""},
               {NEW, ROW "compared", "9"}, {NEW, ROW "fail", "1"}),
        ROW_OF("of another seed", NOT_COMPARABLE, programs_other,
               "seed or version of the generator differ", FAILS, {NEW, ROW "fail", "2"},
               {NEW, "0/seed", "\"0x2\""}),
        ROW_OF("of another generator", NOT_COMPARABLE, programs_other,
               "seed or version of the generator differ", FAILS, {NEW, ROW "fail", "2"},
               {NEW, ROW "generator", "2"}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold(&rows[row]);
}

START_TEST(operations_are_named, "compare.programs.operations")
{
#define OPERATIONS "19/operations/"
    static const struct row rows[] = {
        ROW_OF("wrong now", REGRESSED, verdict_fails, "operation sub.u64 through sass on cuda:0",
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
               {BASE, OPERATIONS "wrong", "[\"add.u32\"]"},
               {NEW, OPERATIONS "wrong", "[\"add.u32\",\"sub.u64\"]"}),
        ROW_OF("right again", BETTER, verdict_passes, "operation sub.u64 through sass on cuda:0",
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
               {BASE, OPERATIONS "wrong", "[\"sub.u64\"]"}),
        ROW_OF("undecided now", NOT_COMPARABLE, verdict_passes, NULL,
               {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
               {BASE, OPERATIONS "wrong", "[\"sub.u64\"]"},
               {NEW, OPERATIONS "open", "[\"sub.u64\"]"}),
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        hold_sides(&rows[row], row == 0 ? "right" : "wrong", row == 0 ? "wrong" : "right");
}

/* Operations are wrong on both sides, and more are undecided in NEW. */
START_TEST(more_undecided_operations_are_inconclusive, "compare.programs.undecided")
{
    struct made_comparison pair = made_compared(
        made_lines_programs, {BOTH, LAST "verdict", "\"FAIL\""},
        {BOTH, OPERATIONS "verdict", "\"FAIL\""}, {BOTH, OPERATIONS "wrong", "[\"sub.u64\"]"},
        {BASE, OPERATIONS "open", "[\"add.u32\"]"},
        {NEW, OPERATIONS "open", "[\"add.u32\",\"mul.u32\"]"});
    ck_assert_int_eq(pair.it->change, CHANGE_NOT_COMPARABLE);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_verdict_undecided], 1);
}

/* A program that came to nothing: the record came to its end, and is not called cut short. What was
 * not compared for it is no loss, and what else is missing is. */
START_TEST(an_undecided_program_is_no_cut, "compare.programs.undecided")
{
    static const struct edit lost = {NEW, "24", NULL};
    for (int loses = 0; loses < 2; loses++)
        for (int side = BASE; side <= BOTH; side++) {
            struct made_comparison pair =
                made_compared(made_lines_programs, {side, LAST "verdict", "\"INCONCLUSIVE\""},
                              {side, LAST "reason", "\"sass: no answer\""},
                              {side, ROW "verdict", "\"INCONCLUSIVE\""}, {side, ROW "passed", "8"},
                              {side, ROW "inconclusive", "1"}, {side, ROW "compared", "9"},
                              loses ? lost : (struct edit){NONE, NULL, NULL});
            const struct compared *it = pair.it;
            ck_assert_msg(it->change == (loses ? CHANGE_REGRESSED : CHANGE_NOT_COMPARABLE),
                          "%d: %s", side, it->why);
            ck_assert_uint_eq(it->kinds[DIFFERENCE_base_undecided], side != NEW);
            ck_assert_uint_eq(it->kinds[DIFFERENCE_new_undecided], side != BASE);
            ck_assert_uint_eq(it->kinds[DIFFERENCE_base_cut] + it->kinds[DIFFERENCE_new_cut], 0);
            ck_assert_uint_eq(it->kinds[DIFFERENCE_programs_fewer], side == NEW);
            ck_assert_str_eq(side == NEW ? it->differences[0].next : it->differences[0].base,
                             "sass: no answer");
        }
}
