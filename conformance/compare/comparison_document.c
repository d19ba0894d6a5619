/* A comparison as a document, for the formats that it has no writer of its own for (comparison.h).
 * Clauses: compare.format.all, compare.format.verdict. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/comparison.h"
#include "conformance/model/device_info.h"

/* What asks for another action than its section (difference_add_finding). A NEW that checked less
 * may have been told to. */
static const struct {
    enum difference_kind kind;
    enum action action;
} others[] = {
    {DIFFERENCE_run_broken, ACTION_FIX_HOST},    {DIFFERENCE_measure_missing, ACTION_REPEAT},
    {DIFFERENCE_path_missing, ACTION_REPEAT},    {DIFFERENCE_kernel_missing, ACTION_REPEAT},
    {DIFFERENCE_subject_missing, ACTION_REPEAT}, {DIFFERENCE_cases_fewer, ACTION_REPEAT},
    {DIFFERENCE_checks_fewer, ACTION_REPEAT},    {DIFFERENCE_programs_fewer, ACTION_REPEAT},
};

static enum action other_action(enum difference_kind kind)
{
    for (size_t row = 0; row < sizeof others / sizeof others[0]; row++)
        if (others[row].kind == kind)
            return others[row].action;
    return ACTION_NONE;
}

static bool is_of_figure(const struct difference *it, const struct figure_change *figure)
{
    const enum section section = difference_rows[it->kind].section;
    return (section == SECTION_SPEED || section == SECTION_CALLS) &&
           strcmp(it->place, figure->place) == 0;
}

/* A check for each speed and time of both: it is as good as what differs in it. */
static void add_figures(struct document *ret, const struct compared *compared)
{
    for (size_t index = 0; index < compared->figure_count; index++) {
        const struct figure_change *figure = &compared->figures[index];
        struct document_check check = {.name = figure->place, .verdict = VERDICT_PASS};
        for (size_t at = 0; at < compared->count; at++) {
            const struct difference *it = &compared->differences[at];
            if (is_of_figure(it, figure))
                check.verdict = verdict_join(
                    check.verdict, severity_verdict(compared_severity(compared, it->kind)));
        }
        check.note = document_text(ret, "%s -> %s %s", NUMBER_SHORT(figure->base),
                                   NUMBER_SHORT(figure->next), figure->unit);
        document_check(ret, &check);
    }
}

/* The row of the figure that it is of; 0 without one. */
static size_t row_of(const struct compared *compared, const struct difference *it)
{
    for (size_t index = 0; index < compared->figure_count; index++)
        if (is_of_figure(it, &compared->figures[index]))
            return index + 1;
    return 0;
}

static void add_difference(struct document *ret, const struct compared *compared,
                           const struct difference *it)
{
    const struct difference_row *row = &difference_rows[it->kind];
    const bool has_values = it->base[0] || it->next[0];
    struct document_finding finding = {.row = row_of(compared, it),
                                       .advice.action = other_action(it->kind)};
    finding.what = document_text(ret, "%s%s%s", row->words, it->place[0] ? ": " : "", it->place);
    if (has_values)
        finding.how = document_text(ret, "%s -> %s", it->base[0] ? it->base : "(none)",
                                    it->next[0] ? it->next : "(none)");
    difference_add_finding(ret, row->section, compared_severity(compared, it->kind), finding);
}

/* Those that are not held are counted. */
static void count_rest(const struct compared *compared, struct document_part *part)
{
    static const enum document_sort sorts[SEVERITY_COUNT] = {[SEVERITY_NOTE] = DOCUMENT_NOTE,
                                                             [SEVERITY_BETTER] = DOCUMENT_NOTE,
                                                             [SEVERITY_INCONCLUSIVE] =
                                                                 DOCUMENT_UNDECIDED,
                                                             [SEVERITY_WORSE] = DOCUMENT_FAILURE};
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        part->sorts[sorts[compared_severity(compared, kind)]] += compared->kinds[kind];
    for (size_t at = 0; at < compared->count; at++)
        part->sorts[sorts[compared_severity(compared, compared->differences[at].kind)]]--;
}

static void add_set(struct document *ret, const struct comparison_set *set)
{
    const struct compared *it = &set->compared;
    const enum verdict verdict = change_verdict(it->change);
    const char *words = document_text(ret, "%s: %s", change_name(it->change), it->why);
    struct document_part *part =
        document_part(ret, set->kind, verdict, verdict == VERDICT_PASS ? "" : words, words);
    add_figures(ret, it);
    for (size_t index = 0; index < it->count; index++)
        add_difference(ret, it, &it->differences[index]);
    count_rest(it, part);
    document_devices(ret, it->next);
    for (size_t at = 0; at < it->next->device_count; at++)
        ret->has_gpu = ret->has_gpu || device_kind_of(it->next->devices[at])->is_gpu;
}

/* "REGRESSED: after.json against before.json, bits: fails now (1)": of the first part that has the
 * verdict of all. */
static const char *reason_of(struct document *document, const struct comparisons *comparison)
{
    const struct comparison_set *worst = comparison->parts;
    char names[2][RECORD_NAME_BYTES];
    while (worst->compared.change != comparison->change)
        worst++;
    const struct compared *it = &worst->compared;
    return document_text(document, "%s: %s against %s%s%s: %s", change_name(it->change),
                         record_name(it->next, it->base, names[0]),
                         record_name(it->base, it->next, names[1]), worst->part ? ", " : "",
                         worst->part ? worst->part : "", it->why);
}

static void fill(struct document *ret, const struct comparisons *comparison)
{
    document_begin(ret, "compare");
    ret->verdict = change_verdict(comparison->change);
    ret->reason = reason_of(ret, comparison);
    document_header(ret, comparison->parts->compared.next->header);
    for (size_t index = 0; index < comparison->count; index++)
        add_set(ret, &comparison->parts[index]);
    document_finish(ret);
}

enum change comparison_report(struct report *report, enum output_format format,
                              const struct loaded *loaded)
{
    static comparison_writer *const own[FORMAT_COUNT] = {[FORMAT_TEXT] = comparison_text,
                                                         [FORMAT_JSON] = comparison_json,
                                                         [FORMAT_MARKDOWN] = comparison_markdown};
    struct comparisons comparison;
    struct document document;
    comparisons_open(&comparison, loaded);
    const bool is_silent = report->is_quiet && format == FORMAT_TEXT &&
                           change_verdict(comparison.change) == VERDICT_PASS;
    if (comparison.count > 0 && own[format] && !is_silent)
        own[format](report->file, &comparison);
    else if (comparison.count > 0 && !is_silent) {
        fill(&document, &comparison);
        reporters[format]->end(report, &document);
        document_close(&document);
    }
    comparisons_close(&comparison);
    return comparison.change;
}
