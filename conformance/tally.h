/* What came of each kernel through each path on each device: counts and the digest. */
#ifndef ASSAY_CONFORMANCE_TALLY_H
#define ASSAY_CONFORMANCE_TALLY_H

#include "conformance/work/checker.h"

struct tally {
    uint64_t counts[VERDICT_COUNT];
    uint64_t digest[2];              /* the sum of its passed outputs' digests */
    char reason[FINDING_NOTE_BYTES]; /* why the first SKIP, ERROR or INCONCLUSIVE was one */
};

struct tally_table {
    int device_count;
    struct tally *rows; /* device, kernel, path */
};

/* False without memory. */
bool tally_open(struct tally_table *ret, int device_count);
void tally_close(struct tally_table *table);

struct tally *tally_row(const struct tally_table *table, int device, int kernel, int path);
void tally_add(struct tally *row, const struct check_result *result);

/* One of the TIMEOUTs came back in none of `tries` tries: it is INCONCLUSIVE. */
void tally_pass_timeout(struct tally *row, int tries);

/* Checks that were due: all but the declined. */
uint64_t tally_checks(const struct tally *row);

/* The row in one verdict, the worst first: any failure, else ERROR, INCONCLUSIVE, SKIP; PASS when
 * something passed and nothing else happened; SKIP when nothing was launched at all. */
enum verdict tally_verdict(const struct tally *row);

/* The sum over a table. */
void tally_total(const struct tally_table *table, uint64_t ret_counts[VERDICT_COUNT]);

#endif
