/* Joins the records of a plan's shards to one verdict (spec/shard.md).
 *
 *     struct merge *merge = merge_open();
 *     for each file: merge_add(merge, path);       // keeps what is counted, and closes the file
 *     if (merge_judge(merge, &reason))             // false: no file is a shard
 *         merge_write(&report, options->format, merge);
 *     merge_close(merge);
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/plan/shard.h"
#include "conformance/record/record.h"
#include "conformance/report/reporter.h"

/* Why a file is not counted as its shard. */
enum merge_fault {
    MERGE_COUNTED,
    MERGE_UNREAD, /* it cannot be read, was damaged, or is no record */
    MERGE_WHOLE,  /* its plan was not divided, or it has several shards */
    MERGE_OTHER,  /* it is of another plan */
    MERGE_TWICE,  /* an earlier file has its shard */
    MERGE_FAULTS
};

struct merge_file {
    const char *path; /* borrowed */
    enum merge_fault fault;
    struct shard shard; /* count 0: none */
    size_t plan;        /* if it has a shard */
    size_t gpus;
    char *host; /* its name, or "" */
    enum verdict verdict;
    char *why;          /* of the verdict or the fault, or "" */
    char *failures;     /* for a terminal, or NULL */
    json_t *failed;     /* their lines, or NULL */
    enum action action; /* what these ask for */
};

/* One digest of a kernel through a code path, and the GPUs that have it. */
struct merge_variant {
    uint64_t digest[2], passed;
    char *ranges;
    struct merge_holder {
        size_t file;
        char device[DEVICE_LABEL_BYTES];
    } * holders; /* the first of them */
    size_t holder_count, count;
};

/* A kernel through a code path: the sum over the shards, of the first device of each. With :same
 * the first shard's alone. */
struct merge_row {
    char *kernel, *path;
    uint64_t counts[VERDICT_COUNT];
    uint64_t digest[2];
    uint16_t *ranges; /* as those of a tally, each of RANGE_CASES cases */
    size_t range_count;
    bool is_left_out;               /* some device lacks the hardware that it needs */
    bool is_declined;               /* some device has it, and declined all cases of its shard */
    char *reason;                   /* the first, or "" */
    struct merge_variant *variants; /* of all files if each has the whole plan; else of the last */
    size_t variant_count, last_file;
};

/* Generated programs through a code path, likewise. */
struct merge_programs {
    char *path;
    uint64_t planned, right;
    size_t last_file;
};

/* Files with the same plan. */
struct merge_plan {
    char *key; /* what makes plans the same, of the header: a line "name value" each */
    struct shard shard;
    size_t file_count;
    unsigned char *numbers;   /* a bit for each shard that is there */
    uint64_t cases, programs; /* planned */
    struct ranges finished;   /* cases of all shards; with :same none */
    uint64_t checks;          /* on all devices */
    struct merge_row *rows;
    size_t row_count, next_row; /* rows come in the same order in each record */
    struct merge_programs *programs_rows;
    size_t programs_count;
};

/* A GPU whose result is unlike that of most. */
struct merge_apart {
    size_t file;
    char device[DEVICE_LABEL_BYTES];
    const char *kernel, *path;
    enum verdict verdict; /* FAIL: other bits. INCONCLUSIVE: other checks */
    char what[RANGES_TEXT_BYTES + 96];
};

struct merge {
    struct merge_file *files;
    size_t file_count;
    struct merge_plan *plans;
    size_t plan_count;
    size_t failing; /* files whose failures are kept */
    /* Of merge_judge. */
    struct merge_plan *plan; /* that most files have */
    struct range *lost;      /* shards, as ranges of numbers */
    size_t lost_count;       /* of ranges */
    uint64_t lost_shards;
    struct merge_apart *apart;
    size_t apart_count;
    size_t counted, gpus; /* files, and GPUs in them */
    uint64_t cases;       /* that finished in some shard */
    enum verdict verdict;
    char reason[1024]; /* "" with PASS */
};

struct merge *merge_open(void);

/* Adds a file. `path` is borrowed. One that cannot be read is added as such. */
void merge_add(struct merge *merge, const char *path);

/* Gives the verdict of all files. False with the reason if none of them is a shard. */
bool merge_judge(struct merge *merge, struct reason *ret_reason);

/* The verdict of a row: SKIP if no shard has checked it. */
enum verdict merge_row_verdict(const struct merge_row *row);

/* The digest that most GPUs have; NULL if none passed. */
const struct merge_variant *merge_row_most(const struct merge_row *row);

/* The value of that name in a plan's key, for free(); "" without it. */
char *merge_plan_value(const struct merge_plan *plan, const char *name);

/* Writes everything that was found, in any format of --format. */
void merge_write(struct report *report, enum output_format format, const struct merge *merge);

/* The same as a document: the shards, and the rows of bits and of programs. */
void merge_document(struct document *ret, const struct merge *merge);

/* "shard 3, host gpu07, s3.json": a file, as far as it is known. Returns `ret_text`. */
enum { MERGE_WHO_BYTES = 512 };
const char *merge_who(const struct merge_file *file, char ret_text[MERGE_WHO_BYTES]);

void merge_close(struct merge *merge);
