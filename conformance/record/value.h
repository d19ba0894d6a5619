/* A value of a record's line, whatever somebody put there: one that is missing (NULL) or of another
 * type reads as empty. Clause: report.text.hostile. */
#ifndef ASSAY_CONFORMANCE_RECORD_VALUE_H
#define ASSAY_CONFORMANCE_RECORD_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"

/* "" where there is no text. */
const char *value_text(const json_t *value);

/* A finite number from 0 to 1e18; 0 where there is none. */
double value_number(const json_t *value);
uint64_t value_count(const json_t *value);

/* A signed number; 0 where there is none. */
int64_t value_integer(const json_t *value);

/* The repeats of one measurement: the median of their medians, between the least lower and the
 * greatest upper bound. All 0 where nothing was measured. */
struct spread {
    double lower, median, upper;
    int repeats;
};
struct spread value_spread(const json_t *intervals);

/* VERDICT_COUNT where it is no word for one. */
enum verdict value_verdict(const json_t *value);

/* True where the text is an element of an array; an empty one is none. */
bool value_array_has(const json_t *array, const char *text);

/* Adds a word to a list with ", " between them, once, while it fits. */
void value_list_add(char *list, size_t bytes, const char *word);

#endif
