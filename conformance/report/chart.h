/* One chart: series of points with their intervals over an x and a y axis, with lines to hold them
 * against. Drawn as SVG for a page, or as a line of blocks for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_CHART_H
#define ASSAY_CONFORMANCE_REPORT_CHART_H

#include <stddef.h>
#include <stdio.h>

#include "conformance/report/axis.h"

enum { CHART_SERIES_MAX = 28, CHART_NAME_BYTES = 128, CHART_TIP_BYTES = 256 };

enum chart_look {
    CHART_POINTS, /* markers with whiskers */
    CHART_TRACE,  /* the same, joined by a thin line */
    CHART_LINE,   /* a line without markers: a ceiling, a roof */
    CHART_MODEL   /* a dashed line without markers; its style is set to that of what it models */
};

struct chart_point {
    double x, y, lower, upper; /* lower and upper: the interval of y, or both y */
    char tip[CHART_TIP_BYTES];
};

struct chart_series {
    char name[CHART_NAME_BYTES];
    enum chart_look look;
    int style; /* colour and shape, by number; of a CHART_LINE 0, or 1 for a fainter one */
    struct chart_point *points;
    size_t point_count;
};

struct chart {
    struct chart_axis x, y;
    struct chart_series series[CHART_SERIES_MAX];
    int series_count;
    int style_count;
    size_t series_left_out; /* points of those past CHART_SERIES_MAX */
    double least_x, most_x; /* of the points, after chart_fit */
    double mark_x;          /* a vertical line, where above 0 */
    char mark_label[CHART_NAME_BYTES];
    bool apart;  /* markers that would hide one another are drawn side by side */
    bool failed; /* no memory */
};

/* The series of that name and look, begun where it is new; NULL when there are too many. */
struct chart_series *chart_series(struct chart *chart, const char *name, enum chart_look look);

/* Adds a point; one that the axes cannot show is passed over. `tip` is what its tooltip says. */
__attribute__((format(printf, 4, 5))) void chart_point(struct chart *chart,
                                                       struct chart_series *series,
                                                       struct chart_point point, const char *format,
                                                       ...);

/* Sorts each series by x and fits the axes: once, before drawing. An axis of y begins at 0 or, if
 * half of the points would then lie in its lowest tenth, is logarithmic. */
void chart_fit(struct chart *chart);

/* How many points there are to draw. */
size_t chart_points(const struct chart *chart);

void chart_close(struct chart *chart);

/* As SVG with a legend (chart_svg.c). `title` says what it shows, for who cannot see it. */
void chart_svg(FILE *file, const struct chart *chart, const char *title);

#endif
