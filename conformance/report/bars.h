/* Bars from 0, one a line, in groups: what was measured, its interval, and a mark to hold it
 * against (a floor, a ceiling). As SVG for a page, as blocks for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_BARS_H
#define ASSAY_CONFORMANCE_REPORT_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "conformance/record/record_fields.h"

enum { BARS_MAX = 160, BARS_TEXT_BYTES = 128, BARS_TIP_BYTES = 256 };

struct bar {
    char group[BARS_TEXT_BYTES]; /* a heading where it changes */
    char label[BARS_TEXT_BYTES];
    char tip[BARS_TIP_BYTES];
    struct spread value;
    double mark;          /* 0: none */
    enum verdict verdict; /* what is not PASS is shown beside the bar */
};

struct bars {
    const char *unit; /* of the values */
    const char *mark; /* what the mark is: "floor" */
    struct bar *bars;
    size_t count, left_out;
    bool failed;
};

/* Adds a copy; past BARS_MAX it is counted alone. */
void bars_add(struct bars *bars, const struct bar *bar);

/* The greatest value, interval or mark. */
double bars_most(const struct bars *bars);

void bars_close(struct bars *bars);

void bars_svg(FILE *file, const struct bars *bars, const char *title);

#endif
