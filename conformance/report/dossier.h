/* What a report is made of: the records that it tells of, each with the lines that are told one by
 * one and with what came of the others. */
#ifndef ASSAY_CONFORMANCE_REPORT_DOSSIER_H
#define ASSAY_CONFORMANCE_REPORT_DOSSIER_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/record/field.h"
#include "conformance/record/ranges.h"

enum { DOSSIER_RECORDS_MAX = 64, DOSSIER_DEVICES_MAX = 256, DOSSIER_ROWS_MAX = 2048 };

enum dossier_kind {
    DOSSIER_DEVICE,
    DOSSIER_FINDING, /* FAIL, CRASH, TIMEOUT */
    DOSSIER_DOUBT,   /* findings that are none of these */
    DOSSIER_REDUCED,
    DOSSIER_BENCH,
    DOSSIER_CEILING,
    DOSSIER_PEAK,
    DOSSIER_LATENCY,
    DOSSIER_RELATION,
    DOSSIER_SWEEP,
    DOSSIER_KIND_COUNT
};

/* The first lines of a kind, and how many more there are: `held` are in memory, `count` are told.
 */
struct dossier_lines {
    json_t **lines;
    size_t count, left_out, held;
};

struct dossier_record {
    const char *path;
    json_t *header;
    json_t *summary; /* NULL: the run was cut short */
    struct dossier_lines kinds[DOSSIER_KIND_COUNT];
    uint64_t cases;                   /* lines of cases that have finished */
    uint64_t checks;                  /* of those */
    uint64_t strays;                  /* lines that are not of its plan, or there twice */
    uint64_t findings[VERDICT_COUNT]; /* checks that did not pass */
    uint64_t measured[VERDICT_COUNT]; /* verdicts of what was timed */
    uint64_t judged[VERDICT_COUNT];   /* of those: held to a limit, with a line of its own */
    const char *devices[DOSSIER_DEVICES_MAX]; /* every label that a line names */
    size_t device_count, devices_left_out;
    struct ranges finished[DOSSIER_DEVICES_MAX]; /* the cases that finished on each */
};

struct dossier {
    struct dossier_record records[DOSSIER_RECORDS_MAX];
    size_t count;
    bool failed; /* no memory for a line */
};

/* Adds a record; false with the reason. dossier_close in any case. `path` is borrowed. */
bool dossier_add(struct dossier *dossier, const char *path, struct reason *ret_reason);

/* The same of bytes in memory. */
bool dossier_parse(struct dossier *dossier, const char *path, const char *text, size_t bytes,
                   struct reason *ret_reason);

void dossier_close(struct dossier *dossier);

/* The line of a device, or NULL. */
const json_t *dossier_device(const struct dossier_record *record, const char *label);

/* The rows of the summary: an array, at most DOSSIER_ROWS_MAX of which are told; NULL without. */
const json_t *dossier_rows(const struct dossier_record *record);

/* How many checks of a row or a summary came to each verdict. False where one of the counts is no
 * number, or nothing says how many passed. */
bool dossier_counts(const json_t *object, uint64_t ret_counts[VERDICT_COUNT]);

/* True where every record came to its end. */
bool dossier_complete(const struct dossier *dossier);

#endif
