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
 * A command whose outcome is no record, such as a comparison, fills one by itself: a part, then its
 * checks and findings, and so on.
 *
 *     document_begin(&document, "compare");
 *     document_part(&document, "bits", VERDICT_FAIL, "fails now (1)", "REGRESSED: fails now (1)");
 *     document_finding(&document, &(struct document_finding){.what = "fails now: matmul/tiled",
 *                                                            .verdict = VERDICT_FAIL});
 *     document.verdict = VERDICT_FAIL;
 *     document_finish(&document);
 *     reporters[format]->end(&report, &document);
 *     document_close(&document);
 *
 * Texts are as the records have them, anybody's: a format escapes what it prints (text.h). They
 * last as long as the document: document_text() keeps one. */
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
    DOCUMENT_NOTE,       /* neither: something else that differs, whose verdict is PASS */
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
    const struct line *line; /* NULL: it is of no record */
    const char *device;      /* its label, or "" */
    const char *name;        /* "matmul/tiled sass, k=32 dram": one of a kind, device and part */
    const char *note;        /* why it is no PASS, or its values, or "" */
    enum verdict verdict;
};

struct document_finding {
    const struct line *line;            /* NULL: it is of no record */
    size_t row;                         /* of the check that it belongs to, from 1 on; 0: of none */
    const struct document_check *check; /* that check, set by document_finish(); or NULL */
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

/* A record, a part of a gate that left none, or a part of another outcome. */
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
    const struct loaded *loaded;      /* borrowed; of a document of no records one that has none */
    const struct line_header *header; /* of its host and its job; or NULL */
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
    json_t *names;     /* while it is filled: of the checks of the last part */
};

/* Of all records that are loaded, which stay as they are until document_close(). */
void document_open(struct document *ret, const struct loaded *loaded);

/* The same of a gate that has just come to its verdict, whose records end before it. */
void document_open_gate(struct document *ret, const struct loaded *loaded,
                        const struct line_gate *gate);

/* Begins a document of no records. Its other facts, such as `verdict` and `reason`, are the
 * caller's to set. */
void document_begin(struct document *ret, const char *command);

/* A text as printf() would make it, which lasts as long as the document. */
__attribute__((format(printf, 2, 3))) const char *document_text(struct document *document,
                                                                const char *format, ...);

/* Adds a part, to which the next checks and findings belong. The texts are copied, and the pointer
 * is good until the next part. */
struct document_part *document_part(struct document *document, const char *name,
                                    enum verdict verdict, const char *note, const char *words);

/* Adds a check to the last part. Its name is copied, and gets a number if another check of its
 * kind, device and part has it. NULL for `device` or `note` is "". Returns its row. */
size_t document_check(struct document *document, const struct document_check *check);

/* Adds a finding to the last part. Its pairs are copied, those without a text left out; NULL
 * for any text but `what` is "". */
void document_finding(struct document *document, const struct document_finding *finding);

/* Gives the document the host, the job and the beginning of a record. */
void document_header(struct document *document, const struct line_header *header);

/* Adds the devices of a record that are not there yet. */
void document_devices(struct document *document, const struct loaded_record *record);

/* After the last part: sets what points from one into another, the action and the failures. */
void document_finish(struct document *document);

void document_close(struct document *document);

/* "3 more failures", of a sort of which `shown` findings of a part were shown; "" if that was all.
 * Returns `ret_text`. */
const char *document_more(const struct document_part *part, enum document_sort sort, size_t shown,
                          char ret_text[NUMBER_COUNT_BYTES]);

/* The same where all findings of the part are shown. */
const char *document_unlisted(const struct document_part *part, enum document_sort sort,
                              char ret_text[NUMBER_COUNT_BYTES]);
