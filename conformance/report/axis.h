/* An axis: from values to places on a line, and where its ticks lie. */
#ifndef ASSAY_CONFORMANCE_REPORT_AXIS_H
#define ASSAY_CONFORMANCE_REPORT_AXIS_H

#include <stdbool.h>

#include "conformance/base/number.h"

enum axis_scale { AXIS_LINEAR, AXIS_LOG2, AXIS_LOG10 };

enum { AXIS_TICKS_MAX = 24 };

struct chart_axis {
    const char *label; /* with its unit */
    enum axis_scale scale;
    bool bytes;       /* ticks are written as bytes */
    bool tight;       /* linear: ends at its values, ticks at a power of two: sectors, warps */
    bool used;        /* something was included */
    double low, high; /* what it shows */
    double ticks[AXIS_TICKS_MAX];
    int tick_count;
};

/* True for what the axis can show: a finite number, above 0 on a log scale. */
bool axis_takes(const struct chart_axis *axis, double value);

/* Widens the axis so that it shows `value`. */
void axis_include(struct chart_axis *axis, double value);

/* Rounds what was included to whole ticks and places at most `ticks` of them, more or less. */
void axis_fit(struct chart_axis *axis, int ticks);

/* A tick's text: "4,000", "0.1", "64 KiB". Returns `ret_text`. */
const char *axis_text(const struct chart_axis *axis, double value,
                      char ret_text[NUMBER_TEXT_BYTES]);

/* Where a value lies: 0 at the low end, 1 at the high one, never outside. */
double axis_place(const struct chart_axis *axis, double value);

#endif
