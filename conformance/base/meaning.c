/* Verdicts and their consumers (meaning.h). Clauses: verdicts.consumer.table,
 * verdicts.consumer.unchecked. */
#include "conformance/base/meaning.h"

#define FAILED                                                                                     \
    {                                                                                              \
        EXIT_STATUS_FAIL, 2, "CRITICAL", JUNIT_FAILURE, JUNIT_FAILURE, true                        \
    }
#define ERRED                                                                                      \
    {                                                                                              \
        EXIT_STATUS_HARNESS, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_ERROR, false                         \
    }

static const struct meaning meanings[VERDICT_COUNT] = {
    [VERDICT_PASS] = {EXIT_STATUS_PASS, 0, "PASS", JUNIT_PASSES, JUNIT_PASSES, false},
    [VERDICT_FAIL] = FAILED,
    [VERDICT_CRASH] = FAILED,
    [VERDICT_TIMEOUT] = FAILED,
    [VERDICT_ERROR] = ERRED,
    [VERDICT_INCONCLUSIVE] = {EXIT_STATUS_INCONCLUSIVE, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_ERROR,
                              false},
    /* A check that is skipped is so in JUnit, too: PASS and SKIP make an INCONCLUSIVE whole, whose
     * case is an error. */
    [VERDICT_SKIP] = {EXIT_STATUS_NOTHING_RAN, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_SKIPPED, false},
    [VERDICT_DECLINED] = {EXIT_STATUS_NOTHING_RAN, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_SKIPPED, false},
    [VERDICT_EMPTY] = {EXIT_STATUS_NOTHING_RAN, 3, "UNKNOWN", JUNIT_ERROR, JUNIT_SKIPPED, false},
};

const struct meaning *meaning_of(enum verdict verdict)
{
    return &meanings[verdict < VERDICT_COUNT ? verdict : VERDICT_ERROR];
}

int meaning_nagios(int exit_status)
{
    return exit_status == EXIT_STATUS_PASS ? 0 : exit_status == EXIT_STATUS_FAIL ? 2 : 3;
}

enum exit_status verdict_exit_status(enum verdict verdict)
{
    return meaning_of(verdict)->exit_status;
}
