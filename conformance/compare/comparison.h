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

/* How it is shown; in the order of the words of --format. False without memory. */
typedef bool comparison_writer(FILE *file, const struct comparison_set *set);
extern comparison_writer *const comparison_writers[];

/* All records of the first file, which is BASE, one after the other, each against that of the same
 * measure at the same place in each other file; more of them than BASE has are held against the
 * last of BASE. The worst of them. */
enum change comparison_write_base(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                  bool *ret_whole);

/* The same, then what the other files have of measures that BASE has no record of, and of several
 * parts a last line with the worst. */
enum change comparison_write_all(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                 bool *ret_whole);

bool comparison_text(FILE *file, const struct comparison_set *set);
bool comparison_json(FILE *file, const struct comparison_set *set);
bool comparison_markdown(FILE *file, const struct comparison_set *set);

#endif
