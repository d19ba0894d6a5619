/* How the records came to an end, and how much they looked at (compare_parts.h). Clauses:
 * compare.record.cut, compare.record.contradicted, compare.record.new, compare.programs.undecided,
 * compare.verdict.whole, compare.coverage.less. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/compare_parts.h"
#include "conformance/report/assessment.h"

static uint64_t cases_on(const struct loaded_record *record, const char *label)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (strcmp(record->devices[index], label) == 0)
            return ranges_total(&record->finished[index]);
    return 0;
}

/* Programs that came to anything through every path. */
static uint64_t finished_programs(const struct loaded_record *record)
{
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    uint64_t least = UINT64_MAX;
    for (size_t index = 0; index < rows->count; index++) {
        const uint64_t planned = field_programs_planned(rows->lines[index]);
        const uint64_t open = field_counts_inconclusive(rows->lines[index]);
        const uint64_t here = open < planned ? planned - open : 0;
        least = here < least ? here : least;
    }
    return least;
}

/* Cases that every device finished, of a run; of a measure the lines that are of its plan. */
static uint64_t finished(const struct loaded_record *record)
{
    const uint64_t planned = field_header_cases_planned(record->header);
    uint64_t least = planned, lines = 0;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        if (loaded_sorts[kind].is_planned)
            lines += record->kinds[kind].count + record->kinds[kind].left_out;
    for (size_t index = 0; index < record->device_count; index++) {
        uint64_t cases = cases_on(record, record->devices[index]);
        least = cases < least ? cases : least;
    }
    if (record->kinds[LOADED_PROGRAMS].count > 0)
        return finished_programs(record);
    return json_array_size(loaded_rows(record)) > 0 ? least : lines;
}

/* Did not decide all of its plan. A deep run is made to end before. */
static bool is_short(const struct loaded_record *record)
{
    return strcmp(field_header_tier(record->header), "deep") != 0 &&
           field_summary_verdict(record->summary) == VERDICT_INCONCLUSIVE &&
           finished(record) < field_header_cases_planned(record->header);
}

/* What can be wrong with one of the two. */
struct wrong {
    enum difference_kind cut, undecided, contradicted;
};
static const struct wrong of_base = {DIFFERENCE_base_cut, DIFFERENCE_base_undecided,
                                     DIFFERENCE_base_contradicted};
static const struct wrong of_new = {DIFFERENCE_new_cut, DIFFERENCE_new_undecided,
                                    DIFFERENCE_new_contradicted};

/* What is wrong with a record, whatever the other is. Of programs that came to nothing the reason
 * says whether they ran. */
static void look_at(struct compared *compared, const struct loaded_record *record,
                    const struct wrong *wrong, struct assessment *ret)
{
    const bool has_rows = record->summary && record->kinds[LOADED_PROGRAMS].count > 0;
    assess_record(record, ret);
    const char *base = record == compared->base ? ret->reason : "";
    const char *next = record == compared->next ? ret->reason : "";
    if (record->summary == NULL || is_short(record))
        compared_add(compared, has_rows ? wrong->undecided : wrong->cut, "", base, next);
    else if (verdict_of_whole(field_summary_verdict(record->summary)) != ret->verdict)
        compared_add(compared, wrong->contradicted, "", base, next);
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const size_t left_out = record->kinds[kind].left_out;
        char number[NUMBER_COUNT_BYTES];
        if (left_out > 0 && loaded_sorts[kind].is_measured)
            compared_add(compared, DIFFERENCE_lines_left_out, record->path,
                         number_count(left_out, "line", number), loaded_sorts[kind].noun);
    }
}

/* "FAIL: 3 failures". */
static const char *in_words(const struct assessment *it, char ret[DIFFERENCE_VALUE_BYTES])
{
    snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s%s%.200s", verdict_name(it->verdict),
             it->reason[0] ? ": " : "", it->reason);
    return ret;
}

/* What a whole verdict that is another now comes to. A FAIL beside a FAIL is compared subject by
 * subject. */
static enum difference_kind kind_of(enum verdict next)
{
    static const struct {
        enum verdict verdict;
        enum difference_kind kind;
    } rows[] = {{VERDICT_FAIL, DIFFERENCE_run_failed},
                {VERDICT_ERROR, DIFFERENCE_run_broken},
                {VERDICT_INCONCLUSIVE, DIFFERENCE_run_undecided},
                {VERDICT_SKIP, DIFFERENCE_run_undecided}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        if (next == rows[row].verdict)
            return rows[row].kind;
    return DIFFERENCE_run_passes;
}

void compare_whole(struct compared *compared)
{
    struct assessment base, next;
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    look_at(compared, compared->base, &of_base, &base);
    look_at(compared, compared->next, &of_new, &next);
    if (base.verdict != next.verdict)
        compared_add(compared,
                     verdict_is_worse(next.verdict, base.verdict) ? kind_of(next.verdict)
                                                                  : DIFFERENCE_run_passes,
                     "", in_words(&base, left), in_words(&next, right));
}

void compare_alone(struct compared *compared, const struct loaded_record *record, const char *kind)
{
    struct assessment it;
    char words[DIFFERENCE_VALUE_BYTES];
    assess_record(record, &it);
    compared_add(compared,
                 it.verdict == VERDICT_PASS ? DIFFERENCE_measure_new : DIFFERENCE_measure_unpassed,
                 kind, "", in_words(&it, words));
}

/* A deep run has as many cases as its time allowed: there a tenth less is chance. */
static bool is_fewer(const struct compared *compared, uint64_t base, uint64_t next)
{
    bool deep = strcmp(field_header_tier(compared->base->header), "deep") == 0 &&
                strcmp(field_header_tier(compared->next->header), "deep") == 0;
    return deep ? next < base - base / 10 : next < base;
}

void compare_cases(const struct meeting *meeting)
{
    struct compared *compared = meeting->compared;
    uint64_t base = cases_on(compared->base, meeting->base_label);
    uint64_t next = cases_on(compared->next, meeting->next_label);
    char left[NUMBER_COUNT_BYTES], right[NUMBER_COUNT_BYTES];
    if (base == next || compared->base->summary == NULL || compared->next->summary == NULL)
        return;
    compared_add(
        compared, is_fewer(compared, base, next) ? DIFFERENCE_cases_fewer : DIFFERENCE_cases_more,
        meeting->next_label, number_count(base, "case", left), number_count(next, "case", right));
}
