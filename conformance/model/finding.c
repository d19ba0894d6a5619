/* Findings and their places (finding.h). */
#include "conformance/model/finding.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const place_names[PLACE_COUNT] = {
    [PLACE_NONE] = "",       [PLACE_ELEMENT] = "element", [PLACE_GAP] = "gap",
    [PLACE_GUARD] = "guard", [PLACE_INPUT] = "input",
};

const char *place_name(enum place place)
{
    return place_names[place];
}

void finding_set(struct finding *ret, enum verdict verdict, const char *clause, const char *format,
                 ...)
{
    va_list arguments;
    struct finding finding = {.verdict = verdict, .operand = -1};
    snprintf(finding.clause, sizeof finding.clause, "%s", clause);
    va_start(arguments, format);
    vsnprintf(finding.note, sizeof finding.note, format, arguments);
    va_end(arguments);
    *ret = finding;
}
