/* Drawings of a figure: axes, a chart of points over two axes, bars side by side. Fill a `struct
 * chart` with chart_series and chart_point or a `struct bars` with bars_add, then write it as SVG
 * for a page (chart_svg, bars_svg) or as lines for a terminal (terminal.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"

/* An axis: from values to places on a line, and where its ticks are. */

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

/* Widens the axis so that it shows `value`. */
void axis_include(struct chart_axis *axis, double value);

/* Rounds what was included to whole ticks and places at most `ticks` of them, more or less. */
void axis_fit(struct chart_axis *axis, int ticks);

/* A tick's text: "4,000", "0.1", "64 KiB". Returns `ret_text`. */
const char *axis_text(const struct chart_axis *axis, double value,
                      char ret_text[NUMBER_TEXT_BYTES]);
#define AXIS_TEXT(axis, value) axis_text(axis, value, (char[NUMBER_TEXT_BYTES]){0})

/* The position of a value: 0 at the low end, 1 at the high one, never outside. */
double axis_place(const struct chart_axis *axis, double value);

/* One chart: series of points with their intervals over an x and a y axis, with lines to hold them
 * against. Drawn as SVG for a page, or as a line of blocks for a terminal. */

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
    bool apart; /* markers that would hide one another are drawn side by side */
};

/* The series of that name and look, begun where it is new; NULL when there are too many. */
struct chart_series *chart_series(struct chart *chart, const char *name, enum chart_look look);

/* Adds a point; one that the axes cannot show is passed over. `tip` is what its tooltip says. */
__attribute__((format(printf, 4, 5))) void chart_point(struct chart *chart,
                                                       struct chart_series *series,
                                                       struct chart_point point, const char *format,
                                                       ...);

/* Sorts each series by x and fits the axes: once, before drawing. An axis of y begins at 0 or, if
 * half of the points would then be in its lowest tenth, is logarithmic. */
void chart_fit(struct chart *chart);

/* How many points there are to draw. */
size_t chart_points(const struct chart *chart);

void chart_close(struct chart *chart);

/* As SVG with a legend. `title` says what it shows, for who cannot see it. */
void chart_svg(FILE *file, const struct chart *chart, const char *title);

/* Bars from 0, one a line, in groups: what was measured, its interval, and a mark to hold it
 * against (a floor, a ceiling). As SVG for a page, as blocks for a terminal. */

enum { BARS_MAX = 160, BARS_TEXT_BYTES = 128, BARS_TIP_BYTES = 256 };

struct bar {
    char group[BARS_TEXT_BYTES]; /* a heading where it changes */
    char label[BARS_TEXT_BYTES];
    char tip[BARS_TIP_BYTES];
    struct spread value;
    double mark;          /* 0: none */
    enum verdict verdict; /* what is not PASS is shown next to the bar */
};

struct bars {
    const char *unit; /* of the values */
    const char *mark; /* what the mark is: "floor" */
    struct bar *bars;
    size_t count, left_out;
};

/* Adds a copy; past BARS_MAX it is counted alone. */
void bars_add(struct bars *bars, const struct bar *bar);

/* The greatest value, interval or mark. */
double bars_most(const struct bars *bars);

void bars_close(struct bars *bars);

void bars_svg(FILE *file, const struct bars *bars, const char *title);

/* Shared by all drawings of a page. Each is made twice, wide for a screen and for paper, narrow for
 * a phone, and style.css shows the one that fits: an SVG that only shrinks has letters that nobody
 * can read. */

enum drawing_layout { DRAWING_WIDE, DRAWING_NARROW, DRAWING_LAYOUTS };

/* How wide a text is at most, in the drawing's own units. */
double drawing_text_width(const char *text);

/* The step between the labelled ticks of an axis `length` long, so that no two labels touch. */
int drawing_label_step(const struct chart_axis *axis, double length);

/* A table of text: every figure has one, with the numbers that it draws. */

enum { TABLE_COLUMNS_MAX = 16 };

struct table {
    char *names;                             /* of all headings, which are in it */
    const char *headings[TABLE_COLUMNS_MAX]; /* one that begins with '>' heads numbers */
    int column_count;
    char **cells; /* row after row */
    size_t cell_count;
};

/* Begins a table: table_open(&table, "kernel|path|>GB/s"). */
void table_open(struct table *ret, const char *headings);

/* Puts the next cell, as printf would. */
__attribute__((format(printf, 2, 3))) void table_cell(struct table *table, const char *format, ...);

/* Puts the next cells, each a text. */
#define TABLE_TEXTS(table, ...)                                                                    \
    table_texts(table, (const char *const[]){__VA_ARGS__},                                         \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void table_texts(struct table *table, const char *const *texts, size_t count);

/* The same of numbers; "" of one that is not above 0. */
#define TABLE_NUMBERS(table, ...)                                                                  \
    table_numbers(table, (const double[]){__VA_ARGS__},                                            \
                  sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void table_numbers(struct table *table, const double *values, size_t count);

void table_close(struct table *table);

/* What is around each table of a page: it scrolls by itself, by the keyboard too, and above a table
 * that is wider than its room style.css shows the hint. */
#define TABLE_SCROLL                                                                               \
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"A table of numbers\">"      \
    "<div class=\"across\"><p class=\"hint\"><span>the table scrolls sideways "                    \
    "\xe2\x86\x92</span></p>"
#define TABLE_SCROLL_END "</div></div>\n"

/* As HTML; a cell that is a verdict's word looks like one, a column without a word is left out. */
void table_html(FILE *file, const struct table *table);

/* As a table of Markdown, with the same columns left out. */
void table_markdown(FILE *file, const struct table *table);

/* For a terminal: columns aligned, each as wide as its longest cell, every line after `indent`. */
void table_text(FILE *file, const struct table *table, int indent);
