/* What a reader is told of records, in no format: the verdict, what each part came to, every judged
 * line, and everything that did not pass, in words. A format is one file that walks it
 * (reporter.h).
 *
 *     struct document document;
 *     document_open(&document, &loaded);
 *     for (size_t at = 0; at < document.finding_count; at++)
 *         puts(document.findings[at].what);
 *     document_close(&document);
 *
 * Texts are as the records have them, anybody's: a format escapes what it prints (text.h). */
#pragma once

#include <time.h>

#include "conformance/base/text.h"
#include "conformance/report/advice.h"
#include "conformance/report/assessment.h"
#include "conformance/report/loaded.h"

/* Failures of which a reader is shown so many and the number of the others. */
enum document_sort {
    DOCUMENT_FAILURE,    /* a check */
    DOCUMENT_MISCOMPILE, /* a generated program */
    DOCUMENT_KNOWN,      /* a known miscompile that is not as listed */
    DOCUMENT_MEASURED,   /* something measured */
    DOCUMENT_UNDECIDED,  /* no failure: a check without a verdict */
    DOCUMENT_SORT_COUNT
};

/* What is said of a finding, in the order in which it is read: "clause" and
 * "matmul.order.ascending". Names repeat. */
struct document_pair {
    const char *name, *text;
    bool is_aside; /* a terminal is spared it */
};

/* A line that is judged: the bits of a kernel, a speed, a known miscompile. */
struct document_check {
    const struct line *line;
    const char *device; /* its label, or "" */
    const char *name;   /* "matmul/tiled sass, k=32 dram": one of a kind, device and part */
    const char *note;   /* why it is no PASS, or "" */
    enum verdict verdict;
};

struct document_finding {
    const struct line *line;
    const struct document_check *check; /* the row that it belongs to; NULL: the record was cut */
    enum verdict verdict;
    enum document_sort sort;
    size_t place; /* among those of its sort in its part, from 0 on */
    struct advice advice;
    const char *what; /* "matmul/tiled through sass on cuda:0"; a measurement's figure and limit */
    const char *how;  /* "element c[3][4]", "CRASH", or "" */
    const struct document_pair *pairs;
    size_t pair_count;
    const char *replay, *smallest; /* commands that run it, and its smallest case, again; or "" */
};

/* A record, or a part of a gate that left none. */
struct document_part {
    const struct loaded_record *record; /* or NULL */
    const char *name;                   /* "bits", "speed" */
    enum verdict verdict;
    const char *note;  /* why it is no PASS, or "" */
    const char *words; /* what it came to: "858,875 checks, in 43.6 s" */
    const struct document_check *checks;
    const struct document_finding *findings;
    size_t check_count, finding_count;
    size_t sorts[DOCUMENT_SORT_COUNT]; /* findings of each sort, those that only the record has too
                                        */
};

struct document {
    struct zone zone;
    const struct loaded *loaded; /* borrowed */
    enum verdict verdict;
    const char *reason;   /* of the verdict, or "" */
    const char *command;  /* "gate", "run", or the measure */
    const char *host;     /* "": no record names one; "3 hosts" of several */
    const char *baseline; /* of a gate: the file that it was compared with; else "" */
    const char *changes; /* what has changed since the baseline, in the format that is written; NULL
                          * until whoever compared sets it */
    const struct line_device **devices; /* each once */
    size_t device_count, gpu_count;
    bool has_gpu;       /* a GPU was checked */
    time_t started;     /* the first record; 0: it does not say when */
    double seconds;     /* of all */
    enum action action; /* the most that a finding asks for */
    struct document_part *parts;
    struct document_check *checks; /* of all parts, in their order */
    struct document_finding *findings;
    size_t part_count, check_count, finding_count;
    uint64_t failures; /* findings that are failures, those that only a record has too */
};

/* Of all records that are loaded, which stay as they are until document_close(). */
void document_open(struct document *ret, const struct loaded *loaded);

/* The same of a gate that has just come to its verdict, whose records end before it. */
void document_open_gate(struct document *ret, const struct loaded *loaded,
                        const struct line_gate *gate);

void document_close(struct document *document);

/* "3 more failures", of a sort of which `shown` findings of a part were shown; "" if that was all.
 * Returns `ret_text`. */
const char *document_more(const struct document_part *part, enum document_sort sort, size_t shown,
                          char ret_text[NUMBER_COUNT_BYTES]);

/* The same where all findings of the part are shown. */
const char *document_unlisted(const struct document_part *part, enum document_sort sort,
                              char ret_text[NUMBER_COUNT_BYTES]);
