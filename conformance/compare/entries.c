/* Lines of two records side by side (entries.h). Clauses: compare.coverage.less,
 * compare.coverage.more, compare.coverage.fails, compare.speed.apart. */
#include "conformance/compare/entries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/chance.h"
#include "conformance/model/device_info.h"
#include "conformance/speed/bench_plan.h"

size_t entries_count(const struct measure_row *measure, const struct loaded_record *record)
{
    return record->kinds[measure->kind].count;
}

static int compare_entries(const struct entry *left, const struct entry *right)
{
    int order = strcmp(left->view.kernel, right->view.kernel);
    if (order == 0)
        order = strcmp(left->view.path, right->view.path);
    return order ? order : strcmp(left->key, right->key);
}

static int sort_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_entries(a, b);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void entries_open(struct entries *ret, const struct measure_row *measure,
                  const struct loaded_record *record, const char *device)
{
    const struct loaded_lines *lines = &record->kinds[measure->kind];
    *ret = (struct entries){.all = heap_take(lines->count, sizeof *ret->all)};
    for (size_t index = 0; index < lines->count; index++) {
        struct entry *it = &ret->all[ret->count];
        *it = (struct entry){
            .view = line_view(lines->each[index]), .line = lines->each[index], .index = index};
        if (strcmp(it->view.device, device) != 0)
            continue;
        line_keys(it->line, it->key, sizeof it->key);
        ret->count++;
    }
    qsort(ret->all, ret->count, sizeof *ret->all, sort_entries);
}

void entries_close(struct entries *entries)
{
    free(entries->all);
    *entries = (struct entries){.all = NULL};
}

void entries_place(const struct meeting *meeting, const struct entry *it,
                   char ret[DIFFERENCE_PLACE_BYTES])
{
    if (it->view.kernel[0])
        snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.64s through %.31s on %.16s%s%.120s",
                 it->view.kernel, it->view.path, meeting->next_label, it->key[0] ? ", " : "",
                 it->key);
    else
        snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.40s%.120s%s%.31s on %.16s", meeting->what, it->key,
                 it->view.path[0] ? " through " : "", it->view.path, meeting->next_label);
}

/* An entry of that path, and of that kernel; NULL: of any. */
static bool has(const struct entries *entries, const char *path, const char *kernel)
{
    for (size_t index = 0; index < entries->count; index++)
        if ((path == NULL || strcmp(entries->all[index].view.path, path) == 0) &&
            (kernel == NULL || strcmp(entries->all[index].view.kernel, kernel) == 0))
            return true;
    return false;
}

/* What is added of what BASE alone has, or NEW alone. */
static const struct {
    enum difference_kind path, kernel, subject;
} alone[] = {
    {DIFFERENCE_path_missing, DIFFERENCE_kernel_missing, DIFFERENCE_subject_missing},
    {DIFFERENCE_path_new, DIFFERENCE_kernel_new, DIFFERENCE_subject_new},
};

/* The copies of a footprint that no kernel of the other record has. */
static bool is_resized(const struct meeting *meeting, bool is_new, const struct entry *it)
{
    const struct compared *compared = meeting->compared;
    const struct loaded_lines *lines =
        &(is_new ? compared->base : compared->next)->kinds[RECORD_bench];
    const struct line_ceiling *copies = LINE_AS(ceiling, it->line);
    const char *label = is_new ? meeting->base_label : meeting->next_label;
    bool has_any = false, has_same = false;
    for (size_t index = 0; copies && index < lines->count; index++) {
        const struct line_bench *line = LINE_AS(bench, lines->each[index]);
        if (strcmp(line->subject.device, label) != 0 ||
            strcmp(line->shaped.regime, copies->regime) != 0)
            continue;
        has_any = true;
        has_same = has_same || line->shaped.footprint_bytes == copies->footprint_bytes;
    }
    return has_any && !has_same;
}

/* One entry that `from` has and `other` has not. A path or a kernel that `other` lacks as a whole
 * is named once. */
static void add_lonely(const struct meeting *meeting, bool is_new, const struct entries *from,
                       size_t index, const struct entries *other)
{
    struct compared *compared = meeting->compared;
    const struct entry *it = &from->all[index];
    char place[DIFFERENCE_PLACE_BYTES];
    if (is_resized(meeting, is_new, it)) {
        entries_place(meeting, it, place);
        compared_add(compared, DIFFERENCE_speed_apart, place,
                     is_new ? "no such footprint" : "measured",
                     is_new ? "measured" : "no such footprint");
    } else if (it->view.path[0] && !has(other, it->view.path, NULL)) {
        snprintf(place, sizeof place, "%.31s on %.16s", it->view.path, meeting->next_label);
        if (!compared_has(compared, alone[is_new].path, place))
            compared_add(compared, alone[is_new].path, place, "", "");
    } else if (it->view.kernel[0] && !has(other, NULL, it->view.kernel)) {
        snprintf(place, sizeof place, "%.64s on %.16s", it->view.kernel, meeting->next_label);
        if (!compared_has(compared, alone[is_new].kernel, place))
            compared_add(compared, alone[is_new].kernel, place, "", "");
    } else {
        entries_place(meeting, it, place);
        compared_add(compared, alone[is_new].subject, place, "", "");
    }
}

static void add_failing(const struct meeting *meeting, const struct entry *it)
{
    char place[DIFFERENCE_PLACE_BYTES];
    const enum verdict verdict = it->view.verdict;
    if (verdict == VERDICT_COUNT || (!verdict_is_failure(verdict) && verdict != VERDICT_ERROR))
        return;
    entries_place(meeting, it, place);
    compared_add(meeting->compared, DIFFERENCE_subject_fails, place, "", verdict_name(verdict));
}

void entries_alone(const struct meeting *meeting, const struct entries *next)
{
    for (size_t index = 0; index < next->count; index++)
        add_failing(meeting, &next->all[index]);
}

/* A figure that one of the lines has and the other has not; `is_there`: BASE's has it. */
static void add_figure(const struct meeting *meeting, const char *place, const char *name,
                       bool is_there, const struct line *base, const struct line *next)
{
    /* The verdict that a line has, which the other has not, says that nothing came of it. */
    const enum verdict verdicts[] = {line_verdict(base), line_verdict(next)};
    const enum verdict verdict = verdicts[is_there];
    char where[DIFFERENCE_PLACE_BYTES];
    if (verdict < VERDICT_COUNT && verdicts[0] != verdicts[1] &&
        (verdict_is_failure(verdict) || verdict == VERDICT_ERROR || verdict == VERDICT_SKIP))
        return;
    const int used = snprintf(where, sizeof where, "%.200s: ", place);
    snprintf(where + used, sizeof where - (size_t)used, "%.40s", name);
    for (char *at = where + used; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    compared_add(meeting->compared,
                 is_there ? DIFFERENCE_figure_missing : DIFFERENCE_figure_not_before, where, "",
                 "");
}

void entries_figures(const struct meeting *meeting, const char *place, const struct line *base,
                     const struct line *next)
{
    const struct line_codegen *old = LINE_AS(codegen, base), *new = LINE_AS(codegen, next);
    struct line_figure left[LINE_FIGURES_MAX], right[LINE_FIGURES_MAX];
    const size_t count = line_figures(base, left);
    line_figures(next, right);
    for (size_t index = 0; index < count; index++)
        if (left[index].is_there != right[index].is_there)
            add_figure(meeting, place, left[index].field->name, left[index].is_there, base, next);
    if (old && new && (old->occupancy != NULL) != (new->occupancy != NULL))
        add_figure(meeting, place, "blocks", old->occupancy != NULL, base, next);
}

/* A launch of that many ms or more is on fewer buffers (bandwidth.regime.cold). */
static const double short_ms = 0.1;

/* Two numbers of buffers follow from how fast the kernel was if its launches took about as long as
 * that, or less on one side only. */
static bool is_of_pace(const struct line *base, const struct line *next)
{
    const struct line *const lines[] = {base, next};
    double least = INFINITY, most = 0;
    for (int side = 0; side < 2; side++) {
        const struct line_shaped *shaped = LINE_PART(shaped, lines[side]);
        struct line_figure figures[LINE_FIGURES_MAX];
        const struct repeats repeats = chance_repeats(
            line_figures(lines[side], figures) ? figures[0].repeats : (struct intervals){0}, false);
        const double gbps = repeats.count > 0 ? chance_median(&repeats) : 0;
        const double bytes = shaped ? (double)(shaped->read_bytes + shaped->written_bytes) : 0;
        const double ms = gbps > 0 ? bytes / gbps / 1e6 : 0;
        least = ms < least ? ms : least;
        most = ms > most ? ms : most;
    }
    return least < 1.2 * short_ms && most > short_ms / 1.2;
}

/* The bit of a line's regime. */
static unsigned regime_bit(const struct line *line)
{
    const struct line_shaped *shaped = LINE_PART(shaped, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    const struct line_relation *relation = LINE_AS(relation, line);
    enum regime regime = REGIME_DRAM;
    regime_find(shaped     ? shaped->regime
                : peak     ? peak->regime
                : relation ? relation->regime
                           : "",
                &regime);
    return 1u << regime;
}

/* True if the two lines, of the same key, are of two measurements; says so, and names NEW's if it
 * fails, since BASE has nothing to compare it with. */
static bool is_apart(const struct meeting *meeting, const struct measure_row *measure,
                     const char *place, const struct entry *base, const struct entry *next)
{
    char left[DIFFERENCE_VALUE_BYTES] = "", right[DIFFERENCE_VALUE_BYTES] = "";
    struct line_same same = {.at = 0};
    bool is_apart = false;
    while (!is_apart && line_next_same(base->line, next->line, &same)) {
        const bool is_pace =
            strcmp(same.name, "buffers") == 0 && is_of_pace(base->line, next->line);
        is_apart = same.left[0] && same.right[0] && strcmp(same.left, same.right) != 0 && !is_pace;
    }
    if (is_apart && measure->kind == RECORD_bench && strcmp(same.name, "footprint_bytes") == 0)
        meeting->compared->regimes_apart |= regime_bit(next->line);
    if (!is_apart && !(line_kind(measure->kind).is_of_regime &&
                       meeting->compared->regimes_apart & regime_bit(next->line)))
        return false;
    for (int side = 0; is_apart && side < 2; side++) {
        char *text = side ? right : left;
        snprintf(text, DIFFERENCE_VALUE_BYTES, "%.32s %.200s", same.name,
                 side ? same.right : same.left);
        for (char *at = text; *at && at < text + strlen(same.name); at++)
            *at = *at == '_' ? ' ' : *at;
    }
    compared_add(meeting->compared, DIFFERENCE_speed_apart, place, left, right);
    add_failing(meeting, next);
    return true;
}

/* The entry is followed by one of the same key. */
static bool has_more(const struct entries *entries, size_t at)
{
    return at + 1 < entries->count &&
           compare_entries(&entries->all[at], &entries->all[at + 1]) == 0;
}

void entries_compare(const struct meeting *meeting, const struct measure_row *measure,
                     const struct entries *base, const struct entries *next)
{
    size_t left = 0, right = 0;
    while (left < base->count || right < next->count) {
        int order = left == base->count    ? 1
                    : right == next->count ? -1
                                           : compare_entries(&base->all[left], &next->all[right]);
        if (order < 0) {
            add_lonely(meeting, false, base, left++, next);
        } else if (order > 0) {
            add_failing(meeting, &next->all[right]);
            add_lonely(meeting, true, next, right++, base);
        } else {
            char place[DIFFERENCE_PLACE_BYTES];
            const struct entry *before = &base->all[left], *after = &next->all[right];
            entries_place(meeting, after, place);
            const bool is_other = is_apart(meeting, measure, place, before, after);
            if (!is_other && (!line_kind(measure->kind).is_timed ||
                              device_kind_of(meeting->next_label)->is_timed))
                entries_figures(meeting, place, before->line, after->line);
            if (!is_other && !measure->has_own_verdict && before->view.has_verdict)
                compare_verdicts(meeting, place, line_verdict(before->line),
                                 line_verdict(after->line), after->view.note);
            if (!is_other && measure->compare)
                measure->compare(meeting, place, before->line, after->line);
            /* Further lines of one key are held against the last that the other has. */
            const bool more = has_more(base, left), has_next_more = has_more(next, right);
            left += more || !has_next_more;
            right += has_next_more || !more;
        }
    }
}
