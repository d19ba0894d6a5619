/* Filling in reasons (reason.h). */
#include "conformance/base/reason.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
