/* Words for verdicts and places (verdict.h); spec/verdicts.md says what each means. */
#include "conformance/verdict.h"

static const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "PASS",   [VERDICT_FAIL] = "FAIL",
    [VERDICT_CRASH] = "CRASH", [VERDICT_TIMEOUT] = "TIMEOUT",
    [VERDICT_ERROR] = "ERROR", [VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
    [VERDICT_SKIP] = "SKIP",   [VERDICT_DECLINED] = "DECLINED",
};

static const char *const place_names[PLACE_COUNT] = {
    [PLACE_NONE] = "",       [PLACE_ELEMENT] = "element", [PLACE_GAP] = "gap",
    [PLACE_GUARD] = "guard", [PLACE_INPUT] = "input",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

int verdict_is_failure(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_CRASH || verdict == VERDICT_TIMEOUT;
}

const char *place_name(enum place place)
{
    return place_names[place];
}
