/* The kinds of difference and their words (difference.h). Clause: compare.verdict.order. */
#include "conformance/compare/difference.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/array.h"

#define SECTION(id, title)
#define DIFFERENCE(id, section, severity, words)                                                   \
    [DIFFERENCE_##id] = {#id, SECTION_##section, SEVERITY_##severity, words},
const struct difference_row difference_rows[DIFFERENCE_KIND_COUNT] = {
#include "conformance/compare/differences.def"
};
#undef SECTION
#undef DIFFERENCE

#define SECTION(id, title) [SECTION_##id] = title,
#define DIFFERENCE(id, section, severity, words)
const char *const section_titles[SECTION_COUNT] = {
#include "conformance/compare/differences.def"
};
#undef SECTION
#undef DIFFERENCE

const char *severity_name(enum severity severity)
{
    static const char *const names[SEVERITY_COUNT] = {
        [SEVERITY_NOTE] = "note",
        [SEVERITY_BETTER] = "better",
        [SEVERITY_DOUBT] = "doubt",
        [SEVERITY_WORSE] = "worse",
    };
    return names[severity];
}

struct change_row {
    const char *name;
    enum exit_status status;
};
static const struct change_row change_rows[CHANGE_COUNT] = {
    [CHANGE_SAME] = {"SAME", EXIT_STATUS_PASS},
    [CHANGE_BETTER] = {"BETTER", EXIT_STATUS_PASS},
    [CHANGE_NOT_COMPARABLE] = {"NOT COMPARABLE", EXIT_STATUS_INCONCLUSIVE},
    [CHANGE_REGRESSED] = {"REGRESSED", EXIT_STATUS_FAIL},
};

const char *change_name(enum change change)
{
    return change_rows[change].name;
}

enum exit_status change_exit_status(enum change change)
{
    return change_rows[change].status;
}

void compared_add(struct compared *compared, enum difference_kind kind, const char *place,
                  const char *base, const char *next)
{
    compared->kinds[kind]++;
    if (compared->count == COMPARED_DIFFERENCES_MAX) {
        compared->left_out++;
        return;
    }
    if (!ARRAY_ROOM(compared->differences, compared->count)) {
        compared->failed = true;
        return;
    }
    struct difference *it = &compared->differences[compared->count++];
    it->kind = kind;
    snprintf(it->place, sizeof it->place, "%s", place);
    snprintf(it->base, sizeof it->base, "%s", base);
    snprintf(it->next, sizeof it->next, "%s", next);
}

bool compared_has(const struct compared *compared, enum difference_kind kind, const char *place)
{
    for (size_t index = 0; index < compared->count; index++)
        if (compared->differences[index].kind == kind &&
            strcmp(compared->differences[index].place, place) == 0)
            return true;
    return false;
}
