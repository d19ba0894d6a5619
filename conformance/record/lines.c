/* Lines of a record as structs (lines.h). One walk of a kind's fields writes a line, another reads
 * one. Clauses: record.schema.complete, report.text.hostile. */
#include "conformance/record/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"

static const struct form *const forms[RECORD_KIND_COUNT] = {
#define FORM_TABLE       "conformance/record/record_fields.def"
#define BARE(id, ...)    [RECORD_##id] = &form_##id,
#define WRAPPED(id, ...) [RECORD_##id] = &form_##id,
#include "conformance/record/form_pass.inc"
#undef FORM_TABLE
};

static const bool is_wrapped[RECORD_KIND_COUNT] = {
#define FORM_TABLE       "conformance/record/record_fields.def"
#define WRAPPED(id, ...) [RECORD_##id] = true,
#include "conformance/record/form_pass.inc"
#undef FORM_TABLE
};

/* The words of the rows. */
enum { LINES_OF_DEVICES = 256 };
#define MEASURED .tally = LINE_MEASURED
#define TIMED    .is_timed = true

static const struct line_kind kinds[RECORD_KIND_COUNT] = {
#define FORM_TABLE       "conformance/record/record_fields.def"
#define BARE(id, ...)    [RECORD_##id] = {__VA_ARGS__},
#define WRAPPED(id, ...) [RECORD_##id] = {__VA_ARGS__},
#include "conformance/record/form_pass.inc"
#undef FORM_TABLE
};

struct line_kind line_kind(enum record_kind kind)
{
    enum { LINES_MAX = 16384 }; /* of eight GPUs with several compilers */
    struct line_kind ret = kinds[kind];
    ret.name = forms[kind]->name;
    ret.most = ret.most == 0 && ret.tally ? LINES_MAX : ret.most;
    ret.noun = ret.noun || ret.tally != LINE_MEASURED ? ret.noun : ret.name;
    ret.plural = ret.plural || ret.tally != LINE_MEASURED ? ret.plural : ret.name;
    ret.is_planned = ret.thing != NULL;
    ret.is_measured = ret.tally == LINE_MEASURED;
    return ret;
}

const void *line_as(enum record_kind kind, const struct line *line)
{
    return line && line->kind == kind ? line : NULL;
}

/* Finds the part in an object, or in the parts that it includes. */
static const void *find_part(const struct form *form, const char *object, const struct form *part)
{
    const void *found = NULL;
    for (const struct form_field *it = form->fields; !found && (it->name || it->part); it++)
        if (it->part)
            found = it->part == part ? object + it->offset
                                     : find_part(it->part, object + it->offset, part);
    return found;
}

const void *line_part(const struct line *line, const struct form *part)
{
    return line ? find_part(forms[line->kind], (const char *)line, part) : NULL;
}

/* A MANY of any object: an array of its structs. */
struct many {
    const char *each;
    size_t count;
};

/* Writing. */

static json_t *object_json(const struct form *form, const char *object);

/* A foreign record may have a word that is no verdict. */
static json_t *verdict_json(enum verdict verdict)
{
    return json_string(verdict < VERDICT_COUNT ? verdict_name(verdict) : "");
}

/* Returns NULL for an OPTIONAL field with nothing to write. */
static json_t *member_json(const struct form_field *field, const char *object)
{
    const bool is_due = field->need != FORM_OPTIONAL;
    const void *at = object + field->offset;
    switch (field->access) {
    case ACCESS_TEXT: {
        const char *text = *(const char *const *)at;
        return is_due || (text && text[0]) ? value_of_text(text ? text : "") : NULL;
    }
    case ACCESS_WORD: {
        const uint64_t word = *(const uint64_t *)at;
        return is_due || word ? json_sprintf("0x%016" PRIx64, word) : NULL;
    }
    case ACCESS_COUNT: {
        const uint64_t count = *(const uint64_t *)at;
        return is_due || count ? json_integer((json_int_t)count) : NULL;
    }
    case ACCESS_INTEGER: {
        const int64_t number = *(const int64_t *)at;
        return is_due || number ? json_integer(number) : NULL;
    }
    case ACCESS_NUMBER: {
        const double number = *(const double *)at;
        return is_due || number > 0 ? value_of_number(number) : NULL;
    }
    case ACCESS_FLAG: {
        const bool flag = *(const bool *)at;
        return is_due || flag ? json_boolean(flag) : NULL;
    }
    case ACCESS_VERDICT: {
        const enum verdict verdict = *(const enum verdict *)at;
        return is_due || verdict < VERDICT_COUNT ? verdict_json(verdict) : NULL;
    }
    case ACCESS_MAYBE_COUNT: {
        const struct maybe_count *it = at;
        return it->is_there ? json_integer((json_int_t)it->count) : NULL;
    }
    case ACCESS_MAYBE_WORD: {
        const struct maybe_count *it = at;
        return it->is_there ? json_sprintf("0x%016" PRIx64, it->count) : NULL;
    }
    case ACCESS_MAYBE_VERDICT: {
        const struct maybe_verdict *it = at;
        return it->is_there ? verdict_json(it->verdict) : NULL;
    }
    case ACCESS_SPREAD: {
        const struct intervals *it = at;
        json_t *array = is_due || it->count ? json_array() : NULL;
        for (size_t index = 0; index < it->count; index++)
            json_array_append_new(array,
                                  json_pack("[o, o, o]", value_of_number(it->each[index].lower),
                                            value_of_number(it->each[index].median),
                                            value_of_number(it->each[index].upper)));
        return array;
    }
    case ACCESS_TEXTS: {
        const struct texts *it = at;
        json_t *array = is_due || it->each ? json_array() : NULL;
        for (size_t index = 0; index < it->count; index++)
            json_array_append_new(array, value_of_text(it->each[index]));
        return array;
    }
    case ACCESS_COUNTS: {
        const struct counts *it = at;
        json_t *array = is_due || it->count ? json_array() : NULL;
        for (size_t index = 0; index < it->count; index++)
            json_array_append_new(array, json_integer((json_int_t)it->each[index]));
        return array;
    }
    case ACCESS_RANGES: {
        const struct ranges *it = at;
        json_t *array = is_due || it->count ? json_array() : NULL;
        for (size_t index = 0; index < it->count; index++)
            json_array_append_new(array, json_pack("[I, I]", (json_int_t)it->items[index].first,
                                                   (json_int_t)it->items[index].last));
        return array;
    }
    case ACCESS_ONE: {
        const char *one = *(const char *const *)at;
        return one ? object_json(field->form, one) : is_due ? json_object() : NULL;
    }
    case ACCESS_MANY: {
        const struct many *it = at;
        const struct form *form = field->form->items;
        json_t *array = is_due || it->count ? json_array() : NULL;
        for (size_t index = 0; index < it->count; index++)
            json_array_append_new(array, object_json(form, it->each + index * form->bytes));
        return array;
    }
    case ACCESS_JSON: /* no line has one */
        break;
    }
    return NULL;
}

static void put_members(json_t *into, const struct form *form, const char *object)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++) {
        json_t *value = it->part ? NULL : member_json(it, object);
        if (it->part)
            put_members(into, it->part, object + it->offset);
        if (value)
            json_object_set_new(into, it->name, value);
    }
}

static json_t *object_json(const struct form *form, const char *object)
{
    json_t *into = json_object();
    put_members(into, form, object);
    return into;
}

json_t *line_object(const struct line *line)
{
    return object_json(forms[line->kind], (const char *)line);
}

json_t *line_json(const struct line *line)
{
    json_t *object = line_object(line);
    return is_wrapped[line->kind] ? json_pack("{s:o}", forms[line->kind]->name, object) : object;
}

/* Making. */

static void set_empty(struct zone *zone, const struct form *form, char *object)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++) {
        char *at = object + it->offset;
        if (it->part)
            set_empty(zone, it->part, at);
        else if (it->access == ACCESS_TEXT && *(const char **)(void *)at == NULL)
            *(const char **)(void *)at = "";
        else if (it->access == ACCESS_ONE && it->need != FORM_OPTIONAL &&
                 *(char **)(void *)at == NULL) {
            *(char **)(void *)at = zone_take(zone, it->form->bytes);
            set_empty(zone, it->form, *(char **)(void *)at);
        }
    }
}

const struct line *line_new(struct zone *zone, const struct line *line)
{
    const struct form *form = forms[line->kind];
    char *made = memcpy(zone_take(zone, form->bytes), line, form->bytes);
    set_empty(zone, form, made);
    return (const struct line *)(const void *)made;
}

/* Reading. */

static void read_object(struct zone *zone, const struct form *form, const json_t *from,
                        char *object);

static struct texts read_texts(struct zone *zone, const json_t *values)
{
    const char **each =
        json_is_array(values) ? zone_take(zone, json_array_size(values) * sizeof *each) : NULL;
    struct texts ret = {.each = each};
    const json_t *value;
    for (size_t index = 0; (value = value_next(values, &index)) != NULL;)
        each[ret.count++] = zone_text(zone, value_text(value));
    return ret;
}

static struct counts read_counts(struct zone *zone, const json_t *values)
{
    uint64_t *each = zone_take(zone, json_array_size(values) * sizeof *each);
    struct counts ret = {.each = each};
    const json_t *value;
    for (size_t index = 0; (value = value_next(values, &index)) != NULL;)
        each[ret.count++] = value_count(value);
    return ret;
}

/* Leaves out what is no range. */
static struct ranges read_ranges(struct zone *zone, const json_t *values)
{
    struct ranges ret = {.items = zone_take(zone, json_array_size(values) * sizeof *ret.items)};
    const json_t *value;
    for (size_t index = 0; (value = value_next(values, &index)) != NULL;) {
        const json_t *first = json_array_get(value, 0), *last = json_array_get(value, 1);
        const json_int_t from = json_integer_value(first), to = json_integer_value(last);
        if (json_is_integer(first) && json_is_integer(last) && from >= 0 && to >= from)
            ret.items[ret.count++] = (struct range){(uint64_t)from, (uint64_t)to};
    }
    return ret;
}

static struct many read_many(struct zone *zone, const struct form *form, const json_t *values)
{
    char *each = zone_take(zone, json_array_size(values) * form->bytes);
    struct many ret = {.each = each};
    const json_t *value;
    for (size_t index = 0; (value = value_next(values, &index)) != NULL;)
        read_object(zone, form, value, each + ret.count++ * form->bytes);
    return ret;
}

static void read_member(struct zone *zone, const struct form_field *field, const json_t *value,
                        char *object)
{
    void *at = object + field->offset;
    switch (field->access) {
    case ACCESS_TEXT:
        *(const char **)at = zone_text(zone, value_text(value));
        break;
    case ACCESS_WORD:
        *(uint64_t *)at = strtoull(value_text(value), NULL, 16);
        break;
    case ACCESS_COUNT:
        *(uint64_t *)at = value_count(value);
        break;
    case ACCESS_INTEGER:
        *(int64_t *)at = json_integer_value(value);
        break;
    case ACCESS_NUMBER:
        *(double *)at = value_number(value);
        break;
    case ACCESS_FLAG:
        *(bool *)at = json_is_true(value);
        break;
    case ACCESS_VERDICT:
        *(enum verdict *)at = value_verdict(value);
        break;
    case ACCESS_MAYBE_COUNT:
        *(struct maybe_count *)at =
            (struct maybe_count){.is_there = json_is_integer(value), .count = value_count(value)};
        break;
    case ACCESS_MAYBE_WORD:
        *(struct maybe_count *)at = (struct maybe_count){
            .is_there = json_is_string(value), .count = strtoull(value_text(value), NULL, 16)};
        break;
    case ACCESS_MAYBE_VERDICT:
        *(struct maybe_verdict *)at =
            (struct maybe_verdict){.is_there = value != NULL, .verdict = value_verdict(value)};
        break;
    case ACCESS_SPREAD:
        *(struct intervals *)at = value_intervals(
            value, zone_take(zone, json_array_size(value) * sizeof(struct interval)));
        break;
    case ACCESS_TEXTS:
        *(struct texts *)at = read_texts(zone, value);
        break;
    case ACCESS_COUNTS:
        *(struct counts *)at = read_counts(zone, value);
        break;
    case ACCESS_RANGES:
        *(struct ranges *)at = read_ranges(zone, value);
        break;
    case ACCESS_ONE:
        if (json_is_object(value) || field->need != FORM_OPTIONAL) {
            char *one = zone_take(zone, field->form->bytes);
            read_object(zone, field->form, value, one);
            *(char **)at = one;
        }
        break;
    case ACCESS_MANY:
        *(struct many *)at = read_many(zone, field->form->items, value);
        break;
    case ACCESS_JSON:
        break;
    }
}

static void read_object(struct zone *zone, const struct form *form, const json_t *from,
                        char *object)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++)
        if (it->part)
            read_object(zone, it->part, from, object + it->offset);
        else
            read_member(zone, it, json_object_get(from, it->name), object);
}

struct line *line_read(struct zone *zone, enum record_kind kind, const json_t *object)
{
    struct line *line = zone_take(zone, forms[kind]->bytes);
    line->kind = kind;
    read_object(zone, forms[kind], object, (char *)line);
    return line;
}

/* Lines of all kinds. Each function walks the fields of the parts, too. */

/* The verdict of a JUDGED field; false where the line has none there. */
static bool verdict_of(const struct form_field *field, const char *object, enum verdict *ret)
{
    const void *at = object + field->offset;
    const struct maybe_verdict *maybe = at;
    const bool is_maybe = field->access == ACCESS_MAYBE_VERDICT;
    if (field->role != ROLE_VERDICT || (is_maybe && !maybe->is_there))
        return false;
    *ret = is_maybe ? maybe->verdict : *(const enum verdict *)at;
    return true;
}

static void add_verdicts(const struct form *form, const char *object,
                         enum verdict ret[LINE_VERDICTS_MAX], size_t *count)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++)
        if (it->part)
            add_verdicts(it->part, object + it->offset, ret, count);
        else if (*count < LINE_VERDICTS_MAX && verdict_of(it, object, &ret[*count]))
            ++*count;
}

size_t line_verdicts(const struct line *line, enum verdict ret[LINE_VERDICTS_MAX])
{
    size_t count = 0;
    add_verdicts(forms[line->kind], (const char *)line, ret, &count);
    return count;
}

enum verdict line_verdict(const struct line *line)
{
    enum verdict verdicts[LINE_VERDICTS_MAX];
    return line_verdicts(line, verdicts) > 0 ? verdicts[0] : VERDICT_COUNT;
}

static void view_texts(const struct form *form, const char *object, struct line_view *ret)
{
    const struct {
        const char *name, **into;
    } texts[] = {{"device", &ret->device}, {"path", &ret->path}, {"kernel", &ret->kernel},
                 {"clause", &ret->clause}, {"note", &ret->note}, {"replay", &ret->replay},
                 {"case", &ret->case_text}};
    for (const struct form_field *it = form->fields; it->name || it->part; it++) {
        if (it->part)
            view_texts(it->part, object + it->offset, ret);
        for (size_t text = 0; it->access == ACCESS_TEXT && text < sizeof texts / sizeof texts[0];
             text++) {
            const char *own = *(const char *const *)(const void *)(object + it->offset);
            if (strcmp(it->name, texts[text].name) == 0 && own)
                *texts[text].into = own;
        }
    }
}

struct line_view line_view(const struct line *line)
{
    struct line_view view = {.device = "",
                             .path = "",
                             .kernel = "",
                             .clause = "",
                             .note = "",
                             .replay = "",
                             .case_text = "",
                             .verdict = VERDICT_COUNT};
    enum verdict verdicts[LINE_VERDICTS_MAX];
    const size_t count = line_verdicts(line, verdicts);
    view_texts(forms[line->kind], (const char *)line, &view);
    view.has_verdict = count > 0;
    if (count > 0)
        view.verdict = verdicts[0];
    for (size_t index = 1; index < count; index++)
        view.verdict = verdict_join(view.verdict, verdicts[index]);
    return view;
}

static struct line_figure figure_of(const struct form_field *field, const void *at)
{
    struct line_figure figure = {.field = field};
    if (field->access == ACCESS_SPREAD)
        figure.repeats = *(const struct intervals *)at;
    figure.is_there =
        field->access == ACCESS_SPREAD ? figure.repeats.count > 0
        : field->access == ACCESS_TEXT ? *(const char *const *)at && (*(const char *const *)at)[0]
        : field->access == ACCESS_MAYBE_COUNT ? ((const struct maybe_count *)at)->is_there
                                              : *(const uint64_t *)at > 0;
    if (field->access == ACCESS_MAYBE_COUNT)
        figure.count = ((const struct maybe_count *)at)->count;
    else if (field->access == ACCESS_COUNT)
        figure.count = *(const uint64_t *)at;
    return figure;
}

double line_figure_value(const struct line_figure *figure)
{
    return figure->repeats.count > 0 ? spread_of(figure->repeats).median : (double)figure->count;
}

static void add_figures(const struct form *form, const char *object,
                        struct line_figure ret[LINE_FIGURES_MAX], size_t *count)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++)
        if (it->part)
            add_figures(it->part, object + it->offset, ret, count);
        else if (it->role == ROLE_FIGURE && *count < LINE_FIGURES_MAX)
            ret[(*count)++] = figure_of(it, object + it->offset);
}

size_t line_figures(const struct line *line, struct line_figure ret[LINE_FIGURES_MAX])
{
    size_t count = 0;
    add_figures(forms[line->kind], (const char *)line, ret, &count);
    return count;
}

static bool has_same(const struct form_field *field, const char *left, const char *right)
{
    const void *a = left + field->offset, *b = right + field->offset;
    if (field->access == ACCESS_TEXT)
        return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
    return *(const uint64_t *)a == *(const uint64_t *)b; /* a COUNT */
}

static bool are_like(const struct form *form, const char *left, const char *right, bool and_same)
{
    bool like = true;
    for (const struct form_field *it = form->fields; like && (it->name || it->part); it++)
        if (it->part)
            like = are_like(it->part, left + it->offset, right + it->offset, and_same);
        else if ((it->role == ROLE_KEY && strcmp(it->name, "device") != 0) ||
                 (it->role == ROLE_SAME && and_same))
            like = has_same(it, left, right);
    return like;
}

bool line_is_like(const struct line *left, const struct line *right, bool and_same)
{
    return left->kind == right->kind &&
           are_like(forms[left->kind], (const char *)left, (const char *)right, and_same);
}

static void write_words(const struct form_field *field, const char *object,
                        char ret[LINE_WORDS_BYTES])
{
    const struct line_member member = {field, object + field->offset};
    char *seed = strstr(line_words(&member, ret, LINE_WORDS_BYTES), " seed=");
    if (seed) {
        const char *after = seed + 1 + strcspn(seed + 1, " ");
        memmove(seed, after, strlen(after) + 1);
    }
}

/* Finds SAME number `*left_to` of the form's, counted down. */
static bool find_same(const struct form *form, const char *left, const char *right, size_t *left_to,
                      struct line_same *same)
{
    for (const struct form_field *it = form->fields; it->name || it->part; it++) {
        if (it->part) {
            if (find_same(it->part, left + it->offset, right + it->offset, left_to, same))
                return true;
            continue;
        }
        if (it->role != ROLE_SAME || (*left_to)-- > 0)
            continue;
        same->name = it->name;
        write_words(it, left, same->left);
        write_words(it, right, same->right);
        return true;
    }
    return false;
}

bool line_next_same(const struct line *left, const struct line *right, struct line_same *same)
{
    size_t left_to = same->at++;
    return find_same(forms[left->kind], (const char *)left, (const char *)right, &left_to, same);
}

const struct form *line_form(const struct line *line)
{
    return forms[line->kind];
}

bool line_next(struct form_walk *walk, const void *object, struct line_member *ret)
{
    ret->field = form_next(walk);
    ret->at = object ? (const char *)object + walk->offset : NULL;
    return ret->field != NULL;
}

const char *line_words(const struct line_member *member, char *ret_text, size_t bytes)
{
    const struct form_field *field = member->field;
    json_t *value =
        member->at ? member_json(field, (const char *)member->at - field->offset) : NULL;
    const bool is_none = (field->access == ACCESS_COUNT || field->access == ACCESS_NUMBER) &&
                         json_number_value(value) <= 0;
    ret_text[0] = 0;
    if (json_is_integer(value) && !is_none)
        snprintf(ret_text, bytes, "%lld", json_integer_value(value));
    else if (json_is_number(value) && !is_none)
        snprintf(ret_text, bytes, "%.6g", json_number_value(value));
    else if (json_is_boolean(value))
        snprintf(ret_text, bytes, "%s", json_is_true(value) ? "yes" : "no");
    else
        snprintf(ret_text, bytes, "%s", value_text(value));
    json_decref(value);
    return ret_text;
}

double line_number(const struct line_member *member)
{
    if (member->at == NULL)
        return 0;
    return member->field->access == ACCESS_COUNT    ? (double)*(const uint64_t *)member->at
           : member->field->access == ACCESS_NUMBER ? *(const double *)member->at
                                                    : 0;
}

size_t line_item_count(const struct line_member *member)
{
    if (member->at == NULL)
        return 0;
    return member->field->access == ACCESS_TEXTS  ? ((const struct texts *)member->at)->count
           : member->field->access == ACCESS_MANY ? ((const struct many *)member->at)->count
                                                  : 0;
}

struct line_item line_item(const struct line_member *member, size_t index)
{
    const struct form *form = member->field->form->items;
    const struct many *many = member->at;
    if (member->field->access == ACCESS_TEXTS)
        return (struct line_item){.text = ((const struct texts *)member->at)->each[index]};
    return (struct line_item){.form = form, .object = many->each + index * form->bytes};
}

static bool is_same(const struct line_member *left, const struct line_member *right)
{
    char one[LINE_WORDS_BYTES], other[LINE_WORDS_BYTES];
    const enum form_access access = left->field->access;
    if (access == ACCESS_TEXT || access == ACCESS_COUNT || access == ACCESS_WORD)
        return has_same(left->field, (const char *)left->at - left->field->offset,
                        (const char *)right->at - right->field->offset);
    return strcmp(line_words(left, one, sizeof one), line_words(right, other, sizeof other)) == 0;
}

bool line_item_is(const struct line_item *left, const struct line_item *right)
{
    if (left->text || right->text)
        return left->text && right->text && strcmp(left->text, right->text) == 0;
    struct form_walk walk = form_walk(left->form), other = walk;
    struct line_member one, like;
    bool same = left->form == right->form;
    while (same && line_next(&walk, left->object, &one) && line_next(&other, right->object, &like))
        same = is_same(&one, &like);
    return same;
}

bool line_is_of_subject(const struct line_subject *left, const struct line_subject *right)
{
    return strcmp(left->kernel, right->kernel) == 0 && strcmp(left->path, right->path) == 0 &&
           strcmp(left->device, right->device) == 0;
}

struct maybe_count line_budget(const struct line_codegen *line, enum line_budget quantity)
{
    const bool is_there = (size_t)quantity < line->budget.count;
    return (struct maybe_count){is_there, is_there ? line->budget.each[quantity] : 0};
}

uint64_t line_warps(const struct line_occupancy *occupancy)
{
    enum { WARP_THREADS = 32 };
    return occupancy->blocks * ((occupancy->threads + WARP_THREADS - 1) / WARP_THREADS);
}

double line_filled(const struct line_occupancy *occupancy)
{
    const uint64_t warps = line_warps(occupancy), most = occupancy->most_warps;
    return most > 0 ? 100.0 * (double)warps / (double)most : warps > 0 ? 100 : 0;
}

const char line_not_judged[] = "recorded, not judged";
const char line_no_floors[] =
    "the host device has no floors: the emulation says nothing about speed";
const char line_interrupted[] = "interrupted before it was measured";

bool line_is_judged(const struct line_result *result)
{
    return result->verdict != VERDICT_PASS || strstr(result->note, line_not_judged) == NULL;
}

uint64_t line_launches(const struct line_bits *line)
{
    const bool is_left_out = line->launches == 0 && line->full_launches.is_there;
    return is_left_out ? line->counts.passed : line->launches;
}

void line_counts(const struct line_counts *counts, uint64_t ret[VERDICT_COUNT])
{
    ret[VERDICT_PASS] = counts->passed;
    ret[VERDICT_FAIL] = counts->fail;
    ret[VERDICT_CRASH] = counts->crash;
    ret[VERDICT_TIMEOUT] = counts->timeout;
    ret[VERDICT_ERROR] = counts->error;
    ret[VERDICT_INCONCLUSIVE] = counts->inconclusive;
    ret[VERDICT_SKIP] = counts->skip;
    ret[VERDICT_DECLINED] = counts->declined;
    ret[VERDICT_EMPTY] = counts->empty;
}

struct line_counts line_counts_of(const uint64_t counts[VERDICT_COUNT])
{
    return (struct line_counts){
        .passed = counts[VERDICT_PASS],
        .fail = counts[VERDICT_FAIL],
        .crash = counts[VERDICT_CRASH],
        .timeout = counts[VERDICT_TIMEOUT],
        .error = counts[VERDICT_ERROR],
        .inconclusive = counts[VERDICT_INCONCLUSIVE],
        .skip = counts[VERDICT_SKIP],
        .declined = counts[VERDICT_DECLINED],
        .empty = counts[VERDICT_EMPTY],
    };
}

static void add_keys(const struct form *form, const char *object, char *text, size_t bytes)
{
    static const char *const subject[] = {"device", "path", "kernel"};
    for (const struct form_field *it = form->fields; it->name || it->part; it++) {
        const void *at = object + it->offset;
        bool is_subject = false;
        for (size_t index = 0; it->name && index < sizeof subject / sizeof subject[0]; index++)
            is_subject = is_subject || strcmp(it->name, subject[index]) == 0;
        if (it->part)
            add_keys(it->part, object + it->offset, text, bytes);
        else if (it->role != ROLE_KEY || is_subject)
            continue;
        else if (it->access == ACCESS_TEXT && (*(const char *const *)at)[0])
            text_join(text, bytes, " ", "%s", *(const char *const *)at);
        else if (it->access == ACCESS_COUNT && *(const uint64_t *)at > 0) { /* "element bytes 16" */
            const size_t used = strlen(text);
            text_join(text, bytes, " ", "%s %" PRIu64, it->name, *(const uint64_t *)at);
            for (char *letter = text + used; *letter; letter++)
                *letter = *letter == '_' ? ' ' : *letter;
        }
    }
}

const char *line_keys(const struct line *line, char *ret_text, size_t bytes)
{
    ret_text[0] = 0;
    add_keys(forms[line->kind], (const char *)line, ret_text, bytes);
    return ret_text;
}
