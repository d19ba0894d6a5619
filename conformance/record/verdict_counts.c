/* Counts of verdicts by name (verdict_counts.h). */
#include "conformance/record/verdict_counts.h"

#include "conformance/record/record_fields.h"

static const struct {
    const char *key;
    json_t *(*raw)(const json_t *object);
    void (*put)(json_t *object, uint64_t count);
} counts[VERDICT_COUNT] = {
    [VERDICT_PASS] = {FIELD_KEY(counts, passed), raw_counts_passed, put_counts_passed},
    [VERDICT_FAIL] = {FIELD_KEY(counts, fail), raw_counts_fail, put_counts_fail},
    [VERDICT_CRASH] = {FIELD_KEY(counts, crash), raw_counts_crash, put_counts_crash},
    [VERDICT_TIMEOUT] = {FIELD_KEY(counts, timeout), raw_counts_timeout, put_counts_timeout},
    [VERDICT_ERROR] = {FIELD_KEY(counts, error), raw_counts_error, put_counts_error},
    [VERDICT_INCONCLUSIVE] = {FIELD_KEY(counts, inconclusive), raw_counts_inconclusive,
                              put_counts_inconclusive},
    [VERDICT_SKIP] = {FIELD_KEY(counts, skip), raw_counts_skip, put_counts_skip},
    [VERDICT_DECLINED] = {FIELD_KEY(counts, declined), raw_counts_declined, put_counts_declined},
    [VERDICT_EMPTY] = {FIELD_KEY(counts, empty), raw_counts_empty, put_counts_empty},
};

const char *verdict_counts_key(enum verdict verdict)
{
    return counts[verdict].key;
}

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
