/* The input of a report: the records that it shows, each with the lines that are shown one by one
 * and with the results of the others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/plan/shard.h"
#include "conformance/record/lines.h"
#include "conformance/record/record.h"

enum { LOADED_RECORDS_MAX = 64, LOADED_DEVICES_MAX = 256 };

/* The record's kinds of line, and one more: findings that are not failures (INCONCLUSIVE, ERROR,
 * SKIP). */
enum { LOADED_INCONCLUSIVE = RECORD_KIND_COUNT, LOADED_KIND_COUNT };

/* The first lines of a kind, and how many more there are: `held` are in memory, `count` are
 * shown. */
struct loaded_lines {
    const struct line **each;
    size_t count, left_out, held;
};

struct loaded_record {
    const char *path;
    struct zone zone; /* of its lines */
    size_t file;      /* which of the files that were added */
    const struct line_header *header;
    const struct line_summary *summary; /* NULL: the run was cut short */
    const struct line_gate *gate;       /* after the last record of a gate; otherwise NULL */
    bool has_end, gate_has_end; /* of the record, of the gate's verdict; false: it was cut short */
    bool is_merged; /* set by `assay merge`: what only awaits the merge counts as PASS */
    bool is_of_cut; /* its gate has no whole verdict, an ERROR, or ended before its last part */
    struct loaded_lines kinds[LOADED_KIND_COUNT];
    size_t firsts;  /* findings, each the first of its kernel, path, device and verdict */
    uint64_t cases; /* that have finished, on all devices */
    uint64_t verdicts[LINE_TALLY_COUNT][VERDICT_COUNT]; /* how many lines have each */
    const char *devices[LOADED_DEVICES_MAX];            /* every label that a line names */
    size_t device_count;
    struct ranges finished[LOADED_DEVICES_MAX]; /* the cases that finished on each */
};

/* The result of comparing the files with each other, in the words of a report; all 0 if they were
 * not compared. */
struct loaded_comparison {
    enum verdict verdict; /* FAIL or INCONCLUSIVE, with its reason; without a reason neither */
    char reason[512];
    char *same, *other; /* sentences, one a line: what agrees, and what does not */
};

struct loaded {
    struct loaded_comparison comparison;
    struct loaded_record records[LOADED_RECORDS_MAX];
    size_t count, file_count;
    bool names_known; /* a report names every known miscompile, not only their number */
};

/* Adds the records of a file; false with the reason. loaded_close in any case. `path` is
 * borrowed. */
bool loaded_add(struct loaded *loaded, const char *path, struct reason *ret_reason);

/* The same of bytes in memory; of the file where `text` is NULL. */
bool loaded_parse(struct loaded *loaded, const char *path, const char *text, size_t bytes,
                  struct reason *ret_reason);

/* Adds the lines of one record as they arrive:
 *
 *     struct loaded_reader reader = {.loaded = &loaded, .path = "this gate"};
 *     loaded_line(&reader, &entry);        // each line, the header first: a record_taker
 *     loaded_settle(reader.record);        // after the last
 */
struct loaded_reader {
    struct loaded *loaded;
    struct loaded_record *record; /* that is read; NULL before the header */
    const char *path;
    bool is_full; /* it would have been one more than there is room for */
};
void loaded_line(void *reader, const struct record_entry *entry);
void loaded_settle(struct loaded_record *record);

/* Shows the records of `from` as one more file of `to`, until loaded_return; they stay those of
 * `from`. */
void loaded_lend(const struct loaded *from, struct loaded *to);
void loaded_return(const struct loaded *from, struct loaded *to);

void loaded_close(struct loaded *loaded);

/* How many records the gate whose first one that is wrote to its file; 1 of no gate. A file may
 * hold other records around them: a part that is there already is of the next gate. */
size_t loaded_gate_records(const struct loaded *loaded, size_t first);

/* True if one of the records is of that part of a gate. */
bool loaded_has_part(const struct loaded_record *records, size_t count, const char *part);

/* The summary; an empty one, without a verdict, of a record that was cut short. */
const struct line_summary *loaded_summary(const struct loaded_record *record);

/* The shard that the record is of; its count is 0 if the plan was not divided. */
struct shard loaded_shard(const struct loaded_record *record);

/* True for a record of a gate. */
bool loaded_is_of_gate(const struct loaded_record *record);

/* The line of a device, or NULL. */
const struct line_device *loaded_device(const struct loaded_record *record, const char *label);

/* What it says; "" without a line. */
const char *loaded_device_name(const struct loaded_record *record, const char *label);
const char *loaded_device_uuid(const struct loaded_record *record, const char *label);

/* The next line of that device, or of any with NULL, from *at on, which is then after it; NULL
 * after the last. */
const struct line *loaded_next(const struct loaded_lines *lines, const char *device, size_t *at);

/* The same of lines of bits. */
const struct line_bits *loaded_next_bits(const struct loaded_lines *bits, const char *device,
                                         size_t *at);

/* The digests of ranges of a line of bits: its own, or those of the first line of the record with
 * the same digest of all, which stand for it. */
const char *loaded_ranges(const struct loaded_record *record, const struct line_bits *line);

/* True for machine code of an architecture: its figures come from a cubin, and not from the driver
 * of a GPU. */
bool loaded_is_of_cubin(const struct line_codegen *line);

/* The floor of a line in GB/s: its fraction of the line's ceiling, or 0. */
double loaded_floor_gbps(const struct line_bench *line);

/* True for a record of tier deep, which has as many cases as its time allowed. */
bool loaded_is_deep(const struct loaded_record *record);

/* The subject of a record: "bits", or the noun of its first kind of line. */
const char *loaded_measure(const struct loaded_record *record);

/* True for a record with its summary and its end. */
bool loaded_is_whole(const struct loaded_record *record);

/* True if every record is whole. */
bool loaded_complete(const struct loaded *loaded);
