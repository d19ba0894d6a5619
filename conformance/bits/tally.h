/* What came of each kernel through each path on each device: counts and the digest. */
#ifndef ASSAY_CONFORMANCE_BITS_TALLY_H
#define ASSAY_CONFORMANCE_BITS_TALLY_H

#include "conformance/work/checker.h"
#include "cuda/launch.h"

struct tally {
    uint64_t counts[VERDICT_COUNT];
    uint64_t digest[2];                    /* the sum of its passed outputs' digests */
    uint64_t launches;                     /* since this process began */
    uint64_t full_launches;                /* of those, with a block for each SM at least */
    unsigned char sms[LAUNCH_SMS_MAX / 8]; /* a bit for each SM that ran a block */
    enum verdict explained;                /* which verdict `reason` is of, where there is one */
    char reason[FINDING_NOTE_BYTES]; /* of the first of its worst SKIP, ERROR or INCONCLUSIVE */
};

struct tally_table {
    int device_count;
    struct tally *rows; /* by subject_index */
};

/* False without memory. */
bool tally_open(struct tally_table *ret, int device_count);
void tally_close(struct tally_table *table);

struct tally *tally_row(const struct tally_table *table, struct subject subject);
void tally_add(struct tally *row, const struct check_result *result);

/* Counts the result's launch, if there was one, on a device of so many SMs. */
void tally_launch(struct tally *row, const struct check_result *result, int sms);

/* Adds SMs; and how many there are. */
void tally_add_sms(struct tally *row, const unsigned char sms[LAUNCH_SMS_MAX / 8]);
int tally_sms(const struct tally *row);

/* One of the TIMEOUTs came back in none of `tries` tries: it is INCONCLUSIVE. */
void tally_pass_timeout(struct tally *row, int tries);

/* Keeps why one of its checks came to that verdict: the first reason of the worst verdict stays. */
void tally_explain(struct tally *row, enum verdict verdict, const char *reason);

/* Why it is no PASS, or why nothing was launched; "" where that is not known. */
const char *tally_reason(const struct tally *row);

/* Checks that were due: all but the declined and the empty. */
uint64_t tally_checks(const struct tally *row);

/* The row in one verdict (verdict_of_counts). */
enum verdict tally_verdict(const struct tally *row);

/* The sums over a table: of each verdict, and of the checks that were due. */
void tally_total(const struct tally_table *table, uint64_t ret_counts[VERDICT_COUNT]);
uint64_t tally_total_checks(const struct tally_table *table);

#endif
