/* Pairs of records for the tests of comparisons: the same record twice, with a few values changed.
 */
#pragma once

#include <jansson.h>

#include "conformance/compare/comparison.h"
#include "conformance/report/loaded.h"
#include "conformance/test/made_json.h"

enum { EDITS_MAX = 8 };

/* A value of a record: "3/device/name", "last/summary/verdict". A value of NULL takes it
 * away, one under a number that is no element is appended. An edit of NONE ends a list. */
struct edit {
    enum { NONE, BASE, NEW, BOTH } of;
    const char *path, *value;
};

/* No record yet, and one more in it. Like all that is made here, kept till the test ends. */
struct loaded *made_loaded(void);
/* Its text gets the ends that it should have. */
void made_loaded_add(struct loaded *loaded, const char *path, const char *text);

/* What `make` makes, twice, as "before" and "after", each with its edits. */
struct loaded *made_pair(json_t *(*make)(void), const struct edit *edits);

/* The first record compared with each other one. */
struct comparison_set *made_set(const struct loaded *loaded);

/* Such a pair compared. */
struct made_comparison {
    struct loaded *loaded;
    struct comparison_set *set;
    const struct compared *it; /* "after" against "before" */
};
struct made_comparison made_comparison(json_t *(*make)(void), const struct edit *edits);

/* Edits with their end; the pair of a comparison with them. */
#define EDITS(...)               ((const struct edit[]){__VA_ARGS__, {NONE, NULL, NULL}})
#define made_compared(make, ...) made_comparison(make, EDITS(__VA_ARGS__))

/* Values for edits: three repeats, sensors of a GPU that another process uses, an occupancy. */
#define GBPS(a, b, c) "[[" #a "],[" #b "],[" #c "]]"
#define OTHERS        "{\"other_processes\":1}"
#define BLOCKS(count) "{\"blocks\":" #count "}"

/* Carries out the edits of one side, and of both. */
void made_pair_edit(json_t *record, const struct edit *edits, int side);

/* The record of a bench whose first measurement is a line of machine code. */
json_t *made_pair_code(void);

/* Gives the first line of that kind another value of a field. */
void made_pair_set(struct loaded_record *record, enum record_kind kind, const char *field,
                   const char *value);

/* The header and the summary of a record, to be changed. */
struct line_header *made_pair_header(struct loaded_record *record);
struct line_summary *made_pair_summary(struct loaded_record *record);

/* Adds one more record. */
void made_pair_add(struct loaded *loaded, json_t *record, const char *path);
