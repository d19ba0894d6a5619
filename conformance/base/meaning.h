/* What a verdict of the whole means to each consumer: one table, so that none of them turns "not
 * checked" into good, or drains a machine for it.
 *
 *     exit(meaning_of(verdict)->exit_status);
 *
 * spec/verdicts.md has the same table in words. */
#pragma once

#include <stdbool.h>

#include "conformance/base/reason.h"

/* The element of a JUnit test case. */
enum junit { JUNIT_PASSES, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED, JUNIT_COUNT };

struct meaning {
    enum exit_status exit_status;
    int nagios;             /* 0 OK, 2 CRITICAL, 3 UNKNOWN; also the result of gcm; never 1 */
    const char *node;       /* overall_severity of a NodeVerdict */
    enum junit junit;       /* the case of a whole, or of a part */
    enum junit junit_check; /* the case of one check */
    bool drains;            /* the machine, unless every finding asks for something else */
};

/* Of PASS, FAIL, INCONCLUSIVE, SKIP or ERROR; of any other verdict that of ERROR, but for a check's
 * CRASH and TIMEOUT, which are failures. */
const struct meaning *meaning_of(enum verdict verdict);

/* The status of `--exit nagios`, of an exit status: 0 is OK, 1 CRITICAL, and anything else, bad
 * usage too, UNKNOWN. */
int meaning_nagios(int exit_status);
