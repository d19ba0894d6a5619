/* Severity and action of a finding (advice.h). Clause:
 * report.finding.action. */
#include "conformance/report/advice.h"

#include <string.h>

#include "conformance/model/path.h"

const char *const finding_severity_words[FINDING_SEVERITY_COUNT] = {
    [FINDING_INFO] = "info", [FINDING_UNKNOWN] = "unknown", [FINDING_CRITICAL] = "critical"};

const char *const action_words[ACTION_COUNT] = {
    [ACTION_NONE] = "none",     [ACTION_REPEAT] = "repeat", [ACTION_FIX_HOST] = "fix_host",
    [ACTION_REPORT] = "report", [ACTION_RESET] = "reset",   [ACTION_DRAIN] = "drain",
    [ACTION_RETURN] = "return",
};

/* What a verdict means, whatever the line is of. A FAIL depends on that. */
static const struct advice of_verdict[VERDICT_COUNT] = {
    [VERDICT_PASS] = {FINDING_INFO, ACTION_NONE},
    [VERDICT_FAIL] = {FINDING_CRITICAL, ACTION_DRAIN},
    [VERDICT_CRASH] = {FINDING_CRITICAL, ACTION_RESET},
    [VERDICT_TIMEOUT] = {FINDING_CRITICAL, ACTION_RESET},
    [VERDICT_ERROR] = {FINDING_UNKNOWN, ACTION_FIX_HOST},
    [VERDICT_INCONCLUSIVE] = {FINDING_UNKNOWN, ACTION_REPEAT},
    [VERDICT_SKIP] = {FINDING_INFO, ACTION_NONE},
};

/* What else than to drain a failure of a kind asks for: code that a compiler made, calls of the
 * host. */
static const enum action of_kind[RECORD_KIND_COUNT] = {
    [RECORD_program] = ACTION_REPORT,    [RECORD_known] = ACTION_REPORT,
    [RECORD_codegen] = ACTION_REPORT,    [RECORD_programs] = ACTION_REPORT,
    [RECORD_operations] = ACTION_REPORT, [RECORD_latency] = ACTION_FIX_HOST,
};

/* Wrong bits: of one compiler, by its layer; of the GPU, if they come and go. */
static enum action of_bits(const struct line_reduced *reduced)
{
    const bool is_flaky = reduced && reduced->repeats > 0 && reduced->failures < reduced->repeats &&
                          reduced->after.count == 0;
    if (reduced && reduced->layer[0] && !layer_is_shared(reduced->layer))
        return ACTION_REPORT;
    return is_flaky ? ACTION_RETURN : ACTION_DRAIN;
}

struct advice advice_of(enum verdict verdict)
{
    return verdict < VERDICT_COUNT ? of_verdict[verdict]
                                   : (struct advice){FINDING_UNKNOWN, ACTION_REPEAT};
}

struct advice advise(const struct line *line, enum verdict verdict,
                     const struct line_reduced *reduced)
{
    struct advice ret = advice_of(verdict);
    if (!verdict_is_failure(verdict))
        return ret;
    if (line->kind == RECORD_finding && verdict == VERDICT_FAIL)
        ret.action = of_bits(reduced);
    else if (of_kind[line->kind])
        ret.action = of_kind[line->kind];
    return ret;
}
