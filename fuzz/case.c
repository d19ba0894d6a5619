/* A case as one line of text, read strictly and written in one way only (cases.text.strict,
 * cases.text.canonical); its sizes and its cost (case.h); and the table of algorithms, which a case
 * names (algorithm.h). */
#include "fuzz/case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* A piece of the line that is being read. */
struct token {
    const char *text;
    int bytes;
    int column;
};

struct reader {
    const char *next;
    const char *start;
    struct fuzz_case result;
    int column[KEYS_MAX]; /* of each key's value, 0 while unseen: the axes, then fill, then seed */
    struct case_error *error;
};

__attribute__((format(printf, 3, 4))) static bool refuse(struct case_error *error, int column,
                                                         const char *format, ...)
{
    struct case_error message = {.column = column};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.message, sizeof message.message, format, arguments);
    va_end(arguments);
    for (char *letter = message.message; *letter; letter++)
        if (*letter < ' ' || *letter > '~')
            *letter = '?'; /* hostile bytes of the line must not reach a terminal */
    *error = message;
    return false;
}

/* Long junk is quoted by its beginning. */
static int quoted_bytes(struct token token)
{
    return token.bytes < 40 ? token.bytes : 40;
}

static bool token_is(struct token token, const char *word)
{
    return strlen(word) == (size_t)token.bytes &&
           memcmp(word, token.text, (size_t)token.bytes) == 0;
}

static struct token read_until(struct reader *reader, const char *stops)
{
    struct token token = {reader->next, (int)strcspn(reader->next, stops),
                          (int)(reader->next - reader->start) + 1};
    reader->next += token.bytes;
    return token;
}

/* Only digits, without leading zeros, so that a number has one spelling. */
static bool read_number(struct reader *reader, struct token token, uint64_t maximum, uint64_t *ret)
{
    uint64_t number = 0;
    if (token.bytes > 1 && token.text[0] == '0')
        return refuse(reader->error, token.column, "a number has no leading 0");
    for (int index = 0; index < token.bytes; index++) {
        if (token.text[index] < '0' || token.text[index] > '9')
            return refuse(reader->error, token.column + index, "'%.*s' is not a number",
                          quoted_bytes(token), token.text);
        uint64_t digit = (uint64_t)(token.text[index] - '0');
        if (number > (maximum - digit) / 10)
            return refuse(reader->error, token.column, "%.*s is too large: at most %" PRIu64,
                          quoted_bytes(token), token.text, maximum);
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
    struct token key = read_until(reader, " =");
    if (key.bytes == 0)
        return refuse(reader->error, key.column, "a key is expected after one space");
    int index = 0;
    while (index < algorithm->axis_count + 2 && !token_is(key, key_name(algorithm, index)))
        index++;
    if (index == algorithm->axis_count + 2)
        return refuse(reader->error, key.column, "%s has no '%.*s'", algorithm->name,
                      quoted_bytes(key), key.text);
    if (reader->column[index])
        return refuse(reader->error, key.column, "%s is given twice", key_name(algorithm, index));
    if (*reader->next != '=')
        return refuse(reader->error, key.column + key.bytes, "%s wants = and a value",
                      key_name(algorithm, index));
    reader->next++;
    struct token value = read_until(reader, " ");
    if (value.bytes == 0)
        return refuse(reader->error, value.column, "%s has no value", key_name(algorithm, index));
    struct fuzz_case *result = &reader->result;
    reader->column[index] = value.column;
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
        if (token_is(value, fill_names[fill])) {
            result->fill = fill;
            return true;
        }
    }
    return refuse(reader->error, value.column, "no fill is named '%.*s'", quoted_bytes(value),
                  value.text);
}

bool case_parse(const char *text, struct fuzz_case *ret, struct case_error *ret_error)
{
    struct reader reader = {.next = text, .start = text, .error = ret_error};
    if (strnlen(text, CASE_TEXT_BYTES) == CASE_TEXT_BYTES)
        return refuse(ret_error, CASE_TEXT_BYTES, "the line is longer than %d bytes",
                      CASE_TEXT_BYTES - 1);
    struct token name = read_until(&reader, " ");
    for (int index = 0; index < algorithm_count; index++)
        if (token_is(name, algorithms[index]->name))
            reader.result.algorithm = algorithms[index];
    if (name.bytes == 0)
        return refuse(ret_error, 1, "an algorithm's name is expected");
    if (reader.result.algorithm == NULL)
        return refuse(ret_error, 1, "no algorithm is named '%.*s'", quoted_bytes(name), name.text);
    while (*reader.next)
        if (!read_pair(&reader))
            return false;
    /* Defaults and ranges, now that every width is known. */
    const struct algorithm *algorithm = reader.result.algorithm;
    int64_t *axis = reader.result.axis;
    int end_column = (int)(reader.next - reader.start) + 1;
    for (int key = 0; key < algorithm->axis_count + 2; key++) {
        bool required = key >= algorithm->axis_count || algorithm->axes[key].kind == AXIS_SIZE;
        if (required && !reader.column[key])
            return refuse(reader.error, end_column, "%s is missing", key_name(algorithm, key));
    }
    for (int index = 0; index < algorithm->axis_count; index++)
        if (!reader.column[index])
            axis[index] = algorithm_axis_default(algorithm, axis, index);
    struct axes_error wrong;
    for (int index = 0; index < algorithm->axis_count; index++)
        if (!algorithm_axis_valid(algorithm, axis, index, &wrong))
            return refuse(reader.error, reader.column[index], "%s", wrong.message);
    if (!algorithm_axes_valid(algorithm, axis, &wrong))
        return refuse(reader.error, reader.column[0], "%s", wrong.message);
    *ret = reader.result;
    return true;
}

__attribute__((format(printf, 4, 5))) static void append(char *text, size_t text_bytes,
                                                         size_t *length, const char *format, ...)
{
    size_t used = *length < text_bytes ? *length : text_bytes;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(text + used, text_bytes - used, format, arguments);
    va_end(arguments);
    *length += added < 0 ? 0 : (size_t)added;
}

size_t case_format(const struct fuzz_case *test_case, char *ret_text, size_t text_bytes)
{
    const struct algorithm *algorithm = test_case->algorithm;
    size_t length = 0;
    append(ret_text, text_bytes, &length, "%s", algorithm->name);
    for (int index = 0; index < algorithm->axis_count; index++) {
        int64_t value = test_case->axis[index];
        if (algorithm->axes[index].kind == AXIS_SIZE ||
            value != algorithm_axis_default(algorithm, test_case->axis, index))
            append(ret_text, text_bytes, &length, " %s=%" PRId64, algorithm->axes[index].name,
                   value);
    }
    append(ret_text, text_bytes, &length, " fill=%s seed=%" PRIu64, fill_names[test_case->fill],
           test_case->seed);
    return length;
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
