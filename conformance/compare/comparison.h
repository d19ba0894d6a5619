/* A comparison shown: one verdict line, then what changed, for a terminal, as JSON or as Markdown.
 * Several NEW records are one comparison each, and the whole is the worst of them. */
#ifndef ASSAY_CONFORMANCE_COMPARE_COMPARISON_H
#define ASSAY_CONFORMANCE_COMPARE_COMPARISON_H

#include <stdio.h>

#include "conformance/compare/compared.h"
#include "conformance/compare/fleet.h"

struct comparison_set {
    const struct loaded_record *base;
    const char *part;      /* the measure, where a file holds several records; else NULL */
    const char *kind;      /* the measure */
    struct compared *each; /* one for each NEW */
    size_t count;
    struct fleet fleet; /* of three or more */
};

/* Holds a record of the first file, `base`, against the first of the same measure in each other
 * file; a file without one lacks the measure. False without memory; comparison_close in any case.
 */
bool comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base);
void comparison_close(struct comparison_set *set);

/* Of all: the worst. */
enum change comparison_change(const struct comparison_set *set);

/* A sentence on what of the speeds would have been found; false where none was compared. */
enum { COMPARISON_FINDS_BYTES = 256 };
bool comparison_finds(const struct compared *compared, char ret_text[COMPARISON_FINDS_BYTES]);

/* The parts of two files, one after the other: the records of the first file, which is BASE, each
 * against that of the same measure at the same place in each other file. */
struct comparisons {
    struct comparison_set *parts;
    size_t count;
    enum change change; /* the worst of all */
    bool is_gate;       /* its verdict is a part of a gate's, which says that of the whole */
};

/* Shows all parts as one document; in the order of the words of --format. False without memory. */
typedef bool comparison_writer(FILE *file, const struct comparisons *comparison);
extern comparison_writer *const comparison_writers[];

/* Compares all records of BASE, and those that other files have more of with BASE's last, and
 * writes it. The worst of them. */
enum change comparison_write_base(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                  bool *ret_whole);

/* The same, with what the other files have of measures that BASE has no record of. */
enum change comparison_write_all(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                 bool *ret_whole);

bool comparison_text(FILE *file, const struct comparisons *comparison);
bool comparison_json(FILE *file, const struct comparisons *comparison);
bool comparison_markdown(FILE *file, const struct comparisons *comparison);

#endif
