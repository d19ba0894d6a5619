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
    return measure->list ? json_array_size(measure->list(record))
                         : record->kinds[measure->kind].count;
}

static int compare_entries(const struct entry *left, const struct entry *right)
{
    int order = strcmp(left->kernel, right->kernel);
    if (order == 0)
        order = strcmp(left->path, right->path);
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
    size_t count = entries_count(measure, record);
    *ret = (struct entries){.all = heap_take(count, sizeof *ret->all)};
    for (size_t index = 0; index < count; index++) {
        const json_t *line = measure->list ? json_array_get(measure->list(record), index)
                                           : record->kinds[measure->kind].lines[index];
        struct entry *it = &ret->all[ret->count];
        if (strcmp(field_subject_device(line), device) != 0)
            continue;
        *it = (struct entry){.kernel = field_subject_kernel(line),
                             .path = field_subject_path(line),
                             .line = line,
                             .index = index};
        /* "k=32 dram": the values of the keys, as far as they fit. */
        if (measure->absent && !json_object_get(line, measure->keys[0]))
            snprintf(it->key, sizeof it->key, "%s", measure->absent);
        for (const char *const *key = measure->keys; *key; key++) {
            const json_t *value = json_object_get(line, *key);
            const size_t used = strlen(it->key);
            if (json_is_string(value))
                text_join(it->key, sizeof it->key, " ", "%s", value_text(value));
            else if (json_is_integer(value)) /* "element bytes 16" */
                text_join(it->key, sizeof it->key, " ", "%s %lld", *key,
                          (long long)json_integer_value(value));
            for (char *at = it->key + used; *at && json_is_integer(value); at++)
                *at = *at == '_' ? ' ' : *at;
        }
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
    if (it->kernel[0])
        snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.64s through %.31s on %.16s%s%.120s", it->kernel,
                 it->path, meeting->next_label, it->key[0] ? ", " : "", it->key);
    else
        snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.40s%.120s%s%.31s on %.16s", meeting->what, it->key,
                 it->path[0] ? " through " : "", it->path, meeting->next_label);
}

/* An entry of that path, and of that kernel; NULL: of any. */
static bool has(const struct entries *entries, const char *path, const char *kernel)
{
    for (size_t index = 0; index < entries->count; index++)
        if ((path == NULL || strcmp(entries->all[index].path, path) == 0) &&
            (kernel == NULL || strcmp(entries->all[index].kernel, kernel) == 0))
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
    const char *label = is_new ? meeting->base_label : meeting->next_label;
    bool has_any = false, has_same = false;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (strcmp(field_subject_device(line), label) != 0 ||
            strcmp(field_shaped_regime(line), field_shaped_regime(it->line)) != 0)
            continue;
        has_any = true;
        has_same = has_same ||
                   field_shaped_footprint_bytes(line) == field_shaped_footprint_bytes(it->line);
    }
    return has_any && !has_same;
}

/* One entry that `from` has and `other` has not. A path or a kernel that `other` lacks as a whole
 * is named once. */
static void add_lonely(const struct meeting *meeting, const struct measure_row *measure,
                       bool is_new, const struct entries *from, size_t index,
                       const struct entries *other)
{
    struct compared *compared = meeting->compared;
    const struct entry *it = &from->all[index];
    char place[DIFFERENCE_PLACE_BYTES];
    if (measure->kind == RECORD_ceiling && is_resized(meeting, is_new, it)) {
        entries_place(meeting, it, place);
        compared_add(compared, DIFFERENCE_speed_apart, place,
                     is_new ? "no such footprint" : "measured",
                     is_new ? "measured" : "no such footprint");
    } else if (it->path[0] && !has(other, it->path, NULL)) {
        snprintf(place, sizeof place, "%.31s on %.16s", it->path, meeting->next_label);
        if (!compared_has(compared, alone[is_new].path, place))
            compared_add(compared, alone[is_new].path, place, "", "");
    } else if (it->kernel[0] && !has(other, NULL, it->kernel)) {
        snprintf(place, sizeof place, "%.64s on %.16s", it->kernel, meeting->next_label);
        if (!compared_has(compared, alone[is_new].kernel, place))
            compared_add(compared, alone[is_new].kernel, place, "", "");
    } else {
        entries_place(meeting, it, place);
        compared_add(compared, alone[is_new].subject, place, "", "");
    }
}

static void name_failing(const struct meeting *meeting, const char *place, const json_t *line)
{
    const enum verdict verdict = field_result_verdict(line);
    if (verdict < VERDICT_COUNT && (verdict_is_failure(verdict) || verdict == VERDICT_ERROR))
        compared_add(meeting->compared, DIFFERENCE_subject_fails, place, "", verdict_name(verdict));
}

static void add_failing(const struct meeting *meeting, const struct entry *it)
{
    char place[DIFFERENCE_PLACE_BYTES];
    entries_place(meeting, it, place);
    name_failing(meeting, place, it->line);
}

void entries_alone(const struct meeting *meeting, const struct entries *next)
{
    for (size_t index = 0; index < next->count; index++)
        add_failing(meeting, &next->all[index]);
}

/* The value, or NULL if the line has nothing there that could be compared. */
static const json_t *figure_of(const json_t *line, const struct entry_figure *figure)
{
    const json_t *value = json_object_get(line, figure->keys[0]);
    if (figure->keys[1])
        value = json_object_get(value, figure->keys[1]);
    const bool is_empty =
        value == NULL || json_is_null(value) ||
        (json_is_string(value) && value_text(value)[0] == 0) ||
        (json_is_array(value) && json_array_size(value) == 0) ||
        (figure->is_positive && json_is_number(value) && !(json_number_value(value) > 0));
    return is_empty ? NULL : value;
}

void entries_figures(const struct meeting *meeting, const struct measure_row *measure,
                     const char *place, const json_t *base, const json_t *next)
{
    if (measure->is_timed && !device_kind_of(meeting->next_label)->is_timed)
        return;
    for (const struct entry_figure *it = measure->figures; it->keys[0]; it++) {
        const json_t *left = figure_of(base, it), *right = figure_of(next, it);
        char where[DIFFERENCE_PLACE_BYTES];
        if ((left == NULL) == (right == NULL))
            continue;
        /* The verdict that a line has, which the other has not, says that nothing came of it. */
        const json_t *lacks = left ? next : base, *has = left ? base : next;
        const enum verdict verdict = measure->verdict
                                         ? value_verdict(json_object_get(lacks, measure->verdict))
                                         : VERDICT_COUNT;
        if (verdict < VERDICT_COUNT &&
            verdict != value_verdict(json_object_get(has, measure->verdict)) &&
            (verdict_is_failure(verdict) || verdict == VERDICT_ERROR || verdict == VERDICT_SKIP))
            continue;
        const char *key = it->keys[1] ? it->keys[1] : it->keys[0];
        const int used = snprintf(where, sizeof where, "%.200s: ", place);
        snprintf(where + used, sizeof where - (size_t)used, "%.40s", key);
        for (char *at = where + used; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        compared_add(meeting->compared,
                     left ? DIFFERENCE_figure_missing : DIFFERENCE_figure_not_before, where, "",
                     "");
    }
}

/* A launch of that many ms or more is on fewer buffers (bandwidth.regime.cold). */
static const double short_ms = 0.1;

/* Two numbers of buffers follow from how fast the kernel was if its launches took about as long as
 * that, or less on one side only. */
static bool is_of_pace(const json_t *base, const json_t *next)
{
    const json_t *const lines[] = {base, next};
    double least = INFINITY, most = 0;
    for (int side = 0; side < 2; side++) {
        const json_t *line = lines[side];
        const struct repeats repeats = chance_repeats(raw_bench_gbps(line), false);
        const double gbps = repeats.count > 0 ? chance_median(&repeats) : 0;
        const double bytes =
            (double)(field_shaped_read_bytes(line) + field_shaped_written_bytes(line));
        const double ms = gbps > 0 ? bytes / gbps / 1e6 : 0;
        least = ms < least ? ms : least;
        most = ms > most ? ms : most;
    }
    return least < 1.2 * short_ms && most > short_ms / 1.2;
}

/* Writes the value of a key; of a case without its seed, which changes no speed. */
static void write_identity(const json_t *line, const char *key, char ret[DIFFERENCE_VALUE_BYTES])
{
    value_words(json_object_get(line, key), ret, DIFFERENCE_VALUE_BYTES);
    char *seed = strstr(ret, " seed=");
    if (seed)
        memmove(seed, seed + 1 + strcspn(seed + 1, " "),
                strlen(seed + 1 + strcspn(seed + 1, " ")) + 1);
}

/* The first key by which two lines are two measurements, or NULL. A line that lacks it may be of an
 * earlier version: it matches any. */
static const char *find_apart(const char *const *identity, const json_t *base, const json_t *next)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    for (const char *const *key = identity; *key; key++) {
        write_identity(base, *key, left);
        write_identity(next, *key, right);
        if (left[0] && right[0] && strcmp(left, right) != 0 &&
            !(strcmp(*key, FIELD_KEY(bench, buffers)) == 0 && is_of_pace(base, next)))
            return *key;
    }
    return NULL;
}

/* The bit of a line's regime; a line of an earlier version lacks it. */
static unsigned regime_bit(const json_t *line)
{
    enum regime regime = REGIME_DRAM;
    regime_find(field_shaped_regime(line), &regime);
    return 1u << regime;
}

/* True if the two lines, of the same key, are of two measurements; says so, and names NEW's if it
 * fails, since BASE has nothing to compare it with. */
static bool is_apart(const struct meeting *meeting, const struct measure_row *measure,
                     const char *place, const json_t *base, const json_t *next)
{
    const char *key = find_apart(measure->identity, base, next);
    char left[DIFFERENCE_VALUE_BYTES] = "", right[DIFFERENCE_VALUE_BYTES] = "";
    if (key && measure->kind == RECORD_bench &&
        strcmp(key, FIELD_KEY(shaped, footprint_bytes)) == 0)
        meeting->compared->regimes_apart |= regime_bit(next);
    if (key == NULL &&
        !(measure->is_of_regime && meeting->compared->regimes_apart & regime_bit(next)))
        return false;
    for (int side = 0; key && side < 2; side++) {
        char value[DIFFERENCE_VALUE_BYTES], *text = side ? right : left;
        write_identity(side ? next : base, key, value);
        snprintf(text, DIFFERENCE_VALUE_BYTES, "%.32s %.200s", key, value);
        for (char *at = text; *at && at < text + strlen(key); at++)
            *at = *at == '_' ? ' ' : *at;
    }
    compared_add(meeting->compared, DIFFERENCE_speed_apart, place, left, right);
    name_failing(meeting, place, next);
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
            add_lonely(meeting, measure, false, base, left++, next);
        } else if (order > 0) {
            add_failing(meeting, &next->all[right]);
            add_lonely(meeting, measure, true, next, right++, base);
        } else {
            char place[DIFFERENCE_PLACE_BYTES];
            const json_t *before = base->all[left].line, *after = next->all[right].line;
            entries_place(meeting, &next->all[right], place);
            const bool is_other = is_apart(meeting, measure, place, before, after);
            if (!is_other)
                entries_figures(meeting, measure, place, before, after);
            if (!is_other && measure->note)
                compare_verdicts(meeting, place,
                                 value_verdict(json_object_get(before, measure->verdict)),
                                 value_verdict(json_object_get(after, measure->verdict)),
                                 value_text(json_object_get(after, measure->note)));
            if (!is_other && measure->compare)
                measure->compare(meeting, place, before, after);
            /* Further lines of one key are held against the last that the other has. */
            const bool more = has_more(base, left), has_next_more = has_more(next, right);
            left += more || !has_next_more;
            right += has_next_more || !more;
        }
    }
}
