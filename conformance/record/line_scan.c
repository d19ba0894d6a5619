/* Reads lines from their text (line_scan.h). The walk through a kind's fields goes along with that
 * through the text, since a line is written in the order of its fields. Clause: fleet.size.bounded.
 */
#include "conformance/record/line_scan.h"

#include <stdlib.h>
#include <string.h>

/* The rest of the text. */
struct scan {
    struct zone *zone;
    const char *at, *end;
    bool is_first; /* no field of the object has been read */
    bool is_usual; /* false: the line must be parsed */
};

/* A MANY of any object: an array of its structs. */
struct many {
    const char *each;
    size_t count;
};

static bool take(struct scan *scan, char letter)
{
    const bool is_there = scan->at < scan->end && *scan->at == letter;
    scan->at += is_there;
    return is_there;
}

static void need(struct scan *scan, char letter)
{
    scan->is_usual = take(scan, letter) && scan->is_usual;
}

/* True if the text goes on with `"name":`, which is then behind. */
static bool take_name(struct scan *scan, const char *name)
{
    const size_t letters = strlen(name);
    const bool is_there = (size_t)(scan->end - scan->at) > letters + 2 && scan->at[0] == '"' &&
                          memcmp(scan->at + 1, name, letters) == 0 &&
                          scan->at[letters + 1] == '"' && scan->at[letters + 2] == ':';
    scan->at += is_there ? letters + 3 : 0;
    return is_there;
}

static const char *take_text(struct scan *scan)
{
    need(scan, '"');
    const char *begin = scan->at;
    while (scan->at < scan->end && *scan->at >= ' ' && *scan->at < 0x7f && *scan->at != '"' &&
           *scan->at != '\\')
        scan->at++;
    const size_t letters = (size_t)(scan->at - begin);
    need(scan, '"');
    if (!scan->is_usual || letters == 0)
        return "";
    char *text = zone_take(scan->zone, letters + 1);
    memcpy(text, begin, letters);
    return text;
}

/* The digits here as a whole number, and how many there are. */
static uint64_t take_digits(struct scan *scan, uint64_t number, int *digits)
{
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; ++*digits, scan->at++)
        number = 10 * number + (uint64_t)(*scan->at - '0');
    return number;
}

enum { DIGITS_MOST = 15 }; /* such a number is a double, and so is ten to that power */

static uint64_t take_count(struct scan *scan)
{
    int digits = 0;
    const char *begin = scan->at;
    const uint64_t count = take_digits(scan, 0, &digits);
    const bool is_whole = digits == 1 || (digits > 1 && digits <= DIGITS_MOST && *begin != '0');
    scan->is_usual =
        scan->is_usual && is_whole; /* and no point or exponent: a comma has to follow */
    return count;
}

/* The quotient of two doubles is rounded once, as strtod rounds. */
static double take_number(struct scan *scan)
{
    static const double tens[DIGITS_MOST + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int digits = 0, behind = 0;
    const char *begin = scan->at;
    uint64_t number = take_digits(scan, 0, &digits);
    const bool is_whole = digits == 1 || (digits > 1 && *begin != '0');
    const bool has_point = take(scan, '.');
    if (has_point)
        number = take_digits(scan, number, &behind);
    scan->is_usual =
        scan->is_usual && is_whole && has_point == (behind > 0) && digits + behind <= DIGITS_MOST;
    return scan->is_usual ? (double)number / tens[behind] : 0;
}

static bool take_word(struct scan *scan, const char *word)
{
    const size_t letters = strlen(word);
    const bool is_there =
        (size_t)(scan->end - scan->at) >= letters && memcmp(scan->at, word, letters) == 0;
    scan->at += is_there ? letters : 0;
    return is_there;
}

static bool take_flag(struct scan *scan)
{
    const bool is_true = take_word(scan, "true");
    scan->is_usual = scan->is_usual && (is_true || take_word(scan, "false"));
    return is_true;
}

static void take_object(struct scan *scan, const struct form *form, char *object);

/* Elements of lists, into memory that is all zero. */
typedef void element_taker(struct scan *scan, const struct form *form, void *into);

static void take_text_of(struct scan *scan, const struct form *form, void *into)
{
    (void)form;
    *(const char **)into = take_text(scan);
}

static void take_count_of(struct scan *scan, const struct form *form, void *into)
{
    (void)form;
    *(uint64_t *)into = take_count(scan);
}

static void take_object_of(struct scan *scan, const struct form *form, void *into)
{
    take_object(scan, form, into);
}

/* [first, last] */
static void take_range(struct scan *scan, const struct form *form, void *into)
{
    struct range *range = into;
    (void)form;
    need(scan, '[');
    range->first = take_count(scan);
    need(scan, ',');
    range->last = take_count(scan);
    need(scan, ']');
    scan->is_usual = scan->is_usual && range->first <= range->last;
}

/* [lower, median, upper], or [median] */
static void take_interval(struct scan *scan, const struct form *form, void *into)
{
    struct interval *interval = into;
    (void)form;
    need(scan, '[');
    interval->median = take_number(scan);
    if (take(scan, ',')) {
        interval->lower = interval->median;
        interval->median = take_number(scan);
        need(scan, ',');
        interval->upper = take_number(scan);
    }
    need(scan, ']');
}

/* How many elements the list has from here on; texts have no quotes within them. */
static size_t list_count(const struct scan *scan)
{
    size_t commas = 0;
    int depth = 0;
    bool is_text = false;
    const char *at = scan->at;
    for (; at < scan->end && depth >= 0; at++) {
        is_text = is_text != (*at == '"');
        if (!is_text)
            depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        commas += !is_text && depth == 0 && *at == ',';
    }
    return at == scan->at + 1 ? 0 : commas + 1;
}

/* Takes a list of elements of that many bytes. */
static void *take_list(struct scan *scan, element_taker *take_one, const struct form *form,
                       size_t bytes, size_t *ret_count)
{
    need(scan, '[');
    const size_t count = scan->is_usual ? list_count(scan) : 0;
    char *each = zone_take(scan->zone, count * bytes);
    for (size_t index = 0; scan->is_usual && index < count; index++) {
        if (index > 0)
            need(scan, ',');
        take_one(scan, form, each + index * bytes);
    }
    need(scan, ']');
    *ret_count = count;
    return each;
}

/* What is read is what read_member (lines.c) reads of the parsed value. */
static void take_member(struct scan *scan, const struct form_field *field, char *object)
{
    void *at = object + field->offset, *each;
    size_t count;
    switch (field->access) {
    case ACCESS_TEXT:
        *(const char **)at = take_text(scan);
        break;
    case ACCESS_WORD:
        *(uint64_t *)at = strtoull(take_text(scan), NULL, 16);
        break;
    case ACCESS_COUNT:
        *(uint64_t *)at = take_count(scan);
        break;
    case ACCESS_INTEGER:
        *(int64_t *)at = (int64_t)take_count(scan);
        break;
    case ACCESS_NUMBER:
        *(double *)at = take_number(scan);
        break;
    case ACCESS_FLAG:
        *(bool *)at = take_flag(scan);
        break;
    case ACCESS_VERDICT:
        *(enum verdict *)at = verdict_find(take_text(scan));
        break;
    case ACCESS_MAYBE_COUNT:
        *(struct maybe_count *)at = (struct maybe_count){true, take_count(scan)};
        break;
    case ACCESS_MAYBE_WORD:
        *(struct maybe_count *)at = (struct maybe_count){true, strtoull(take_text(scan), NULL, 16)};
        break;
    case ACCESS_MAYBE_VERDICT:
        *(struct maybe_verdict *)at = (struct maybe_verdict){true, verdict_find(take_text(scan))};
        break;
    case ACCESS_SPREAD:
        each = take_list(scan, take_interval, NULL, sizeof(struct interval), &count);
        *(struct intervals *)at = (struct intervals){each, count};
        break;
    case ACCESS_TEXTS:
        each = take_list(scan, take_text_of, NULL, sizeof(const char *), &count);
        *(struct texts *)at = (struct texts){each, count};
        break;
    case ACCESS_COUNTS:
        each = take_list(scan, take_count_of, NULL, sizeof(uint64_t), &count);
        *(struct counts *)at = (struct counts){each, count};
        break;
    case ACCESS_RANGES:
        each = take_list(scan, take_range, NULL, sizeof(struct range), &count);
        *(struct ranges *)at = (struct ranges){each, count};
        break;
    case ACCESS_ONE:
        take_object(scan, field->form, *(char **)at = zone_take(scan->zone, field->form->bytes));
        break;
    case ACCESS_MANY:
        each =
            take_list(scan, take_object_of, field->form->items, field->form->items->bytes, &count);
        *(struct many *)at = (struct many){each, count};
        break;
    case ACCESS_JSON:
        scan->is_usual = false;
    }
}

/* A member that the line lacks is that of a missing value. */
static void miss_member(struct scan *scan, const struct form_field *field, char *object)
{
    void *at = object + field->offset;
    if (field->access == ACCESS_TEXT)
        *(const char **)at = "";
    else if (field->access == ACCESS_VERDICT)
        *(enum verdict *)at = VERDICT_COUNT;
    else if (field->access == ACCESS_MAYBE_VERDICT)
        *(struct maybe_verdict *)at = (struct maybe_verdict){.verdict = VERDICT_COUNT};
    else if (field->access == ACCESS_ONE && field->need != FORM_OPTIONAL)
        scan->is_usual = false; /* an empty object would be there */
}

static void take_members(struct scan *scan, const struct form *form, char *object)
{
    for (const struct form_field *it = form->fields; scan->is_usual && (it->name || it->part);
         it++) {
        const char *before = scan->at;
        if (it->part)
            take_members(scan, it->part, object + it->offset);
        else if ((scan->is_first || take(scan, ',')) && take_name(scan, it->name)) {
            scan->is_first = false;
            take_member(scan, it, object);
        } else {
            scan->at = before;
            miss_member(scan, it, object);
        }
    }
}

static void take_object(struct scan *scan, const struct form *form, char *object)
{
    need(scan, '{');
    scan->is_first = true;
    take_members(scan, form, object);
    scan->is_first = false;
    need(scan, '}');
}

const struct line *line_scan(struct zone *zone, const char *text, size_t bytes)
{
    enum { BYTES_MOST = 1 << 14 }; /* beyond, form_parse weighs a text */
    struct scan scan = {.zone = zone, .at = text, .end = text + bytes, .is_usual = true};
    if (bytes > BYTES_MOST || !take(&scan, '{'))
        return NULL;
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        const struct form_field *own = record_line_form.kinds[kind]->fields;
        if (own->form->fields == NULL || !take_name(&scan, own->name))
            continue; /* one that is not WRAPPED is parsed: a few lines of a record */
        struct line *line = zone_take(zone, own->form->bytes);
        line->kind = (enum record_kind)kind;
        take_object(&scan, own->form, (char *)line);
        need(&scan, '}');
        return scan.is_usual && scan.at == scan.end ? line : NULL;
    }
    return NULL;
}
