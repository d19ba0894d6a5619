/* The vectors of the specification's pages, and how one is run on a golden (clauses.vector.holds).
 * The build makes the table of the pages (tools/lint.py). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { VECTOR_OPERANDS_MAX = 4 };

struct vector {
    const char *page; /* "spec/matmul.md" */
    int line;         /* of its opening fence */
    const char *case_line;
    int case_line_number;
    int operand_count;
    struct {
        const char *name;
        const char *values; /* tokens with one space between two; may be empty */
        int line;
    } operands[VECTOR_OPERANDS_MAX];
};

extern const struct vector vectors[];
extern const int vector_count;

typedef void golden_function(const int64_t *axis, void *const *operands);

struct vector_mistake {
    int line;
    char message[400];
};

/* Whether the golden gives the vector's output bit for bit and writes nothing else; if not, the
 * line and what is wrong. `golden` replaces that of the algorithm so named; NULL replaces none. */
bool vector_holds(const struct vector *vector, const char *algorithm, golden_function *golden,
                  struct vector_mistake *ret);
