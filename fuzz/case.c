/* A case as one line of text, read strictly and written in one way only (cases.text.strict,
 * cases.text.canonical); its sizes and its cost (case.h); and the table of algorithms, which a case
 * names (algorithm.h). */
#include "fuzz/case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/text_line.h"

#define ALGORITHM(name) &algorithm_##name,
const struct algorithm *const algorithms[] = {
#include "fuzz/algorithms.def"
};

const int algorithm_count = (int)(sizeof algorithms / sizeof algorithms[0]);

const struct algorithm *algorithm_find(const char *name)
{
    for (int index = 0; index < algorithm_count; index++)
        if (strcmp(algorithms[index]->name, name) == 0)
            return algorithms[index];
    return NULL;
}

static const char *const fill_names[FILL_COUNT] = {
#define FILL(id, name, ...) name,
#include "fuzz/fills.def"
#undef FILL
};

enum { KEYS_MAX = ALGORITHM_AXES_MAX + 2 };

struct reader {
    const char *next;
    const char *start;
    struct fuzz_case result;
    const char
        *value[KEYS_MAX]; /* of each key, NULL while unseen: the axes, then fill, then seed */
    struct case_error *error;
};

/* The mistake is at that letter of the line. */
__attribute__((format(printf, 3, 4))) static bool refuse(struct reader *reader, const char *at,
                                                         const char *format, ...)
{
    struct case_error error = {.column = at ? (int)(at - reader->start) + 1 : 0};
    va_list arguments;
    va_start(arguments, format);
    line_error(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    *reader->error = error;
    return false;
}

/* Only digits, without leading zeros, so that a number has one spelling. */
static bool read_number(struct reader *reader, struct word word, uint64_t maximum, uint64_t *ret)
{
    uint64_t number = 0;
    if (word.bytes > 1 && word.text[0] == '0')
        return refuse(reader, word.text, "a number has no leading 0");
    for (int index = 0; index < word.bytes; index++) {
        if (word.text[index] < '0' || word.text[index] > '9')
            return refuse(reader, word.text + index, "'%.*s' is not a number", word_quoted(word),
                          word.text);
        uint64_t digit = (uint64_t)(word.text[index] - '0');
        if (number > (maximum - digit) / 10)
            return refuse(reader, word.text, "%.*s is too large: at most %" PRIu64,
                          word_quoted(word), word.text, maximum);
        number = number * 10 + digit;
    }
    *ret = number;
    return true;
}

static const char *key_name(const struct algorithm *algorithm, int key)
{
    if (key < algorithm->axis_count)
        return algorithm->axes[key].name;
    return key == algorithm->axis_count ? "fill" : "seed";
}

/* One space, a key, an equals sign, a value. */
static bool read_pair(struct reader *reader)
{
    const struct algorithm *algorithm = reader->result.algorithm;
    reader->next++;
    struct word key = word_read(&reader->next, " =");
    if (key.bytes == 0)
        return refuse(reader, key.text, "a key is expected after one space");
    int index = 0;
    while (index < algorithm->axis_count + 2 && !word_is(key, key_name(algorithm, index)))
        index++;
    if (index == algorithm->axis_count + 2)
        return refuse(reader, key.text, "%s has no '%.*s'", algorithm->name, word_quoted(key),
                      key.text);
    if (reader->value[index])
        return refuse(reader, key.text, "%s is given twice", key_name(algorithm, index));
    if (*reader->next != '=')
        return refuse(reader, key.text + key.bytes, "%s wants = and a value",
                      key_name(algorithm, index));
    reader->next++;
    struct word value = word_read(&reader->next, " ");
    if (value.bytes == 0)
        return refuse(reader, value.text, "%s has no value", key_name(algorithm, index));
    struct fuzz_case *result = &reader->result;
    reader->value[index] = value.text;
    if (index == result->algorithm->axis_count + 1)
        return read_number(reader, value, UINT64_MAX, &result->seed);
    if (index < result->algorithm->axis_count) {
        uint64_t number;
        if (!read_number(reader, value, ALGORITHM_SPAN_BYTES_MAX, &number))
            return false;
        result->axis[index] = (int64_t)number;
        return true;
    }
    for (int fill = 0; fill < FILL_COUNT; fill++) {
        if (word_is(value, fill_names[fill])) {
            result->fill = fill;
            return true;
        }
    }
    return refuse(reader, value.text, "no fill is named '%.*s'", word_quoted(value), value.text);
}

bool case_parse(const char *text, struct fuzz_case *ret, struct case_error *ret_error)
{
    struct reader reader = {.next = text, .start = text, .error = ret_error};
    if (strnlen(text, CASE_TEXT_BYTES) == CASE_TEXT_BYTES)
        return refuse(&reader, text + CASE_TEXT_BYTES - 1, "the line is longer than %d bytes",
                      CASE_TEXT_BYTES - 1);
    struct word name = word_read(&reader.next, " ");
    for (int index = 0; index < algorithm_count; index++)
        if (word_is(name, algorithms[index]->name))
            reader.result.algorithm = algorithms[index];
    if (name.bytes == 0)
        return refuse(&reader, text, "an algorithm's name is expected");
    if (reader.result.algorithm == NULL)
        return refuse(&reader, text, "no algorithm is named '%.*s'", word_quoted(name), name.text);
    while (*reader.next)
        if (!read_pair(&reader))
            return false;
    /* Defaults and ranges, now that every width is known. */
    const struct algorithm *algorithm = reader.result.algorithm;
    int64_t *axis = reader.result.axis;
    for (int key = 0; key < algorithm->axis_count + 2; key++) {
        bool required = key >= algorithm->axis_count || algorithm->axes[key].kind == AXIS_SIZE;
        if (required && !reader.value[key])
            return refuse(&reader, reader.next, "%s is missing", key_name(algorithm, key));
    }
    for (int index = 0; index < algorithm->axis_count; index++)
        if (!reader.value[index])
            axis[index] = algorithm_axis_default(algorithm, axis, index);
    struct axes_error wrong;
    for (int index = 0; index < algorithm->axis_count; index++)
        if (!algorithm_axis_valid(algorithm, axis, index, &wrong))
            return refuse(&reader, reader.value[index], "%s", wrong.message);
    if (!algorithm_axes_valid(algorithm, axis, &wrong))
        return refuse(&reader, reader.value[0], "%s", wrong.message);
    *ret = reader.result;
    return true;
}

size_t case_format(const struct fuzz_case *test_case, char *ret_text, size_t text_bytes)
{
    const struct algorithm *algorithm = test_case->algorithm;
    snprintf(ret_text, text_bytes, "%s", algorithm->name);
    for (int index = 0; index < algorithm->axis_count; index++) {
        int64_t value = test_case->axis[index];
        if (algorithm->axes[index].kind == AXIS_SIZE ||
            value != algorithm_axis_default(algorithm, test_case->axis, index))
            text_add(ret_text, text_bytes, " %s=%" PRId64, algorithm->axes[index].name, value);
    }
    text_add(ret_text, text_bytes, " fill=%s seed=%" PRIu64, fill_names[test_case->fill],
             test_case->seed);
    return strlen(ret_text);
}

/* Rough rates of one core: the golden's fast form, and bytes through all of a case's passes
 * (fill, poison, golden, upload, download, compare). */
#define FLOPS_PER_S  10e9
#define BYTES_PER_S  2e9
#define CASE_START_S 2e-6

struct view case_view(const struct fuzz_case *test_case, int operand)
{
    return algorithm_view(test_case->algorithm, test_case->axis, operand);
}

size_t case_operand_bytes(const struct fuzz_case *test_case, int operand)
{
    struct view view = case_view(test_case, operand);
    return (size_t)((view.origin + view.span) * view.element_bytes);
}

int64_t case_elements(const struct fuzz_case *test_case)
{
    struct view view = case_view(test_case, test_case->algorithm->operand_count - 1);
    return view.rows * view.columns;
}

double case_cost_s(const struct fuzz_case *test_case)
{
    double bytes = 0;
    for (int index = 0; index < test_case->algorithm->operand_count; index++)
        bytes += (double)case_operand_bytes(test_case, index);
    struct traffic traffic = algorithm_traffic(test_case->algorithm, test_case->axis);
    return CASE_START_S + (double)traffic.flops / FLOPS_PER_S + bytes / BYTES_PER_S;
}
