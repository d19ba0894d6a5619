/* The result of a comparison of two records, BASE and NEW: kinds of difference with their
 * severities (differences.def), the differences, and the verdict that follows from them
 * (spec/compare.md).
 *
 *     struct compared compared = {.base = old, .next = new};
 *     compared_add(&compared, DIFFERENCE_gpu_missing, "cuda:1", "", "");
 *     compared_judge(&compared);    // compared.change is CHANGE_REGRESSED
 *     compared_close(&compared);
 *
 * comparison.h compares records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/report/document.h"

/* The verdict of a comparison, from good to bad. */
enum change { CHANGE_SAME, CHANGE_BETTER, CHANGE_NOT_COMPARABLE, CHANGE_REGRESSED, CHANGE_COUNT };

/* "SAME", "BETTER", "NOT COMPARABLE", "REGRESSED". */
const char *change_name(enum change change);

/* PASS for SAME and BETTER, FAIL for REGRESSED, INCONCLUSIVE for NOT COMPARABLE. */
enum verdict change_verdict(enum change change);

enum severity {
    SEVERITY_NOTE,
    SEVERITY_BETTER,
    SEVERITY_INCONCLUSIVE,
    SEVERITY_WORSE,
    SEVERITY_COUNT
};

enum section {
#define SECTION(id, title) SECTION_##id,
#define DIFFERENCE(id, section, severity, words)
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
    SECTION_COUNT
};

enum difference_kind {
#define SECTION(id, title)
#define DIFFERENCE(id, section, severity, words) DIFFERENCE_##id,
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
    DIFFERENCE_KIND_COUNT
};

struct difference_row {
    const char *name; /* in JSON */
    enum section section;
    enum severity severity;
    const char *words;
};
extern const struct difference_row difference_rows[DIFFERENCE_KIND_COUNT];
extern const char *const section_titles[SECTION_COUNT];

/* "note", "better", "inconclusive", "worse". */
const char *severity_name(enum severity severity);

/* FAIL for worse, INCONCLUSIVE for inconclusive, PASS for the others. */
enum verdict severity_verdict(enum severity severity);

/* Adds a difference to the last part of a document. Its action follows from `section` and
 * `severity`, unless it.advice.action is set; `it` has its words (`what`, `how`) and the row of its
 * check. */
void difference_add_finding(struct document *document, enum section section, enum severity severity,
                            struct document_finding it);

enum {
    DIFFERENCE_PLACE_BYTES = 256,
    DIFFERENCE_VALUE_BYTES = 256,
    COMPARED_DIFFERENCES_MAX = 4096
};

struct difference {
    enum difference_kind kind;
    char place[DIFFERENCE_PLACE_BYTES]; /* "matmul/tiled through sass on cuda:0", "driver" */
    char base[DIFFERENCE_VALUE_BYTES];  /* what BASE has, or "" */
    char next[DIFFERENCE_VALUE_BYTES];  /* what NEW has */
};

/* The subjects of a comparison, which agreed or not. */
enum compared_what {
    COMPARED_DIGESTS,
    COMPARED_SPEEDS,
    COMPARED_CALLS,
    COMPARED_CODE,
    COMPARED_VERDICTS,
    COMPARED_PROGRAMS,
    COMPARED_WHAT_COUNT
};

enum { COMPARED_FIGURES_MAX = 8192 };

/* The unit of a speed; times have another. */
#define FIGURE_SPEED "GB/s"

/* What a figure is of: its noise is that of its sort, and so is what a comparison detects. */
enum figure_sort {
    FIGURE_OF_DRAM,
    FIGURE_OF_L2,
    FIGURE_OF_LOCAL, /* thread_array, whose arrays are in local memory */
    FIGURE_OF_CALL,
    FIGURE_SORT_COUNT
};

/* A speed or a time of both, changed or not. */
struct figure_change {
    char place[DIFFERENCE_PLACE_BYTES];
    enum figure_sort sort;
    const char *unit; /* "GB/s", "us" */
    double base, next, ratio;
    double lower, upper; /* of the ratio, with 99 % confidence */
    double finds;        /* the smallest slowdown that is detected in 99 of 100: a fraction
                          * of the speed, or of the time that is added */
    int sign;            /* -1: less, 1: more, 0: within chance */
};

enum { COMPARED_WHY_BYTES = 512 };

struct compared {
    const struct loaded_record *base, *next;
    enum change change;
    char why[COMPARED_WHY_BYTES];        /* one line: the reason for the verdict */
    struct difference *differences;      /* by kind, in the order of the table */
    size_t count, left_out;              /* left_out: beyond COMPARED_DIFFERENCES_MAX */
    size_t kinds[DIFFERENCE_KIND_COUNT]; /* the number of each, including those left out */
    struct figure_change *figures;
    size_t figure_count;
    size_t looked_at[COMPARED_WHAT_COUNT];
    bool same_plan; /* both have the same plan: what BASE lacks was due there */
    unsigned
        regimes_apart; /* a bit for each regime of the devices at hand, if shapes of it differ */
    bool other_bytes;  /* another --bytes, which other shapes and points fit */
};

/* "node17 (a.json)": the machine that a record names, and its file. The file alone if the record
 * names no machine, or that of `other` (which may be NULL), or if the file is named after it:
 * "node17.json". Returns `ret_text`. */
enum { RECORD_NAME_BYTES = 4096 + 128 };
const char *record_name(const struct loaded_record *record, const struct loaded_record *other,
                        char ret_text[RECORD_NAME_BYTES]);

/* Adds a difference; the texts are copied, and truncated if they are too long. */
void compared_add(struct compared *compared, enum difference_kind kind, const char *place,
                  const char *base, const char *next);

/* For qsort() of differences: by kind, place and BASE's value. */
int compared_order(const void *left, const void *right);

/* True if that difference was already added. */
bool compared_has(const struct compared *compared, enum difference_kind kind, const char *place);

/* Makes the comparison NOT COMPARABLE, with the reason. */
void compared_refuse(struct compared *compared, const char *why);

/* How many lines of a kind that a comparison needs are not held. */
size_t compared_left_out(const struct loaded_record *record, int kind);

/* The severity of a kind in this comparison: what a record that was cut short, or that has a
 * smaller tier, did not check is inconclusive, not a loss. */
enum severity compared_severity(const struct compared *compared, int kind);

void compared_close(struct compared *compared);

/* Sorts the differences, and determines the verdict again, after some were added. */
void compared_judge(struct compared *compared);
