/* Values out of a record's lines (field.h). Clause: report.text.hostile. */
#include "conformance/record/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS_MAX = 32 };

const char *field_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double field_number(const json_t *object, const char *key)
{
    double value = json_number_value(json_object_get(object, key));
    return isfinite(value) && value > 0 && value <= 1e18 ? value : 0;
}

uint64_t field_count(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

int64_t field_integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct spread field_spread(const json_t *object, const char *key)
{
    double medians[REPEATS_MAX];
    struct spread spread = {0};
    const json_t *array = json_object_get(object, key), *interval;
    size_t index;
    json_array_foreach(array, index, interval)
    {
        double lower = field_number(interval, "lower"), upper = field_number(interval, "upper");
        double median = field_number(interval, "median");
        if (median <= 0 || lower > median || upper < median || spread.repeats == REPEATS_MAX)
            continue;
        medians[spread.repeats++] = median;
        if (spread.repeats == 1 || lower < spread.lower)
            spread.lower = lower;
        if (upper > spread.upper)
            spread.upper = upper;
    }
    if (spread.repeats == 0)
        return (struct spread){0};
    qsort(medians, (size_t)spread.repeats, sizeof medians[0], compare_doubles);
    spread.median = (medians[(spread.repeats - 1) / 2] + medians[spread.repeats / 2]) / 2;
    return spread;
}

enum verdict field_verdict(const json_t *object, const char *key)
{
    const char *word = field_text(object, key);
    int verdict = 0;
    while (verdict < VERDICT_COUNT && strcmp(word, verdict_name((enum verdict)verdict)) != 0)
        verdict++;
    return (enum verdict)verdict;
}

bool field_array_has(const json_t *array, const char *text)
{
    const json_t *value;
    size_t index;
    json_array_foreach(array, index, value)
    {
        if (text[0] && json_is_string(value) && strcmp(json_string_value(value), text) == 0)
            return true;
    }
    return false;
}

void field_list_add(char *list, size_t bytes, const char *word)
{
    size_t used = strlen(list), letters = strlen(word);
    for (const char *at = list; letters > 0 && (at = strstr(at, word)) != NULL; at += letters)
        if ((at == list || at[-1] == ' ') && (at[letters] == 0 || at[letters] == ','))
            return;
    if (letters > 0 && used + letters + 3 <= bytes)
        snprintf(list + used, bytes - used, "%s%s", used ? ", " : "", word);
}
