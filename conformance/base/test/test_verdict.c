/* The verdict of several verdicts: the whole truth table, and what follows from it. Nothing else in
 * the program orders verdicts. */
#include "conformance/base/reason.h"
#include "spec/testing.h"

/* The join of two, by their letters: Pass, Fail, Crash, Timeout, Error, Inconclusive, Skip,
 * Declined, eMpty. */
static const char letters[] = "PFCTEISDM";
static const char table[VERDICT_COUNT][VERDICT_COUNT + 1] = {
    /*        P F C T E I S D M */
    /* P */ {"PFCTEIIPP"},
    /* F */ {"FFFFFFFFF"},
    /* C */ {"CFCCCCCCC"},
    /* T */ {"TFCTTTTTT"},
    /* E */ {"EFCTEEEEE"},
    /* I */ {"IFCTEIIII"},
    /* S */ {"IFCTEISSS"},
    /* D */ {"PFCTEISDM"},
    /* M */ {"PFCTEISMM"},
};

static enum verdict verdict_of_letter(char letter)
{
    return (enum verdict)(strchr(letters, letter) - letters);
}

START_TEST(two_verdicts_are_joined, "verdicts.several.joined")
{
    ck_assert_int_eq(sizeof letters - 1, VERDICT_COUNT);
    for (int left = 0; left < VERDICT_COUNT; left++)
        for (int right = 0; right < VERDICT_COUNT; right++)
            ck_assert_msg(verdict_join((enum verdict)left, (enum verdict)right) ==
                              verdict_of_letter(table[left][right]),
                          "%s and %s: %s", verdict_name((enum verdict)left),
                          verdict_name((enum verdict)right),
                          verdict_name(verdict_join((enum verdict)left, (enum verdict)right)));
    ck_assert_int_eq(verdict_join(VERDICT_COUNT, VERDICT_PASS), VERDICT_ERROR);
    ck_assert_int_eq(verdict_join(VERDICT_FAIL, VERDICT_COUNT), VERDICT_FAIL);
}

START_TEST(order_and_grouping_do_not_matter, "verdicts.several.joined")
{
    for (int a = 0; a < VERDICT_COUNT; a++)
        for (int b = 0; b < VERDICT_COUNT; b++)
            for (int c = 0; c < VERDICT_COUNT; c++) {
                enum verdict x = (enum verdict)a, y = (enum verdict)b, z = (enum verdict)c;
                ck_assert_int_eq(verdict_join(x, y), verdict_join(y, x));
                ck_assert_int_eq(verdict_join(verdict_join(x, y), z),
                                 verdict_join(x, verdict_join(y, z)));
            }
}

START_TEST(counts_come_to_the_join_of_what_is_there, "verdicts.several.joined")
{
    for (int left = 0; left < VERDICT_COUNT; left++)
        for (int right = 0; right < VERDICT_COUNT; right++) {
            uint64_t counts[VERDICT_COUNT] = {0};
            counts[left] += 1;
            counts[right] += UINT64_C(1) << 40;
            enum verdict joined = verdict_of_letter(table[left][right]);
            ck_assert_int_eq(verdict_of_counts(counts),
                             verdict_was_due(joined) ? joined : VERDICT_SKIP);
        }
    const uint64_t nothing[VERDICT_COUNT] = {0};
    ck_assert_int_eq(verdict_of_counts(nothing), VERDICT_SKIP);
}

START_TEST(a_whole_has_its_word_and_its_status, "runner.exit.status")
{
    static const struct {
        enum verdict verdict, whole;
        enum exit_status status;
    } rows[] = {
        {VERDICT_PASS, VERDICT_PASS, EXIT_STATUS_PASS},
        {VERDICT_FAIL, VERDICT_FAIL, EXIT_STATUS_FAIL},
        {VERDICT_CRASH, VERDICT_FAIL, EXIT_STATUS_FAIL},
        {VERDICT_TIMEOUT, VERDICT_FAIL, EXIT_STATUS_FAIL},
        {VERDICT_ERROR, VERDICT_ERROR, EXIT_STATUS_HARNESS},
        {VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE, EXIT_STATUS_INCONCLUSIVE},
        {VERDICT_SKIP, VERDICT_SKIP, EXIT_STATUS_NOTHING_RAN},
        {VERDICT_DECLINED, VERDICT_DECLINED, EXIT_STATUS_NOTHING_RAN},
        {VERDICT_EMPTY, VERDICT_EMPTY, EXIT_STATUS_NOTHING_RAN},
    };
    ck_assert_int_eq(sizeof rows / sizeof rows[0], VERDICT_COUNT);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        ck_assert_int_eq(verdict_of_whole(rows[row].verdict), rows[row].whole);
        ck_assert_int_eq(verdict_exit_status(rows[row].verdict), rows[row].status);
    }
}

START_TEST(worse_is_what_the_join_says, "verdicts.several.joined")
{
    ck_assert(verdict_is_worse(VERDICT_FAIL, VERDICT_CRASH));
    ck_assert(verdict_is_worse(VERDICT_ERROR, VERDICT_INCONCLUSIVE));
    ck_assert(verdict_is_worse(VERDICT_SKIP, VERDICT_PASS));
    ck_assert(!verdict_is_worse(VERDICT_PASS, VERDICT_PASS));
    ck_assert(!verdict_is_worse(VERDICT_DECLINED, VERDICT_PASS));
    ck_assert(!verdict_is_worse(VERDICT_INCONCLUSIVE, VERDICT_FAIL));
}
