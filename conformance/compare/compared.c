/* The kinds of difference, their severities, and the verdict (compared.h). Clauses:
 * compare.verdict.order, compare.verdict.why, compare.record.named. */
#include "conformance/compare/compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "fuzz/generator.h"

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
        [SEVERITY_INCONCLUSIVE] = "inconclusive",
        [SEVERITY_WORSE] = "worse",
    };
    return names[severity];
}

enum verdict severity_verdict(enum severity severity)
{
    return severity == SEVERITY_WORSE          ? VERDICT_FAIL
           : severity == SEVERITY_INCONCLUSIVE ? VERDICT_INCONCLUSIVE
                                               : VERDICT_PASS;
}

void difference_add_finding(struct document *document, enum section section, enum severity severity,
                            struct document_finding it)
{
    /* What a difference for the worse asks for, by what it is about. */
    static const enum action actions[SECTION_COUNT] = {
        [SECTION_RECORD] = ACTION_DRAIN,     [SECTION_COVERAGE] = ACTION_DRAIN,
        [SECTION_BITS] = ACTION_DRAIN,       [SECTION_SPEED] = ACTION_DRAIN,
        [SECTION_CALLS] = ACTION_FIX_HOST,   [SECTION_CODE] = ACTION_REPORT,
        [SECTION_ENVIRONMENT] = ACTION_DRAIN};
    it.verdict = severity_verdict(severity);
    it.sort = it.verdict == VERDICT_FAIL   ? DOCUMENT_FAILURE
              : it.verdict == VERDICT_PASS ? DOCUMENT_NOTE
                                           : DOCUMENT_UNDECIDED;
    if (it.verdict != VERDICT_FAIL)
        it.advice = advice_of(it.verdict);
    else if (it.advice.action == ACTION_NONE)
        it.advice = (struct advice){FINDING_CRITICAL, actions[section]};
    document_finding(document, &it);
}

struct change_row {
    const char *name;
    enum verdict verdict;
};
static const struct change_row change_rows[CHANGE_COUNT] = {
    [CHANGE_SAME] = {"SAME", VERDICT_PASS},
    [CHANGE_BETTER] = {"BETTER", VERDICT_PASS},
    [CHANGE_NOT_COMPARABLE] = {"NOT COMPARABLE", VERDICT_INCONCLUSIVE},
    [CHANGE_REGRESSED] = {"REGRESSED", VERDICT_FAIL},
};

const char *change_name(enum change change)
{
    return change_rows[change].name;
}

enum verdict change_verdict(enum change change)
{
    return change_rows[change].verdict;
}

const char *record_name(const struct loaded_record *record, const struct loaded_record *other,
                        char ret_text[RECORD_NAME_BYTES])
{
    enum { HOST_LETTERS_MAX = 64 };
    const char *host = record->header->host, *slash = strrchr(record->path, '/');
    const char *file = slash ? slash + 1 : record->path;
    const size_t letters = strlen(host);
    const bool is_named = letters == 0 || (strncmp(file, host, letters) == 0 &&
                                           (file[letters] == 0 || file[letters] == '.'));
    if (is_named || (other && strcmp(host, other->header->host) == 0))
        snprintf(ret_text, RECORD_NAME_BYTES, "%s", record->path);
    else
        snprintf(ret_text, RECORD_NAME_BYTES, "%.*s (%s)", HOST_LETTERS_MAX, host, record->path);
    utf8_tame(ret_text); /* a letter may be cut */
    return ret_text;
}

void compared_add(struct compared *compared, enum difference_kind kind, const char *place,
                  const char *base, const char *next)
{
    compared->kinds[kind]++;
    if (compared->count == COMPARED_DIFFERENCES_MAX) {
        compared->left_out++;
        return;
    }
    HEAP_ROOM(compared->differences, compared->count);
    struct difference *it = &compared->differences[compared->count++];
    it->kind = kind;
    snprintf(it->place, sizeof it->place, "%s", place);
    snprintf(it->base, sizeof it->base, "%s", base);
    snprintf(it->next, sizeof it->next, "%s", next);
    utf8_tame(it->place); /* a letter may be cut */
    utf8_tame(it->base);
    utf8_tame(it->next);
}

bool compared_has(const struct compared *compared, enum difference_kind kind, const char *place)
{
    for (size_t index = 0; index < compared->count; index++)
        if (compared->differences[index].kind == kind &&
            strcmp(compared->differences[index].place, place) == 0)
            return true;
    return false;
}

void compared_refuse(struct compared *ret, const char *why)
{
    ret->change = CHANGE_NOT_COMPARABLE;
    snprintf(ret->why, sizeof ret->why, "%s", why);
    utf8_tame(ret->why); /* a letter may be cut */
}

size_t compared_left_out(const struct loaded_record *record, int kind)
{
    return line_kind((enum record_kind)kind).is_measured || kind == RECORD_bits
               ? record->kinds[kind].left_out
               : 0;
}

enum severity compared_severity(const struct compared *compared, int kind)
{
    static const enum difference_kind of_tier[] = {
        DIFFERENCE_measure_missing, DIFFERENCE_kernel_missing, DIFFERENCE_subject_missing,
        DIFFERENCE_cases_fewer,     DIFFERENCE_checks_fewer,   DIFFERENCE_programs_fewer};
    const bool is_new = kind == DIFFERENCE_measure_new || kind == DIFFERENCE_path_new ||
                        kind == DIFFERENCE_kernel_new || kind == DIFFERENCE_subject_new;
    if (is_new && compared->same_plan)
        return SEVERITY_INCONCLUSIVE;
    const struct difference_row *row = &difference_rows[kind];
    /* A program that was not decided is no loss. */
    const bool is_undecided =
        kind == DIFFERENCE_programs_fewer && compared->kinds[DIFFERENCE_new_undecided] > 0;
    /* A quick run or bench looks at less than a whole one. */
    bool is_of_tier = false;
    for (size_t index = 0; index < sizeof of_tier / sizeof of_tier[0]; index++)
        is_of_tier = is_of_tier || (int)of_tier[index] == kind;
    const bool is_smaller = strcmp(compared->next->header->tier, tier_name(TIER_SMOKE)) == 0 &&
                            strcmp(compared->base->header->tier, tier_name(TIER_SMOKE)) != 0;
    is_of_tier = is_of_tier && (is_smaller || compared->other_bytes);
    /* NEW was cut short, not only its gate, or has more lines than are held: what lacks there may
     * have been looked at. */
    const size_t of_gate = compared->next && compared->next->is_of_cut;
    bool is_partial = compared->kinds[DIFFERENCE_new_cut] > of_gate;
    for (int lines = 0; lines < RECORD_KIND_COUNT && compared->next; lines++)
        is_partial = is_partial || compared_left_out(compared->next, lines) > 0;
    const bool may_follow =
        row->section == SECTION_COVERAGE && (is_partial || is_of_tier || is_undecided);
    return may_follow && row->severity == SEVERITY_WORSE ? SEVERITY_INCONCLUSIVE : row->severity;
}

int compared_order(const void *left, const void *right)
{
    const struct difference *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int order = strcmp(a->place, b->place);
    return order ? order : strcmp(a->base, b->base);
}

/* The verdict follows from the severities alone. Without anything to compare nothing is the same.
 */
void compared_judge(struct compared *compared)
{
    enum { KINDS_SHOWN_MAX = 3 };
    static const enum change changes[SEVERITY_COUNT] = {
        [SEVERITY_NOTE] = CHANGE_SAME,
        [SEVERITY_BETTER] = CHANGE_BETTER,
        [SEVERITY_INCONCLUSIVE] = CHANGE_NOT_COMPARABLE,
        [SEVERITY_WORSE] = CHANGE_REGRESSED,
    };
    static const char *const nouns[COMPARED_WHAT_COUNT] = {"digest",   "speed",   "host call",
                                                           "function", "verdict", "program"};
    enum severity worst = SEVERITY_NOTE;
    size_t looked_at = 0;
    for (int what = 0; what < COMPARED_WHAT_COUNT; what++)
        looked_at += compared->looked_at[what];
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        if (compared->kinds[kind] > 0 && compared_severity(compared, kind) > worst)
            worst = compared_severity(compared, kind);
    if (compared->count > 0)
        qsort(compared->differences, compared->count, sizeof compared->differences[0],
              compared_order);
    compared->change = changes[worst];
    compared->why[0] = 0;
    /* "2 GPU missing, 1 fails now": the kinds of the worst severity, as many as fit in a line. */
    for (int kind = 0, shown = 0; worst > SEVERITY_NOTE && kind < DIFFERENCE_KIND_COUNT; kind++) {
        if (compared_severity(compared, kind) != worst || compared->kinds[kind] == 0)
            continue;
        if (++shown <= KINDS_SHOWN_MAX)
            text_join(compared->why, sizeof compared->why, ", ", "%s (%zu)",
                      difference_rows[kind].words, compared->kinds[kind]);
        else if (shown == KINDS_SHOWN_MAX + 1)
            text_join(compared->why, sizeof compared->why, ", ", "...");
    }
    /* "176 verdicts, 88 digests compared". */
    for (int what = 0; worst == SEVERITY_NOTE && what < COMPARED_WHAT_COUNT; what++) {
        if (compared->looked_at[what] > 0)
            text_join(compared->why, sizeof compared->why, ", ", "%s",
                      NUMBER_COUNT(compared->looked_at[what], nouns[what]));
    }
    if (worst == SEVERITY_NOTE && looked_at > 0)
        text_join(compared->why, sizeof compared->why, " ", "compared");
    if (worst < SEVERITY_INCONCLUSIVE && looked_at == 0)
        compared_refuse(compared, "nothing was compared: the records have nothing in common");
}

void compared_close(struct compared *compared)
{
    free(compared->differences);
    free(compared->figures);
    *compared = (struct compared){.base = NULL};
}
