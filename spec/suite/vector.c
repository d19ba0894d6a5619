/* Runs one vector of a page on the golden (vector.h). */
#include "spec/suite/vector.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/case.h"

/* A vector is read by people; what spans more is a mistake in its case line. */
enum { VECTOR_BYTES_MAX = 1 << 20, TOKEN_BYTES = 64, POISON = 0xa5, INPUT_POISON = 0x5a };

struct vector_run {
    const struct vector *vector;
    struct fuzz_case test_case;
    struct view views[ALGORITHM_OPERANDS_MAX];
    unsigned char *memory[ALGORITHM_OPERANDS_MAX]; /* from the aligned address */
    void *addresses[ALGORITHM_OPERANDS_MAX];       /* of element `origin` */
    struct vector_mistake *mistake;
    const char *replaced; /* the algorithm whose golden is `golden` here, or NULL */
    golden_function *golden;
};

static bool refuse(struct vector_run *run, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct vector_run *run, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->mistake->line = line;
    vsnprintf(run->mistake->message, sizeof run->mistake->message, format, arguments);
    va_end(arguments);
    return false;
}

static unsigned char *element_at(const struct vector_run *run, int operand, int64_t number)
{
    const struct view *view = &run->views[operand];
    int64_t row = number / view->columns, column = number % view->columns;
    int64_t element =
        view->origin + view->first + row * view->row_stride + column * view->column_stride;
    return run->memory[operand] + element * view->element_bytes;
}

/* Reads the operand's values into `ret`, element after element. */
static bool values_read(struct vector_run *run, int operand, unsigned char *ret)
{
    const struct operand *row = &run->test_case.algorithm->operands[operand];
    const struct view *view = &run->views[operand];
    const int line = run->vector->operands[operand].line;
    const int64_t count = view->rows * view->columns;
    int64_t number = 0;
    const char *at = run->vector->operands[operand].values;
    while (*at) {
        char text[TOKEN_BYTES];
        const size_t bytes = strcspn(at, " ");
        unsigned char *element = ret + number * view->element_bytes;
        if (number == count)
            return refuse(run, line, "%s has %" PRId64 " elements, here are more", row->name,
                          count);
        snprintf(text, sizeof text, "%.*s", (int)bytes, at);
        if (bytes >= sizeof text || bytes == 0 ||
            !format_text_read(row->format, (size_t)view->element_bytes, text, element))
            return refuse(run, line, "%s: `%s` is no element of it", row->name, text);
        at += bytes + (at[bytes] != 0);
        number++;
    }
    return number == count || refuse(run, line, "%s has %" PRId64 " elements, here are %" PRId64,
                                     row->name, count, number);
}

static bool case_read(struct vector_run *run)
{
    const struct vector *vector = run->vector;
    struct case_error error;
    if (!case_parse(vector->case_line, &run->test_case, &error))
        return refuse(run, vector->case_line_number, "case line, column %d: %s", error.column,
                      error.message);
    const struct algorithm *algorithm = run->test_case.algorithm;
    for (int index = 0; index < algorithm->operand_count; index++) {
        const char *name = algorithm->operands[index].name;
        if (index >= vector->operand_count || strcmp(vector->operands[index].name, name) != 0)
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
    /* Not the same pattern, or a byte copied from outside the elements would not be seen. */
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

/* Compares the output's elements, and takes them out: what is left must be poison. */
static bool output_holds(struct vector_run *run, int operand, const unsigned char *expected)
{
    const struct view *view = &run->views[operand];
    const struct operand *row = &run->test_case.algorithm->operands[operand];
    size_t element_bytes = (size_t)view->element_bytes;
    const int line = run->vector->operands[operand].line;
    for (int64_t number = 0; number < view->rows * view->columns; number++) {
        unsigned char *got = element_at(run, operand, number);
        const unsigned char *right = expected + number * view->element_bytes;
        char ours[FORMAT_TEXT_BYTES], theirs[FORMAT_TEXT_BYTES];
        if (!format_alike(row->format, element_bytes, got, right, 1))
            return refuse(run, line,
                          "%s row %" PRId64 " column %" PRId64
                          ": the golden has %s, the vector has %s; one of them is wrong",
                          row->name, number / view->columns, number % view->columns,
                          format_text(row->format, element_bytes, got, ours),
                          format_text(row->format, element_bytes, right, theirs));
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

bool vector_holds(const struct vector *vector, const char *algorithm, golden_function *golden,
                  struct vector_mistake *ret)
{
    struct vector_run run = {
        .vector = vector, .mistake = ret, .replaced = algorithm, .golden = golden};
    bool holds = run_vector(&run);
    for (int index = 0; index < ALGORITHM_OPERANDS_MAX; index++)
        free(run.memory[index]);
    return holds;
}
