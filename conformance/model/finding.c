/* Findings and their places (finding.h). */
#include "conformance/model/finding.h"

#include <stdarg.h>
#include <stdio.h>

#define PLACE_ROW(id, word, clause) {word, clause},
static const char *const places[PLACE_COUNT][2] = {{"", NULL}, PLACES(PLACE_ROW)};

const char *place_name(enum place place)
{
    return places[place][0];
}

const char *place_clause(enum place place)
{
    return places[place][1];
}

bool finding_set(struct finding *ret, enum verdict verdict, const char *clause, const char *format,
                 ...)
{
    va_list arguments;
    struct finding finding = {.verdict = verdict, .operand = -1};
    snprintf(finding.clause, sizeof finding.clause, "%s", clause);
    va_start(arguments, format);
    vsnprintf(finding.note, sizeof finding.note, format, arguments);
    va_end(arguments);
    *ret = finding;
    return false;
}
