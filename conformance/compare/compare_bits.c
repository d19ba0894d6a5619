/* Verdicts, numbers of checks and digests of one kernel through one path (compare_parts.h).
 * Clauses: compare.bits.verdict, compare.bits.digest, compare.bits.apart, compare.coverage.less. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/compare_parts.h"
#include "conformance/record/record.h"

enum grade { GRADE_GOOD, GRADE_SKIPPED, GRADE_OPEN, GRADE_BAD, GRADE_COUNT };

static enum grade grade_of(enum verdict verdict)
{
    static const enum grade grades[VERDICT_COUNT] = {
        [VERDICT_PASS] = GRADE_GOOD,    [VERDICT_FAIL] = GRADE_BAD,
        [VERDICT_CRASH] = GRADE_BAD,    [VERDICT_TIMEOUT] = GRADE_BAD,
        [VERDICT_ERROR] = GRADE_BAD,    [VERDICT_INCONCLUSIVE] = GRADE_OPEN,
        [VERDICT_SKIP] = GRADE_SKIPPED, [VERDICT_DECLINED] = GRADE_GOOD,
        [VERDICT_EMPTY] = GRADE_GOOD,
    };
    return verdict < VERDICT_COUNT ? grades[verdict] : GRADE_BAD;
}

/* From a grade (the row) to another. */
static const enum difference_kind changes[GRADE_COUNT][GRADE_COUNT] = {
    [GRADE_GOOD] = {DIFFERENCE_verdict_other, DIFFERENCE_verdict_skipped,
                    DIFFERENCE_verdict_undecided, DIFFERENCE_verdict_fails},
    [GRADE_SKIPPED] = {DIFFERENCE_verdict_passes, DIFFERENCE_verdict_other,
                       DIFFERENCE_verdict_other, DIFFERENCE_verdict_fails},
    [GRADE_OPEN] = {DIFFERENCE_verdict_other, DIFFERENCE_verdict_skipped, DIFFERENCE_verdict_other,
                    DIFFERENCE_verdict_fails},
    [GRADE_BAD] = {DIFFERENCE_verdict_passes, DIFFERENCE_verdict_undecided,
                   DIFFERENCE_verdict_undecided, DIFFERENCE_fails_otherwise},
};

/* "FAIL: the driver's JIT": why it is no PASS, where the record says so. */
static const char *in_words(enum verdict verdict, const char *why, char ret[DIFFERENCE_VALUE_BYTES])
{
    const char *word = verdict < VERDICT_COUNT ? verdict_name(verdict) : "no verdict";
    bool has_why = grade_of(verdict) != GRADE_GOOD && why[0];
    snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s%s%.200s", word, has_why ? ": " : "",
             has_why ? why : "");
    return ret;
}

void compare_verdicts(const struct meeting *meeting, const char *place, enum verdict base,
                      enum verdict next, const char *why)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    enum difference_kind kind = changes[grade_of(base)][grade_of(next)];
    meeting->compared->looked_at[COMPARED_VERDICTS]++;
    if (base == next && grade_of(base) != GRADE_BAD)
        return;
    compared_add(meeting->compared, base == next ? DIFFERENCE_fails_in_both : kind, place,
                 in_words(base, "", left), in_words(next, why, right));
}

struct tally {
    uint64_t due, failures, passed;
};

static struct tally tally_of(const json_t *row)
{
    uint64_t counts[VERDICT_COUNT] = {0};
    struct tally tally = {0, 0, 0};
    verdict_counts_read(row, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        tally.due += verdict_was_due((enum verdict)verdict) ? counts[verdict] : 0;
        tally.failures += verdict_is_failure((enum verdict)verdict) ? counts[verdict] : 0;
    }
    tally.passed = counts[VERDICT_PASS];
    return tally;
}

void compare_counts(const struct meeting *meeting, const char *place, const uint64_t counts[2],
                    const enum difference_kind kinds[2], const char *noun)
{
    char left[NUMBER_COUNT_BYTES], right[NUMBER_COUNT_BYTES];
    if (counts[0] != counts[1])
        compared_add(meeting->compared, kinds[counts[1] > counts[0]], place,
                     number_count(counts[0], noun, left), number_count(counts[1], noun, right));
}

/* Digests are sums over what passed: of as many checks. Where something passed on both sides, and a
 * digest is of more checks than the other, bits were not compared. */
static void compare_digests(const struct meeting *meeting, const char *place, const json_t *base,
                            const json_t *next)
{
    const char *left = field_row_xxh3_128(base), *right = field_row_xxh3_128(next);
    const struct tally before = tally_of(base), after = tally_of(next);
    char less[NUMBER_COUNT_BYTES], more[NUMBER_COUNT_BYTES];
    if (before.passed == 0 || after.passed == 0)
        return;
    if (left[0] == 0 && right[0] == 0)
        compared_add(meeting->compared, DIFFERENCE_digest_missing, place, "no digest", "no digest");
    if (left[0] == 0 || right[0] == 0)
        return;
    if (before.passed != after.passed) {
        if (before.failures == 0 && after.failures == 0)
            compared_add(meeting->compared, DIFFERENCE_digest_missing, place,
                         number_count(before.passed, "passed check", less),
                         number_count(after.passed, "passed check", more));
        return;
    }
    meeting->compared->looked_at[COMPARED_DIGESTS]++;
    if (strcmp(left, right) != 0)
        compared_add(meeting->compared, DIFFERENCE_digest_differs, place, left, right);
}

static const enum difference_kind of_checks[] = {DIFFERENCE_checks_fewer, DIFFERENCE_checks_more},
                                  of_failures[] = {DIFFERENCE_failures_fewer,
                                                   DIFFERENCE_failures_more};

/* Which SMs the blocks of small launches run on is chance; that half of them run none is not. */
static void compare_sms(const struct meeting *meeting, const char *place, const json_t *base,
                        const json_t *next)
{
    static const uint64_t many = 32;
    const uint64_t before = field_row_sms(base), now = field_row_sms(next);
    char left[NUMBER_COUNT_BYTES], right[NUMBER_COUNT_BYTES];
    if (before >= many && now > 0 && 2 * now < before)
        compared_add(meeting->compared, DIFFERENCE_sms_fewer, place,
                     number_count(before, "SM", left), number_count(now, "SM", right));
}

void compare_bits(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next)
{
    enum verdict before = field_row_verdict(base), after = field_row_verdict(next);
    struct tally left = tally_of(base), right = tally_of(next);
    const char *layer = field_row_layer(next);
    compare_verdicts(meeting, place, before, after, layer[0] ? layer : field_row_reason(next));
    if (!meeting->same_cases)
        return;
    compare_counts(meeting, place, (uint64_t[]){left.due, right.due}, of_checks, "check");
    compare_sms(meeting, place, base, next);
    if (before == after)
        compare_counts(meeting, place, (uint64_t[]){left.failures, right.failures}, of_failures,
                       "failure");
    compare_digests(meeting, place, base, next);
}
