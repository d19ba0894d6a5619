/* The differences of one machine, joined for a reader: what all its GPUs have in common is one
 * point, and so are many things of one kind. */
#pragma once

#include "conformance/fleet/fleet_judged.h"

enum { FLEET_POINT_GPUS_BYTES = 96 };

struct fleet_point {
    const struct fleet_finding *first;   /* the one that is shown */
    size_t places;                       /* how many things of its kind differ */
    size_t gpus;                         /* how many GPUs have it; 0: it is the machine's */
    char labels[FLEET_POINT_GPUS_BYTES]; /* "cuda:0, cuda:3", "8 GPUs", "" */
};

/* The next point from *at on, the worst first; false after the last:
 *
 *     struct fleet_point point;
 *     for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);)
 */
bool fleet_point_next(const struct fleet *fleet, const struct fleet_row *row, size_t *at,
                      struct fleet_point *ret);

/* For each row the index of the first that says the same, with the same verdict: its own if none
 * before it does. For free(). */
size_t *fleet_rows_alike(const struct fleet *fleet);

/* A point in one sentence: "driver 570.86.15; the rest: 580.159.04 (8 GPUs)". Returns ret_text. */
enum { FLEET_POINT_BYTES = 1536 };
const char *fleet_point_words(const struct fleet_point *point, char ret_text[FLEET_POINT_BYTES]);
