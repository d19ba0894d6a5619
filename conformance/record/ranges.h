/* A set of case numbers as ranges: what a deep run has finished takes a few of them. */
#ifndef ASSAY_CONFORMANCE_RECORD_RANGES_H
#define ASSAY_CONFORMANCE_RECORD_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t first, last; /* both are in it */
};

struct ranges {
    struct range *items;
    size_t count;
};

/* Adds one; a number that follows the last one widens its range. False without memory. */
bool ranges_add(struct ranges *ranges, uint64_t first, uint64_t last);

/* Sorts, and joins what touches or overlaps. False when a number was in two of them. */
bool ranges_settle(struct ranges *ranges);

/* How many numbers are in it. */
uint64_t ranges_total(const struct ranges *ranges);

void ranges_free(struct ranges *ranges);

#endif
