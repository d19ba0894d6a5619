/* Records compared: the records of a first file, BASE, each with the record of the same measure in
 * every other file, and the verdict on all of them, for a terminal, as JSON or as Markdown.
 *
 *     enum change change = comparison_write(stdout, &loaded, comparison_text, false);
 *     return change_exit_status(change);
 *
 * `loaded` holds the files' records, BASE's first. Three or more files are a fleet, whose machines
 * are compared with each other, too. This is the only engine that compares records. */
#pragma once

#include <stdio.h>

#include "conformance/compare/compared.h"
#include "conformance/report/figure.h"

/* The machines of a fleet that differ from the rest, and how. */
enum { FLEET_LEAST = 3, FLEET_ROWS_MAX = 4096 };

/* A machine that differs from most. */
struct fleet_row {
    size_t machine; /* among the NEW records */
    enum difference_kind kind;
    const char *place;      /* borrowed, as all texts are */
    const char *own, *rest; /* "as BASE" if it is not a difference */
};

struct fleet {
    struct fleet_row *rows; /* by machine, in the order of the kinds */
    size_t count, left_out;
    size_t apart; /* machines that have one or more */
};

/* Adds to each of `count` comparisons with one BASE the speeds below or above the median of all.
 * Below FLEET_LEAST there is no rest, and nothing is added. */
void fleet_compare_speeds(struct compared *each, size_t count);

/* The most frequent value of each difference, and the records with another one. The comparisons
 * stay as they are until fleet_close. */
void fleet_open(struct fleet *ret, const struct compared *each, size_t count);
void fleet_close(struct fleet *fleet);

/* One measure. */
struct comparison_set {
    const struct loaded_record *base;
    const char *part;      /* the measure, if a file holds several records; else NULL */
    const char *kind;      /* the measure */
    struct compared *each; /* one for each NEW */
    size_t count;
    struct fleet fleet; /* of three or more */
};

/* Compares a record of the first file, `base`, with the record of the same measure in each other
 * file: that at `place` among those of the measure, or the last; a file without one lacks the
 * measure. `base` is NULL if the first file has no record of the measure `kind`. */
void comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base, const char *kind, size_t place);
void comparison_close(struct comparison_set *set);

/* The worst change of all. */
enum change comparison_change(const struct comparison_set *set);

/* A sentence on the slowdowns that it can detect, of each sort of figure; false if no figure was
 * compared. */
enum { COMPARISON_FINDS_BYTES = 512 };
bool comparison_finds(const struct compared *compared, char ret_text[COMPARISON_FINDS_BYTES]);

/* The parts of two files, one after the other: the records of the first file, which is BASE, each
 * against that of the same measure at the same place in each other file. */
struct comparisons {
    struct comparison_set *parts;
    size_t count;
    enum change change; /* the worst of all */
    bool is_gate;       /* its verdict is part of a gate's, which gives the verdict of the whole */
};

/* Shows all parts as one document, in the order of the words of --format. */
typedef void comparison_writer(FILE *file, const struct comparisons *comparison);
extern comparison_writer *const comparison_writers[];

/* Compares all records of BASE, those that other files have more of with BASE's last, and what
 * other files have of measures that BASE has no record of, and writes it. The worst of them. */
enum change comparison_write(FILE *file, const struct loaded *loaded, comparison_writer *write,
                             bool is_gate);

/* For a report of several files: compares each record with the one of the same measure and tier in
 * the first file that has one, and sets loaded->comparison. */
void comparison_of_files(struct loaded *loaded);

/* For `codegen --against`: lines of machine code, each compared with the figures that the file at
 * `path` has of its function (field `against`), in text. */
void comparison_against(FILE *file, const char *path, const struct loaded_lines *lines);

comparison_writer comparison_text, comparison_json, comparison_markdown;

/* A machine a row: verdict, differences from BASE by section, and how many of them most have not.
 * To be closed. */
void fleet_table_counts(const struct comparison_set *set, struct table *ret);

/* A difference from the rest a row. To be closed. */
void fleet_table_rows(const struct comparison_set *set, struct table *ret);

/* "2 of 5 machines differ from the rest in 3 things". */
enum { FLEET_SENTENCE_BYTES = 160 };
void fleet_sentence(const struct comparison_set *set, char ret_text[FLEET_SENTENCE_BYTES]);
