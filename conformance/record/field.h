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

/* True where the text is an element of an array; an empty one is none. */
bool field_array_has(const json_t *array, const char *text);

/* Adds a word to a list with ", " between them, once, while it fits. */
void field_list_add(char *list, size_t bytes, const char *word);

#endif
