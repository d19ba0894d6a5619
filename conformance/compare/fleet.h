/* Which machines of a fleet differ from the rest, and in what: three or more NEW records, each held
 * against what most of them have, and against the median of their speeds (spec/compare.md). */
#ifndef ASSAY_CONFORMANCE_COMPARE_FLEET_H
#define ASSAY_CONFORMANCE_COMPARE_FLEET_H

#include "conformance/compare/difference.h"

enum { FLEET_LEAST = 3, FLEET_ROWS_MAX = 4096 };

/* A machine that has something else than most. */
struct fleet_row {
    size_t machine; /* among the NEW records */
    enum difference_kind kind;
    const char *place;      /* borrowed, as all texts are */
    const char *own, *rest; /* "as BASE" where it is no difference */
};

struct fleet {
    struct fleet_row *rows; /* by machine, in the order of the kinds */
    size_t count, left_out;
    size_t apart; /* machines that have one or more */
    bool failed;
};

/* Adds to each of `count` comparisons with one BASE what is slower, or faster, than the median of
 * all. False without memory. Below FLEET_LEAST there is no rest, and nothing is added. */
bool fleet_compare_speeds(struct compared *each, size_t count);

/* What most have of each difference, and who has something else. False without memory; fleet_close
 * in any case. The comparisons stay as they are while it is open. */
bool fleet_open(struct fleet *ret, const struct compared *each, size_t count);
void fleet_close(struct fleet *fleet);

#endif
