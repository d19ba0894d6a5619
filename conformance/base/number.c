/* Numbers that people read (number.h). */
#include "conformance/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *number_whole(uint64_t number, char ret_text[NUMBER_TEXT_BYTES])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number), to = 0;
    for (int from = 0; from < count; from++) {
        if (from > 0 && (count - from) % 3 == 0)
            ret_text[to++] = ',';
        ret_text[to++] = digits[from];
    }
    ret_text[to] = 0;
    return ret_text;
}

const char *number_count(uint64_t count, const char *one, char ret_text[NUMBER_COUNT_BYTES])
{
    static const struct {
        const char *one, *many;
    } endings[] = {{"y", "ies"}, {"ch", "ches"}, {"s", "ses"}, {"", "s"}};
    char number[NUMBER_TEXT_BYTES];
    size_t stem = 0;
    int ending = 0;
    for (;; ending++) {
        stem = strlen(one) - strlen(endings[ending].one);
        if (strcmp(one + stem, endings[ending].one) == 0)
            break;
    }
    number_whole(count, number);
    if (count == 1)
        snprintf(ret_text, NUMBER_COUNT_BYTES, "%s %s", number, one);
    else
        snprintf(ret_text, NUMBER_COUNT_BYTES, "%s %.*s%s", number, (int)stem, one,
                 endings[ending].many);
    return ret_text;
}

void number_shares(const double *parts, int count, int *ret_percent)
{
    double whole = 0;
    int left = 100;
    for (int index = 0; index < count; index++)
        whole += parts[index];
    for (int index = 0; index < count; index++) {
        ret_percent[index] = whole > 0 ? (int)(100 * parts[index] / whole) : 0;
        left -= ret_percent[index];
    }
    /* What is left goes to those that were cut by most: one that has got it has less than 0 left.
     */
    for (; whole > 0 && left > 0; left--) {
        int most = 0;
        for (int index = 1; index < count; index++)
            if (100 * parts[index] / whole - ret_percent[index] >
                100 * parts[most] / whole - ret_percent[most])
                most = index;
        ret_percent[most]++;
    }
}

const char *number_short(double value, char ret_text[NUMBER_TEXT_BYTES])
{
    double size = fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-3))
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.2e", value);
    else if (size >= 999.95)
        number_whole((uint64_t)llround(size), ret_text);
    else
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f",
                 size >= 99.995   ? 1
                 : size >= 9.9995 ? 2
                 : size > 0       ? 3 + (size < 0.1)
                                  : 0,
                 value);
    return ret_text;
}

/* The value in the largest binary unit that leaves 1 or more, with `suffix` after the unit. */
static const char *binary_text(double value, const char *suffix, char *ret_text)
{
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    bool spaced = units[unit][0] || suffix[0];
    snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f%s%s%s", value < 99.95 && value != floor(value),
             value, spaced ? " " : "", units[unit], suffix);
    return ret_text;
}

const char *number_bytes(double bytes, char ret_text[NUMBER_TEXT_BYTES])
{
    return binary_text(bytes, "B", ret_text);
}

const char *number_binary(double count, char ret_text[NUMBER_TEXT_BYTES])
{
    return binary_text(count, "", ret_text);
}

const char *number_loss(double loss, char ret_text[NUMBER_TEXT_BYTES])
{
    static const double rounding = 1e-9; /* 0.186 is 186 thousandths */
    ret_text[0] = 0;
    if (loss > 0)
        snprintf(ret_text, NUMBER_TEXT_BYTES, "-%.1f %%", ceil(1000 * loss - rounding) / 10);
    return ret_text;
}
