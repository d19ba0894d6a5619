/* The forms and structs of a record's lines (record_fields.def), and values of JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "conformance/base/array.h"
#include "conformance/base/interval.h"
#include "conformance/base/reason.h"
#include "conformance/record/form.h"

/* Values, whatever somebody put there. Clause: report.text.hostile. */

/* "" if there is no text. */
const char *value_text(const json_t *value);

/* A finite number from 0 to 1e18, or 0. */
double value_number(const json_t *value);
uint64_t value_count(const json_t *value);

/* The text as a value; bytes that are not UTF-8 (of a path) become '?'. */
json_t *value_of_text(const char *text);

/* The number as a value of JSON, which has neither infinities nor NaN: the largest double in place
 * of an infinity, with its sign, and 0, which reads as no number, in place of a NaN. Every number
 * that is written as JSON comes from here (test `spec`). Clause: record.number.bounded. */
json_t *value_of_number(double number);

/* How all JSON is written, but for files of limits: ASCII alone, so that a terminal that shows it
 * does not obey it, and six digits of a number that is not whole: the spread of no measurement
 * supports more. Clause: record.number.digits. */
#define VALUE_WRITTEN (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6))

/* A text that is written as a file is, in memory that is there (heap.h):
 *
 *     struct written written;
 *     written_open(&written);
 *     fprintf(written.file, ...);
 *     char *text = written_close(&written);    // for free()
 */
struct written {
    FILE *file;
    char *text;
    size_t bytes;
};
void written_open(struct written *ret);
char *written_close(struct written *written);

/* The repeats of one measurement: the median of their medians, between the least lower and the
 * greatest upper bound. All 0 if nothing was measured. */
struct spread {
    double lower, median, upper;
    int repeats;
};
struct spread spread_of(struct intervals intervals);

/* Reads the array of a SPREAD, [[lower, median, upper], ...], into as many elements as it has. A
 * repeat that is [median] has bounds of 0, and so no spread. */
struct intervals value_intervals(const json_t *values, struct interval *ret_each);

/* VERDICT_COUNT where it is no word for one. */
enum verdict value_verdict(const json_t *value);

/* The next element of an array from *at on, which is then after it; NULL after the last:
 *
 *     for (size_t at = 0; (row = value_next(rows, &at)) != NULL;)
 */
const json_t *value_next(const json_t *array, size_t *at);

/* True if the text is an element of an array; an empty text is not. */
bool value_array_has(const json_t *array, const char *text);

/* Adds a word to a list with ", " between them, once, while it fits. */
void value_list_add(char *list, size_t bytes, const char *word);

/* RECORD_header, RECORD_cases, RECORD_bench: a kind of line each. */
#define FORM_TABLE       "conformance/record/record_fields.def"
#define BARE(id, ...)    RECORD_##id,
#define WRAPPED(id, ...) RECORD_##id,
enum record_kind {
#include "conformance/record/form_pass.inc"
    RECORD_KIND_COUNT
};
#undef FORM_TABLE

/* A line in memory: a struct of its kind begins with it (lines.h). */
struct line {
    enum record_kind kind;
};

/* A value that may be absent although 0 is one. */
struct maybe_count {
    bool is_there;
    uint64_t count;
};
struct maybe_verdict {
    bool is_there;
    enum verdict verdict;
};

/* An OPTIONAL one without texts is written if `each` is there. */
struct texts {
    const char *const *each;
    size_t count;
};

struct counts {
    const uint64_t *each;
    size_t count;
};

/* A set of case numbers as ranges (record.h): what a run has finished takes a few of them. */
struct range {
    uint64_t first, last; /* both are in it */
};
struct ranges {
    struct range *items;
    size_t count;
};

bool texts_have(struct texts texts, const char *text);

/* The C types of a line's members. A reader gets "" for a missing text, and VERDICT_COUNT for a
 * missing VERDICT. */
#define FIELD_MEMBER_TEXT          const char *
#define FIELD_MEMBER_WORD          uint64_t /* written as "0x" and 16 digits */
#define FIELD_MEMBER_COUNT         uint64_t
#define FIELD_MEMBER_INTEGER       int64_t
#define FIELD_MEMBER_NUMBER        double
#define FIELD_MEMBER_FLAG          bool
#define FIELD_MEMBER_VERDICT       enum verdict
#define FIELD_MEMBER_MAYBE_COUNT   struct maybe_count
#define FIELD_MEMBER_MAYBE_WORD    struct maybe_count /* written as a WORD */
#define FIELD_MEMBER_MAYBE_VERDICT struct maybe_verdict
#define FIELD_MEMBER_SPREAD        struct intervals
#define FIELD_MEMBER_TEXTS         struct texts
#define FIELD_MEMBER_COUNTS        struct counts
#define FIELD_MEMBER_RANGES        struct ranges
#define FIELD_MEMBER_JSON          const json_t *

/* The C types of the fields of files of limits, which are read from their JSON (form_json.inc). */
#define FIELD_TYPE_TEXT         const char *
#define FIELD_TYPE_INTEGER      int64_t
#define FIELD_TYPE_NUMBER       double
#define FIELD_TYPE_FLAG         bool
#define FIELD_TYPE_JSON         const json_t *
#define FIELD_READ_TEXT         value_text
#define FIELD_READ_INTEGER      json_integer_value
#define FIELD_READ_NUMBER       value_number
#define FIELD_READ_FLAG         json_is_true
#define FIELD_READ_JSON(value)  (value)
#define FIELD_WRITTEN_TEXT      const char *
#define FIELD_WRITTEN_INTEGER   int64_t
#define FIELD_WRITTEN_NUMBER    double
#define FIELD_WRITTEN_FLAG      bool
#define FIELD_WRITTEN_JSON      json_t * /* taken over */
#define FIELD_WRITE_TEXT        value_of_text
#define FIELD_WRITE_INTEGER     json_integer
#define FIELD_WRITE_NUMBER      value_of_number
#define FIELD_WRITE_FLAG        json_boolean
#define FIELD_WRITE_JSON(value) (value)

#define FORM_TABLE "conformance/record/record_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

/* The name of a member, of those in the table, for lists of names. */
#define FIELD_KEY(object, key) (sizeof((const struct line_##object *)NULL)->key ? #key : NULL)

/* Any line of a record: its kinds are in the order of the enumerators. */
extern const struct form record_line_form;
