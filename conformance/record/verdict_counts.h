/* The counts of verdicts in a record's lines: `passed`, `fail`, ... */
#ifndef ASSAY_CONFORMANCE_RECORD_VERDICT_COUNTS_H
#define ASSAY_CONFORMANCE_RECORD_VERDICT_COUNTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "conformance/base/verdict.h"

/* The name of the count of one verdict. */
const char *verdict_counts_key(enum verdict verdict);

/* The count of one verdict; NULL where there is none. */
const json_t *verdict_counts_raw(const json_t *object, enum verdict verdict);

/* The counts of a row or a summary, 0 where one is missing. False where one is no count, or that of
 * what passed is missing. */
bool verdict_counts_read(const json_t *object, uint64_t ret_counts[VERDICT_COUNT]);

void verdict_counts_write(json_t *object, enum verdict verdict, uint64_t count);

#endif
