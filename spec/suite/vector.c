/* Runs one vector of a page on the golden (checks.h, clauses.vector.holds). */
#include "spec/suite/checks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/case.h"

/* A vector is read by people; what spans more is a mistake in its case line. */
enum { VECTOR_BYTES_MAX = 1 << 20, TOKEN_BYTES = 64, POISON = 0xa5, INPUT_POISON = 0x5a };

struct vector_run {
    const struct page_item *vector;
    struct fuzz_case test_case;
    struct view views[ALGORITHM_OPERANDS_MAX];
    unsigned char *memory[ALGORITHM_OPERANDS_MAX]; /* from the aligned address */
    void *addresses[ALGORITHM_OPERANDS_MAX];       /* of element `origin` */
    struct vector_mistake *mistake;
    const char *replaced; /* the algorithm whose golden is `golden` here, or NULL */
    golden_function *golden;
};

static bool refuse(struct vector_run *run, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct vector_run *run, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->mistake->line = line;
    vsnprintf(run->mistake->message, sizeof run->mistake->message, format, arguments);
    va_end(arguments);
    return false;
}

static int hex_digit(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = letter ? strchr(digits, letter) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* 2 * count hex digits, in memory order. */
static bool bytes_read(const char *token, unsigned char *ret, size_t count)
{
    if (strlen(token) != 2 * count)
        return false;
    for (size_t index = 0; index < count; index++) {
        int high = hex_digit(token[2 * index]), low = hex_digit(token[2 * index + 1]);
        if (high < 0 || low < 0)
            return false;
        ret[index] = (unsigned char)(high * 16 + low);
    }
    return true;
}

/* A decimal or hex float, nan, inf, or the bits as 0x and eight digits. */
static bool float_read(const char *token, unsigned char *ret)
{
    unsigned char big_endian[4];
    float value;
    if (strncmp(token, "0x", 2) == 0 && bytes_read(token + 2, big_endian, sizeof big_endian)) {
        uint32_t bits = (uint32_t)big_endian[0] << 24 | (uint32_t)big_endian[1] << 16 |
                        (uint32_t)big_endian[2] << 8 | (uint32_t)big_endian[3];
        memcpy(ret, &bits, sizeof bits);
        return true;
    }
    bool infinite = strcmp(token, "inf") == 0 || strcmp(token, "-inf") == 0;
    bool special = infinite || strcmp(token, "nan") == 0;
    const char *digits = token[0] == '-' ? token + 1 : token;
    bool hex = strncmp(digits, "0x", 2) == 0;
    if (!special && (digits[0] < '0' || digits[0] > '9' || (hex && !strchr(digits, 'p'))))
        return false;
    char *end;
    value = strtof(token, &end);
    if (*end != 0 || (isinf(value) && !infinite))
        return false;
    memcpy(ret, &value, sizeof value);
    return true;
}

static unsigned char *element_at(const struct vector_run *run, int operand, int64_t number)
{
    const struct view *view = &run->views[operand];
    int64_t row = number / view->columns, column = number % view->columns;
    int64_t element =
        view->origin + view->first + row * view->row_stride + column * view->column_stride;
    return run->memory[operand] + element * view->element_bytes;
}

/* Reads the operand's values into `ret`, element behind element. */
static bool values_read(struct vector_run *run, int operand, unsigned char *ret)
{
    const struct page_operand *entry = &run->vector->operands[operand];
    const struct operand *row = &run->test_case.algorithm->operands[operand];
    const struct view *view = &run->views[operand];
    int64_t count = view->rows * view->columns, number = 0;
    struct page_text rest = entry->values, token;
    while (entry->values.bytes && page_token_next(&rest, &token)) {
        char text[TOKEN_BYTES];
        unsigned char *element = ret + number * view->element_bytes;
        if (number == count)
            return refuse(run, entry->line, "%s has %" PRId64 " elements, here are more", row->name,
                          count);
        snprintf(text, sizeof text, "%.*s", (int)token.bytes, token.start);
        bool valid = row->type == OPERAND_F32
                         ? float_read(text, element)
                         : bytes_read(text, element, (size_t)view->element_bytes);
        if (!valid || token.bytes >= sizeof text)
            return refuse(run, entry->line, "%s: `%s` is no element of it", row->name, text);
        number++;
    }
    return number == count ||
           refuse(run, entry->line, "%s has %" PRId64 " elements, here are %" PRId64, row->name,
                  count, number);
}

static bool case_read(struct vector_run *run)
{
    const struct page_item *vector = run->vector;
    char text[CASE_TEXT_BYTES];
    struct case_error error;
    if (vector->case_line.bytes >= sizeof text)
        return refuse(run, vector->case_line_number, "the case line is too long");
    memcpy(text, vector->case_line.start, vector->case_line.bytes);
    text[vector->case_line.bytes] = 0;
    if (!case_parse(text, &run->test_case, &error))
        return refuse(run, vector->case_line_number, "case line, column %d: %s", error.column,
                      error.message);
    const struct algorithm *algorithm = run->test_case.algorithm;
    for (int index = 0; index < algorithm->operand_count; index++) {
        const char *name = algorithm->operands[index].name;
        if (index >= vector->operand_count ||
            !page_text_equal(vector->operands[index].name, page_text_of(name)))
            return refuse(run, vector->line, "operand %d of %s is `%s`", index + 1, algorithm->name,
                          name);
        if (case_operand_bytes(&run->test_case, index) > VECTOR_BYTES_MAX)
            return refuse(run, vector->case_line_number, "a vector's operands stay below 1 MiB");
        run->views[index] = case_view(&run->test_case, index);
    }
    return vector->operand_count == algorithm->operand_count ||
           refuse(run, vector->line, "%s has %d operands, inputs first", algorithm->name,
                  algorithm->operand_count);
}

/* Allocates an operand, poisons it, and puts an input's values in their places. */
static bool operand_make(struct vector_run *run, int operand)
{
    const struct view *view = &run->views[operand];
    size_t bytes = case_operand_bytes(&run->test_case, operand);
    int64_t count = view->rows * view->columns;
    unsigned char *values = malloc((size_t)(count * view->element_bytes) + 1);
    run->memory[operand] = malloc(bytes + 16);
    if (!values || !run->memory[operand]) {
        free(values);
        return refuse(run, run->vector->line, "memory is out");
    }
    bool output = run->test_case.algorithm->operands[operand].role == OPERAND_OUTPUT;
    /* Not the same, or a byte copied from where no element is would not be seen. */
    memset(run->memory[operand], output ? POISON : INPUT_POISON, bytes + 16);
    run->addresses[operand] = run->memory[operand] + view->origin * view->element_bytes;
    bool done = output || values_read(run, operand, values);
    if (done && !output)
        for (int64_t number = 0; number < count; number++)
            memcpy(element_at(run, operand, number), values + number * view->element_bytes,
                   (size_t)view->element_bytes);
    free(values);
    return done;
}

static bool element_equal(const struct operand *operand, const unsigned char *got,
                          const unsigned char *expected, size_t bytes)
{
    float left, right;
    if (memcmp(got, expected, bytes) == 0)
        return true;
    if (operand->type != OPERAND_F32)
        return false;
    memcpy(&left, got, sizeof left);
    memcpy(&right, expected, sizeof right);
    return isnan(left) && isnan(right);
}

static void element_format(const struct operand *operand, const unsigned char *element,
                           size_t bytes, char *ret)
{
    uint32_t bits;
    float value;
    if (operand->type == OPERAND_F32) {
        memcpy(&bits, element, sizeof bits);
        memcpy(&value, element, sizeof value);
        sprintf(ret, "0x%08" PRIx32 " (%.9g)", bits, (double)value);
        return;
    }
    for (size_t index = 0; index < bytes; index++)
        sprintf(ret + 2 * index, "%02x", element[index]);
}

/* Compares the output's elements, and takes them out: what is left must be poison. */
static bool output_holds(struct vector_run *run, int operand, const unsigned char *expected)
{
    const struct view *view = &run->views[operand];
    const struct operand *row = &run->test_case.algorithm->operands[operand];
    size_t element_bytes = (size_t)view->element_bytes;
    size_t line = run->vector->operands[operand].line;
    for (int64_t number = 0; number < view->rows * view->columns; number++) {
        unsigned char *got = element_at(run, operand, number);
        const unsigned char *right = expected + number * view->element_bytes;
        char got_text[TOKEN_BYTES], expected_text[TOKEN_BYTES];
        element_format(row, got, element_bytes, got_text);
        element_format(row, right, element_bytes, expected_text);
        if (!element_equal(row, got, right, element_bytes))
            return refuse(run, line,
                          "%s row %" PRId64 " column %" PRId64
                          ": the golden has %s, the vector has %s; one of them is wrong",
                          row->name, number / view->columns, number % view->columns, got_text,
                          expected_text);
        memset(got, POISON, element_bytes);
    }
    for (size_t index = 0; index < case_operand_bytes(&run->test_case, operand) + 16; index++)
        if (run->memory[operand][index] != POISON)
            return refuse(run, line, "%s: the golden wrote byte %zu, which is no element",
                          row->name, index);
    return true;
}

static bool run_vector(struct vector_run *run)
{
    if (!case_read(run))
        return false;
    const struct algorithm *algorithm = run->test_case.algorithm;
    int output = algorithm->operand_count - 1;
    for (int index = 0; index <= output; index++)
        if (!operand_make(run, index))
            return false;
    const struct view *view = &run->views[output];
    unsigned char *expected =
        malloc((size_t)(view->rows * view->columns * view->element_bytes) + 1);
    if (!expected)
        return refuse(run, run->vector->line, "memory is out");
    bool holds = values_read(run, output, expected);
    if (holds) {
        bool replaced = run->replaced && strcmp(run->replaced, algorithm->name) == 0;
        (replaced ? run->golden : algorithm->golden)(run->test_case.axis, run->addresses);
        holds = output_holds(run, output, expected);
    }
    free(expected);
    return holds;
}

bool vector_holds_with(const struct page_item *vector, const char *algorithm,
                       golden_function *golden, struct vector_mistake *ret)
{
    struct vector_run run = {
        .vector = vector, .mistake = ret, .replaced = algorithm, .golden = golden};
    bool holds = run_vector(&run);
    for (int index = 0; index < ALGORITHM_OPERANDS_MAX; index++)
        free(run.memory[index]);
    return holds;
}

bool vector_holds(const struct page_item *vector, struct vector_mistake *ret)
{
    return vector_holds_with(vector, NULL, NULL, ret);
}
