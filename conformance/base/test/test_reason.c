/* Reasons: text and kind, text before text, and the status that a kind ends with. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "spec/testing.h"

START_TEST(text_and_kind_are_kept)
{
    CLAUSE("runner.input.one_line");
    struct reason reason;
    ck_assert(!reason_set(&reason, REASON_ABSENT, "%s has no %s", "a", "b"));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert_str_eq(reason.text, "a has no b");
    ck_assert(!reason_before(&reason, "line %d: ", 3));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert_str_eq(reason.text, "line 3: a has no b");
    reason_set(&reason, REASON_INPUT, "again: %s", reason.text);
    ck_assert_str_eq(reason.text, "again: line 3: a has no b");
}

START_TEST(what_does_not_fit_is_cut)
{
    CLAUSE("runner.input.one_line");
    char longer[2 * REASON_TEXT_BYTES];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    struct reason reason;
    reason_set(&reason, REASON_INPUT, "%s", longer);
    ck_assert_uint_eq(strlen(reason.text), REASON_TEXT_BYTES - 1);
    reason_before(&reason, "%s", longer);
    ck_assert_uint_eq(strlen(reason.text), REASON_TEXT_BYTES - 1);
    reason_set(&reason, REASON_INPUT, "end");
    reason_before(&reason, "before %s: ", "the");
    ck_assert_str_eq(reason.text, "before the: end");
}

START_TEST(each_kind_has_its_status)
{
    CLAUSE("runner.exit.status");
    static const enum exit_status statuses[] = {[REASON_INPUT] = EXIT_STATUS_USAGE,
                                                [REASON_SYSTEM] = EXIT_STATUS_HARNESS,
                                                [REASON_ABSENT] = EXIT_STATUS_NOTHING_RAN,
                                                [REASON_BROKEN] = EXIT_STATUS_NOTHING_RAN};
    for (size_t kind = 0; kind < sizeof statuses / sizeof statuses[0]; kind++) {
        struct reason reason = {.kind = (enum reason_kind)kind};
        ck_assert_int_eq(reason_exit_status(&reason), statuses[kind]);
    }
}
