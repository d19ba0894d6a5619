/* Words for verdicts, the verdict of several, and reasons (reason.h); spec/verdicts.md says what
 * each verdict means. Clause: verdicts.several.joined. */
#include "conformance/base/reason.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "PASS",   [VERDICT_FAIL] = "FAIL",
    [VERDICT_CRASH] = "CRASH", [VERDICT_TIMEOUT] = "TIMEOUT",
    [VERDICT_ERROR] = "ERROR", [VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
    [VERDICT_SKIP] = "SKIP",   [VERDICT_DECLINED] = "DECLINED",
    [VERDICT_EMPTY] = "EMPTY",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

enum verdict verdict_find(const char *word)
{
    int verdict = 0;
    while (verdict < VERDICT_COUNT && strcmp(word, verdict_names[verdict]) != 0)
        verdict++;
    return (enum verdict)verdict;
}

int verdict_is_failure(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_CRASH || verdict == VERDICT_TIMEOUT;
}

int verdict_was_due(enum verdict verdict)
{
    return verdict != VERDICT_DECLINED && verdict != VERDICT_EMPTY;
}

int verdict_has_finding(enum verdict verdict)
{
    return verdict_was_due(verdict) && verdict != VERDICT_PASS;
}

enum verdict verdict_join(enum verdict left, enum verdict right)
{
    /* PASS and SKIP rank alike: neither covers the other. */
    static const unsigned char ranks[VERDICT_COUNT] = {
        [VERDICT_FAIL] = 8,  [VERDICT_CRASH] = 7,        [VERDICT_TIMEOUT] = 6,
        [VERDICT_ERROR] = 5, [VERDICT_INCONCLUSIVE] = 4, [VERDICT_SKIP] = 3,
        [VERDICT_PASS] = 3,  [VERDICT_EMPTY] = 2,        [VERDICT_DECLINED] = 1,
    };
    left = left < VERDICT_COUNT ? left : VERDICT_ERROR;
    right = right < VERDICT_COUNT ? right : VERDICT_ERROR;
    if (left != right && ranks[left] == ranks[right])
        return VERDICT_INCONCLUSIVE;
    return ranks[left] > ranks[right] ? left : right;
}

uint64_t verdict_failures(const uint64_t counts[VERDICT_COUNT])
{
    return counts[VERDICT_FAIL] + counts[VERDICT_CRASH] + counts[VERDICT_TIMEOUT];
}

enum verdict verdict_of_counts(const uint64_t counts[VERDICT_COUNT])
{
    enum verdict joined = VERDICT_DECLINED;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (counts[verdict] > 0)
            joined = verdict_join(joined, (enum verdict)verdict);
    return verdict_was_due(joined) ? joined : VERDICT_SKIP;
}

enum verdict verdict_of_whole(enum verdict verdict)
{
    return verdict_is_failure(verdict) ? VERDICT_FAIL : verdict;
}

int verdict_is_worse(enum verdict left, enum verdict right)
{
    return verdict_join(left, right) != right;
}

bool reason_set(struct reason *ret, enum reason_kind kind, const char *format, ...)
{
    char text[REASON_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ret->kind = kind;
    memcpy(ret->text, text, sizeof text);
    return false;
}

enum reason_kind reason_of_errno(int error)
{
    static const int lacks[] = {EMFILE, ENFILE, ENOMEM, EAGAIN, ENOBUFS};
    for (size_t index = 0; index < sizeof lacks / sizeof lacks[0]; index++)
        if (error == lacks[index])
            return REASON_SYSTEM;
    return REASON_INPUT;
}

bool reason_before(struct reason *reason, const char *format, ...)
{
    char text[REASON_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (bytes >= 0 && (size_t)bytes < sizeof text)
        snprintf(text + bytes, sizeof text - (size_t)bytes, "%s", reason->text);
    memcpy(reason->text, text, sizeof text);
    return false;
}

enum exit_status reason_exit_status(const struct reason *reason)
{
    static const enum exit_status statuses[] = {
        [REASON_INPUT] = EXIT_STATUS_USAGE,
        [REASON_SYSTEM] = EXIT_STATUS_HARNESS,
        [REASON_ABSENT] = EXIT_STATUS_NOTHING_RAN,
        [REASON_BROKEN] = EXIT_STATUS_NOTHING_RAN,
    };
    return statuses[reason->kind];
}

bool error_line(const char *command, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "assay %s: ", command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}
