/* Records compared: the records of a first file, BASE, each with the record of the same measure in
 * a second, NEW, and the verdict on all of them, for a terminal, as JSON or as Markdown.
 *
 *     struct report report = {.file = stdout};
 *     enum change change = comparison_report(&report, options->format, &loaded);
 *     return verdict_exit_status(change_verdict(change));
 *
 * `loaded` holds the records of both files, BASE's first. This is the only engine that compares two
 * records; the machines of a fleet are compared in conformance/fleet. */
#pragma once

#include <stdio.h>

#include "conformance/compare/compared.h"
#include "conformance/report/figure.h"
#include "conformance/report/reporter.h"

/* One measure. */
struct comparison_set {
    const struct loaded_record *base;
    const char *part; /* the measure, if a file holds several records; else NULL */
    const char *kind; /* the measure */
    struct compared compared;
};

/* Compares a record of the first file, `base`, with the record of the same measure in the second:
 * that at `place` among those of the measure, or the last; without one NEW lacks the measure.
 * `base` is NULL if the first file has no record of the measure `kind`. */
void comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base, const char *kind, size_t place);
void comparison_close(struct comparison_set *set);

/* A sentence on the slowdowns that it can detect, of each sort of figure; false if no figure was
 * compared. */
enum { COMPARISON_FINDS_BYTES = 512 };
bool comparison_finds(const struct compared *compared, char ret_text[COMPARISON_FINDS_BYTES]);

/* The parts of two files, one after the other: the records of the first file, which is BASE, each
 * against that of the same measure at the same place in the second. */
struct comparisons {
    struct comparison_set *parts;
    size_t count;
    enum change change; /* the worst of all */
    bool is_gate;       /* its verdict is part of a gate's, which gives the verdict of the whole */
};

/* Compares all records of BASE, those that NEW has more of with BASE's last, and what NEW has of
 * measures that BASE has no record of. */
void comparisons_open(struct comparisons *ret, const struct loaded *loaded);
void comparisons_close(struct comparisons *comparison);

/* Shows all parts together. */
typedef void comparison_writer(FILE *file, const struct comparisons *comparison);
comparison_writer comparison_text, comparison_json, comparison_markdown;

/* Compares and writes it. The worst of all. */
enum change comparison_write(FILE *file, const struct loaded *loaded, comparison_writer *write,
                             bool is_gate);

/* The same in any format of --format. What the writers above do not write is of a document: a part
 * for each comparison, whose verdict is that of its change, a check for each figure of both, a
 * finding for each difference. */
enum change comparison_report(struct report *report, enum output_format format,
                              const struct loaded *loaded);

/* For a report of several files: compares each record with the one of the same measure and tier in
 * the first file that has one, and sets loaded->comparison. */
void comparison_of_files(struct loaded *loaded);

/* For `codegen --against`: lines of machine code, each compared with the figures that the file at
 * `path` has of its function (field `against`), in text. */
void comparison_against(FILE *file, const char *path, const struct loaded_lines *lines);
