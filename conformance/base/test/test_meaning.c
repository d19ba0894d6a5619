/* What a verdict means to each consumer (meaning.h). */
#include <string.h>

#include "conformance/base/meaning.h"
#include "spec/testing.h"

START_TEST(each_consumer_has_its_word, "verdicts.consumer.table")
{
    static const struct {
        enum verdict verdict;
        int exit_status, nagios;
        const char *node;
        enum junit junit, junit_check;
        bool drains;
    } table[] = {
        {VERDICT_PASS, 0, 0, "PASS", JUNIT_PASSES, JUNIT_PASSES, false},
        {VERDICT_FAIL, 1, 2, "CRITICAL", JUNIT_FAILURE, JUNIT_FAILURE, true},
        {VERDICT_CRASH, 1, 2, "CRITICAL", JUNIT_FAILURE, JUNIT_FAILURE, true},
        {VERDICT_TIMEOUT, 1, 2, "CRITICAL", JUNIT_FAILURE, JUNIT_FAILURE, true},
        {VERDICT_INCONCLUSIVE, 3, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_ERROR, false},
        {VERDICT_SKIP, 77, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_SKIPPED, false},
        {VERDICT_ERROR, 99, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_ERROR, false},
        {VERDICT_COUNT, 99, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_ERROR, false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const struct meaning *it = meaning_of(table[row].verdict);
        ck_assert_int_eq(it->exit_status, table[row].exit_status);
        ck_assert_int_eq(it->nagios, table[row].nagios);
        ck_assert_str_eq(it->node, table[row].node);
        ck_assert_int_eq(it->junit, table[row].junit);
        ck_assert_int_eq(it->junit_check, table[row].junit_check);
        ck_assert_int_eq(it->drains, table[row].drains);
    }
}

/* Whatever the verdict: only what is PASS is good, only a failure drains. */
START_TEST(nothing_unchecked_is_good, "verdicts.consumer.unchecked")
{
    for (int verdict = 0; verdict <= VERDICT_COUNT; verdict++) {
        const struct meaning *it = meaning_of((enum verdict)verdict);
        const bool is_pass = verdict == VERDICT_PASS;
        const bool is_failure =
            verdict < VERDICT_COUNT && verdict_is_failure((enum verdict)verdict);
        ck_assert_int_eq(it->exit_status == 0, is_pass);
        ck_assert_int_eq(it->nagios == 0, is_pass);
        ck_assert_int_ne(it->nagios, 1); /* a warning lets work on */
        ck_assert_int_eq(strcmp(it->node, "PASS") == 0, is_pass);
        ck_assert_int_eq(it->junit == JUNIT_PASSES, is_pass);
        ck_assert_int_ne(it->junit, JUNIT_SKIPPED); /* readers count it as good */
        ck_assert_int_eq(it->junit_check == JUNIT_PASSES, is_pass);
        ck_assert_int_eq(it->drains, is_failure);
    }
    for (int status = 0; status < 256; status++)
        ck_assert_int_eq(meaning_nagios(status), status == 0 ? 0 : status == 1 ? 2 : 3);
}
