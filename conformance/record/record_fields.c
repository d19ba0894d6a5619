/* The table of a record's fields, and values out of lines (record_fields.h). */
#include "conformance/record/record_fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/finding.h"

#define FORM_TABLE "conformance/record/record_fields.def"
#include "conformance/record/form_table.inc"

#define BARE(id, ...)    &form_##id,
#define WRAPPED(id, ...) &form_of_##id##_line,
static const struct form *const kinds[] = {
#include "conformance/record/form_pass.inc"
    NULL,
};

const struct form record_line_form = {
    .meaning =
        "A record is JSON Lines: a header, the devices, then cases and findings as they come, "
        "then a summary and the end. Each line is one of these. A record without its end is of "
        "a run that was killed.",
    .kinds = kinds,
};

/* Values. */

const char *value_text(const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? text : "";
}

double value_number(const json_t *value)
{
    double number = json_number_value(value);
    return isfinite(number) && number > 0 && number <= 1e18 ? number : 0;
}

uint64_t value_count(const json_t *value)
{
    json_int_t count = json_integer_value(value);
    return count > 0 ? (uint64_t)count : 0;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct spread spread_of(struct intervals intervals)
{
    double *medians = heap_take(intervals.count, sizeof *medians);
    struct spread spread = {0};
    for (size_t index = 0; index < intervals.count; index++) {
        const struct interval *it = &intervals.each[index];
        if (it->median <= 0 || it->lower > it->median || it->upper < it->median)
            continue;
        medians[spread.repeats++] = it->median;
        if (spread.repeats == 1 || it->lower < spread.lower)
            spread.lower = it->lower;
        if (it->upper > spread.upper)
            spread.upper = it->upper;
    }
    if (spread.repeats > 0) {
        qsort(medians, (size_t)spread.repeats, sizeof medians[0], compare_doubles);
        spread.median = (medians[(spread.repeats - 1) / 2] + medians[spread.repeats / 2]) / 2;
    }
    free(medians);
    return spread;
}

struct intervals value_intervals(const json_t *values, struct interval *ret_each)
{
    struct intervals ret = {.each = ret_each};
    const json_t *value;
    for (size_t index = 0; (value = value_next(values, &index)) != NULL;) {
        const bool is_alone = json_array_size(value) == 1; /* the median */
        ret_each[ret.count++] =
            (struct interval){.lower = is_alone ? 0 : value_number(json_array_get(value, 0)),
                              .median = value_number(json_array_get(value, is_alone ? 0 : 1)),
                              .upper = is_alone ? 0 : value_number(json_array_get(value, 2))};
    }
    return ret;
}

json_t *value_of_text(const char *text)
{
    json_t *value = json_string(text);
    if (value || text == NULL)
        return value;
    char *tame = heap_text(text);
    utf8_tame(tame);
    value = json_string(tame);
    free(tame);
    return value;
}

json_t *value_of_number(double number)
{
    return json_real(isnan(number) ? 0 : fmax(-DBL_MAX, fmin(DBL_MAX, number)));
}

void written_open(struct written *ret)
{
    *ret = (struct written){.text = NULL};
    ret->file = open_memstream(&ret->text, &ret->bytes);
    heap_need(ret->file);
}

char *written_close(struct written *written)
{
    heap_need(fclose(written->file) == 0 && written->text);
    return written->text;
}

enum verdict value_verdict(const json_t *value)
{
    return verdict_find(value_text(value));
}

const json_t *value_next(const json_t *array, size_t *at)
{
    return json_array_get(array, (*at)++);
}

bool value_array_has(const json_t *array, const char *text)
{
    const json_t *value;
    for (size_t index = 0; (value = value_next(array, &index)) != NULL;)
        if (text[0] && json_is_string(value) && strcmp(json_string_value(value), text) == 0)
            return true;
    return false;
}

bool texts_have(struct texts texts, const char *text)
{
    for (size_t index = 0; index < texts.count; index++)
        if (text[0] && strcmp(texts.each[index], text) == 0)
            return true;
    return false;
}

void value_list_add(char *list, size_t bytes, const char *word)
{
    size_t used = strlen(list), letters = strlen(word);
    for (const char *at = list; letters > 0 && (at = strstr(at, word)) != NULL; at += letters)
        if ((at == list || at[-1] == ' ') && (at[letters] == 0 || at[letters] == ','))
            return;
    if (letters > 0 && used + letters + 3 <= bytes)
        snprintf(list + used, bytes - used, "%s%s", used ? ", " : "", word);
}
