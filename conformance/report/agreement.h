/* Whether runs of the same cases gave the same bits, on all that the earlier one checked: what an
 * engineer asks who ran them before and after an upgrade. */
#ifndef ASSAY_CONFORMANCE_REPORT_AGREEMENT_H
#define ASSAY_CONFORMANCE_REPORT_AGREEMENT_H

#include <stdio.h>

#include "conformance/report/loaded.h"

enum { AGREEMENT_LOST_BYTES = 256 };

/* One run beside an earlier one of the loaded. GPUs are paired by their UUID. */
struct agreement {
    const struct loaded_record *first; /* NULL: no earlier record has digests */
    size_t next;                       /* where to look for another */
    bool same_cases;                   /* of one version, tier, seed, corpus and number of cases */
    bool other_cases;                  /* of one tier, and other cases */
    size_t same, uneven, differ;       /* kernels and paths; uneven: other checks passed */
    const char *kernel, *path;         /* the first that differs */
    size_t devices;                    /* that both have */
    size_t lost; /* GPUs of the earlier run, kernels and paths on one, or checks, that lack here */
    char lost_first[AGREEMENT_LOST_BYTES]; /* the first of them, in words */
};

/* Holds a record against the first before it, from `start` on, that has the same cases, or others
 * of the same tier (then by what is there, not by counts or digests); where start is 0 and there is
 * none, against the first that has digests at all. All that a record is held against: from 0, then
 * from `next` on, until `first` is NULL. Clauses: report.digest.compared, report.digest.complete.
 */
struct agreement agreement_of(const struct loaded *loaded, size_t index, size_t start);

/* True where the cases of two runs are the same: of one version, tier, seed, corpus and number. */
bool agreement_same_cases(const struct loaded_record *left, const struct loaded_record *right);

/* The fields of the header in which the cases of two records differ: "seed, corpus". */
void agreement_differing(const struct loaded_record *left, const struct loaded_record *right,
                         char *ret_words, size_t bytes);

/* Sentences, one a line: the digests that agree, on what; what the earlier run checked and this one
 * did not, with the digests that were not compared; and devices of one label that are two. */
void agreement_put_same(FILE *file, const struct loaded *loaded, size_t index);
void agreement_put_rest(FILE *file, const struct loaded *loaded, size_t index);
void agreement_put_unpaired(FILE *file, const struct loaded *loaded);

/* Calls `put` for each thing that lacks, in words. */
typedef void agreement_put(void *context, const char *what);

/* The rows of a record's summary in order, so that one is found without looking at all of them. */

/* One kernel through one path on one device. */
struct row_key {
    const char *device; /* its label, or its UUID */
    const char *kernel, *path;
    const json_t *row;
};

struct row_index {
    struct row_key *keys; /* sorted by device, kernel, path */
    size_t count;
};

/* By label; or by UUID, and by label where no line of the record has the device's. False without
 * memory. */
bool row_index_open(struct row_index *ret, const struct loaded_record *record, bool by_uuid);
void row_index_close(struct row_index *index);

/* True where two rows are of one kernel, path and device. */
bool row_index_has_twins(const struct row_index *index);

#endif
