/* Every line of a record, compared field by field with the structs that it is made of. Each kind of
 * line has made-up structs, with a value of its own in every member, and a table of the fields that
 * follow from them:
 *
 *     static const struct made_line lines[] = {
 *         {RECORD_cases, make_cases, "`device`:`cuda:1`,`checks`:311"},
 *     };
 *     made_lines_check("record_lines", lines, sizeof lines / sizeof lines[0]);
 */
#pragma once

#include "conformance/record/record_fields.h"
#include "conformance/session/session.h"
#include "spec/testing.h"

/* A field, and what is said of it. */
struct made_field {
    const char *name, *value;
};

/* A kind's line, from a function that may add to `ret_known` the fields that no literal has. The
 * others as JSON with ` in place of "; of two values of one field the last holds. */
struct made_line {
    enum record_kind kind;
    json_t *(*make)(json_t *ret_known);
    const char *fields;
};

/* Makes the lines of all kinds that the test of that name has (written_lines.c), and fails with the
 * name of a field that is written with another value or without one here, is left out, or is in the
 * table of fields (record_fields.def) and in no line. */
void made_lines_check(const char *test, const struct made_line *lines, size_t count);

/* Two GPUs, of which the second, "cuda:1", is an H200 of whose SM all is known. Opening makes both
 * again. */
extern struct options made_options;
extern struct session made_session;
void made_session_open(void);

/* Of matmul, 4 x 6 and 6 x 5 elements are read, 4 x 5 written, with 240 flops. */
#define MADE_CASE_LINE "matmul m=4 n=5 k=6 fill=uniform seed=7"
