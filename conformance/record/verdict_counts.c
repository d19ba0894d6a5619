/* Counts of verdicts by name (verdict_counts.h). */
#include "conformance/record/verdict_counts.h"

#include "conformance/record/record_fields.h"

static const struct {
    const json_t *(*raw)(const json_t *object);
    void (*put)(json_t *object, uint64_t count);
} counts[VERDICT_COUNT] = {
    [VERDICT_PASS] = {raw_counts_passed, put_counts_passed},
    [VERDICT_FAIL] = {raw_counts_fail, put_counts_fail},
    [VERDICT_CRASH] = {raw_counts_crash, put_counts_crash},
    [VERDICT_TIMEOUT] = {raw_counts_timeout, put_counts_timeout},
    [VERDICT_ERROR] = {raw_counts_error, put_counts_error},
    [VERDICT_INCONCLUSIVE] = {raw_counts_inconclusive, put_counts_inconclusive},
    [VERDICT_SKIP] = {raw_counts_skip, put_counts_skip},
    [VERDICT_DECLINED] = {raw_counts_declined, put_counts_declined},
    [VERDICT_EMPTY] = {raw_counts_empty, put_counts_empty},
};

const json_t *verdict_counts_raw(const json_t *object, enum verdict verdict)
{
    return counts[verdict].raw(object);
}

bool verdict_counts_read(const json_t *object, uint64_t ret_counts[VERDICT_COUNT])
{
    bool good = raw_counts_passed(object) != NULL;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        const json_t *value = counts[verdict].raw(object);
        json_int_t count = json_integer_value(value);
        good = good && (value == NULL || (json_is_integer(value) && count >= 0));
        ret_counts[verdict] = count > 0 ? (uint64_t)count : 0;
    }
    return good;
}

void verdict_counts_write(json_t *object, enum verdict verdict, uint64_t count)
{
    counts[verdict].put(object, count);
}
