/* Generated programs through one path, and known miscompiles (compare_parts.h). Clauses:
 * compare.programs.fewer, compare.programs.known, compare.programs.untried,
 * compare.programs.other, compare.programs.operations, compare.programs.excused. */
#include <stdio.h>
#include <string.h>

#include "conformance/compare/compare_parts.h"

/* Programs whose every word was compared, or that were compiled, where the device runs none. */
static uint64_t looked_at(const json_t *line)
{
    return field_programs_runs(line) ? field_programs_compared(line) : field_counts_passed(line);
}

static uint64_t failures_of(const json_t *line)
{
    return field_counts_fail(line) + field_counts_crash(line) + field_counts_timeout(line);
}

static bool are_same_programs(const struct meeting *meeting, const json_t *base, const json_t *next)
{
    return json_equal(raw_header_seed(meeting->compared->base->header),
                      raw_header_seed(meeting->compared->next->header)) &&
           field_programs_generator(base) == field_programs_generator(next);
}

/* Those that one is wrong in and the other is not. */
static void add_operations(const struct meeting *meeting, const json_t *from, const json_t *other,
                           const char *path, bool is_new)
{
    const json_t *name;
    size_t index;
    json_array_foreach(field_operations_wrong(from), index, name)
    {
        char place[DIFFERENCE_PLACE_BYTES];
        const char *words = value_text(name);
        if (value_array_has(field_operations_wrong(other), words) ||
            value_array_has(field_operations_open(other), words))
            continue;
        snprintf(place, sizeof place, "operation %.60s through %.31s on %.16s", words, path,
                 meeting->next_label);
        compared_add(meeting->compared,
                     is_new ? DIFFERENCE_verdict_fails : DIFFERENCE_verdict_passes, place,
                     is_new ? "right" : "wrong", is_new ? "wrong" : "right");
    }
}

void compare_operations(const struct meeting *meeting, const char *place, const json_t *base,
                        const json_t *next)
{
    static const enum difference_kind of_programs[] = {DIFFERENCE_programs_fewer,
                                                       DIFFERENCE_programs_more};
    const uint64_t counts[] = {field_operations_programs(base), field_operations_programs(next)};
    compare_counts(meeting, place, counts, of_programs, "program");
    add_operations(meeting, next, base, field_operations_path(next), true);
    add_operations(meeting, base, next, field_operations_path(next), false);
}

/* A deep run has as many as its time allowed: there a tenth less is chance. */
static bool is_by_chance(const struct compared *compared, uint64_t base, uint64_t next)
{
    return strcmp(field_header_tier(compared->base->header), "deep") == 0 &&
           strcmp(field_header_tier(compared->next->header), "deep") == 0 &&
           next >= base - base / 10;
}

void compare_programs(const struct meeting *meeting, const char *place, const json_t *base,
                      const json_t *next)
{
    const enum verdict before = field_programs_verdict(base), after = field_programs_verdict(next);
    static const enum difference_kind of_programs[] = {DIFFERENCE_programs_fewer,
                                                       DIFFERENCE_programs_more},
                                      of_failures[] = {DIFFERENCE_failures_fewer,
                                                       DIFFERENCE_failures_more},
                                      of_known[] = {DIFFERENCE_known_fewer, DIFFERENCE_known_more};
    static const char others[] = "seed or version of the generator differ";
    struct compared *compared = meeting->compared;
    compared->looked_at[COMPARED_PROGRAMS] += looked_at(next);
    compare_verdicts(meeting, place, before, after, field_programs_note(next));
    if (field_programs_runs(base) && !field_programs_runs(next))
        compared_add(compared, DIFFERENCE_verdict_skipped, place, "run", "compiled and not run");
    if (!are_same_programs(meeting, base, next)) {
        if (!compared_has(compared, DIFFERENCE_programs_other, others))
            compared_add(compared, DIFFERENCE_programs_other, others, "", "");
    } else if (before == after && looked_at(base) == looked_at(next)) {
        compare_counts(meeting, place, (uint64_t[]){failures_of(base), failures_of(next)},
                       of_failures, "failure");
    }
    if (are_same_programs(meeting, base, next) &&
        field_programs_planned(base) == field_programs_planned(next))
        compare_counts(meeting, place,
                       (uint64_t[]){field_programs_known(base), field_programs_known(next)},
                       of_known, "program");
    if (!is_by_chance(compared, looked_at(base), looked_at(next)))
        compare_counts(meeting, place, (uint64_t[]){looked_at(base), looked_at(next)}, of_programs,
                       "program");
}

/* What is not tried is undecided: only whoever starts the run asks for it. */
static enum verdict known_verdict(const json_t *line)
{
    const enum verdict verdict = field_known_verdict(line);
    return verdict == VERDICT_SKIP ? VERDICT_INCONCLUSIVE : verdict;
}

/* Where a check came to nothing, nobody knows whether it is there. */
void compare_known(const struct meeting *meeting, const char *place, const json_t *base,
                   const json_t *next)
{
    const bool was = field_known_present(base), is = field_known_present(next);
    const enum verdict before = known_verdict(base), after = known_verdict(next);
    const bool is_decided = is || after == VERDICT_PASS;
    const bool was_decided = was || before == VERDICT_PASS;
    compare_verdicts(meeting, place, before, after, field_known_note(next));
    if (!is_decided || !was_decided || was == is)
        return;
    compared_add(meeting->compared, is ? DIFFERENCE_known_came : DIFFERENCE_known_gone, place,
                 was ? "present" : "absent", is ? "present" : "absent");
}
