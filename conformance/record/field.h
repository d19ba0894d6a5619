/* What stands under a key of a record's line, whatever somebody put there: a missing key or a value
 * of another type reads as empty. */
#ifndef ASSAY_CONFORMANCE_RECORD_FIELD_H
#define ASSAY_CONFORMANCE_RECORD_FIELD_H

#include <jansson.h>
#include <stdbool.h>

#include "conformance/base/verdict.h"

/* "" where there is no text. */
const char *field_text(const json_t *object, const char *key);

/* A finite number from 0 to 1e18; 0 where there is none. */
double field_number(const json_t *object, const char *key);
uint64_t field_count(const json_t *object, const char *key);

/* The repeats of one measurement: the median of their medians, between the least lower and the
 * greatest upper bound. All 0 where nothing was measured. */
struct spread {
    double lower, median, upper;
    int repeats;
};
struct spread field_spread(const json_t *object, const char *key);

/* The verdict under a key; VERDICT_COUNT where it is no word for one. */
enum verdict field_verdict(const json_t *object, const char *key);

/* A signed number; 0 where there is none. */
int64_t field_integer(const json_t *object, const char *key);

/* What C reads and writes a field as (form_access.inc). */
#define FIELD_TYPE_TEXT              const char *
#define FIELD_TYPE_COUNT             uint64_t
#define FIELD_TYPE_INTEGER           int64_t
#define FIELD_TYPE_NUMBER            double
#define FIELD_TYPE_FLAG              bool
#define FIELD_TYPE_VERDICT           enum verdict
#define FIELD_TYPE_SPREAD            struct spread
#define FIELD_TYPE_JSON              const json_t *
#define FIELD_READ_TEXT              field_text
#define FIELD_READ_COUNT             field_count
#define FIELD_READ_INTEGER           field_integer
#define FIELD_READ_NUMBER            field_number
#define FIELD_READ_FLAG(object, key) json_is_true(json_object_get(object, key))
#define FIELD_READ_VERDICT           field_verdict
#define FIELD_READ_SPREAD            field_spread
#define FIELD_READ_JSON              json_object_get
#define FIELD_WRITTEN_TEXT           const char *
#define FIELD_WRITTEN_COUNT          uint64_t
#define FIELD_WRITTEN_INTEGER        int64_t
#define FIELD_WRITTEN_NUMBER         double
#define FIELD_WRITTEN_FLAG           bool
#define FIELD_WRITTEN_VERDICT        enum verdict
#define FIELD_WRITTEN_SPREAD         json_t * /* taken over */
#define FIELD_WRITTEN_JSON           json_t * /* taken over */
#define FIELD_WRITE_TEXT(value)      json_string(value)
#define FIELD_WRITE_COUNT(value)     json_integer((json_int_t)(value))
#define FIELD_WRITE_INTEGER(value)   json_integer((json_int_t)(value))
#define FIELD_WRITE_NUMBER(value)    json_real(value)
#define FIELD_WRITE_FLAG(value)      json_boolean(value)
#define FIELD_WRITE_VERDICT(value)   json_string(verdict_name(value))
#define FIELD_WRITE_SPREAD(value)    (value)
#define FIELD_WRITE_JSON(value)      (value)

/* True where the text is an element of an array; an empty one is none. */
bool field_array_has(const json_t *array, const char *text);

/* Adds a word to a list with ", " between them, once, while it fits. */
void field_list_add(char *list, size_t bytes, const char *word);

#endif
