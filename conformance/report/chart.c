/* Axes, charts and bars, and their SVG; tables (chart.h). Clauses: report.figure.finite,
 * report.figure.ticks, report.figure.height, report.figure.labels, report.figure.tooltip,
 * report.figure.narrow. */
#include "conformance/report/chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"

/* Axes. Clauses: report.figure.finite, report.figure.ticks. */

/* True for what the axis can show: a finite number, above 0 on a log scale. */
static bool axis_takes(const struct chart_axis *axis, double value)
{
    return isfinite(value) && value >= 0 && value <= 1e18 &&
           (axis->scale == AXIS_LINEAR || value >= 1e-9);
}

void axis_include(struct chart_axis *axis, double value)
{
    if (!axis_takes(axis, value))
        return;
    if (!axis->used || value < axis->low)
        axis->low = value;
    if (!axis->used || value > axis->high)
        axis->high = value;
    axis->used = true;
}

void axis_fit(struct chart_axis *axis, int ticks)
{
    double first, last, step, base = 0, pad = 0;
    axis->tick_count = 0;
    if (axis->scale == AXIS_LINEAR && !axis->tight) {
        if (axis->high <= axis->low)
            axis->high = axis->low > 0 ? 2 * axis->low : 1;
        /* 1, 2 or 5 times a power of ten: the least such step that needs no more ticks. */
        static const double factors[] = {1, 2, 5, 10};
        const double least = (axis->high - axis->low) / ticks, power = pow(10, floor(log10(least)));
        int factor = 0;
        while (factor < 3 && factors[factor] * power < least * (1 - 1e-9))
            factor++;
        step = factors[factor] * power;
        first = floor(axis->low / step + 1e-9);
        axis->high = ceil(axis->high / step - 1e-9) * step;
        axis->low = first * step;
    } else if (axis->scale == AXIS_LINEAR) {
        pad = 0.02 * (axis->high - axis->low) + 0.25;
        for (step = 1; step * ticks < axis->high - axis->low;)
            step *= 2;
        first = ceil(axis->low / step);
        while (axis->high + pad <= axis->high || axis->low - pad >= axis->low)
            pad *= 2;
    } else {
        if (axis->low <= 0)
            axis->low = axis->high = 1;
        base = axis->scale == AXIS_LOG2 ? 2 : 10;
        first = floor(log(axis->low) / log(base) + 1e-9);
        last = ceil(log(axis->high) / log(base) - 1e-9);
        last = last > first ? last : first + 1;
        step = ceil((last - first) / ticks);
        axis->low = pow(base, first);
        axis->high = pow(base, last);
    }
    /* Ticks are counted: a place far from 0 plus 1 may be the same place again. */
    for (int tick = 0; tick < AXIS_TICKS_MAX; tick++) {
        const double value = base > 0 ? pow(base, first + tick * step) : (first + tick) * step;
        const bool is_new = axis->tick_count == 0 || value > axis->ticks[axis->tick_count - 1];
        if (is_new && value <= axis->high)
            axis->ticks[axis->tick_count++] = value;
    }
    axis->low -= pad; /* so that no point is on the edge */
    axis->high += pad;
}

const char *axis_text(const struct chart_axis *axis, double value, char ret_text[NUMBER_TEXT_BYTES])
{
    if (axis->bytes)
        return number_bytes(value, ret_text);
    if (axis->scale == AXIS_LOG2)
        return number_binary(value, ret_text);
    if (value >= 1000)
        return number_short(value, ret_text);
    snprintf(ret_text, NUMBER_TEXT_BYTES, "%.4g", value);
    return ret_text;
}

double axis_place(const struct chart_axis *axis, double value)
{
    bool linear = axis->scale == AXIS_LINEAR;
    double low = linear ? axis->low : log(axis->low), high = linear ? axis->high : log(axis->high);
    double at = linear ? value : log(value > axis->low ? value : axis->low);
    double place = (at - low) / (high - low);
    return place > 0 ? place < 1 ? place : 1 : 0;
}

/* The data of a chart. */

struct chart_series *chart_series(struct chart *chart, const char *name, enum chart_look look)
{
    for (int index = 0; index < chart->series_count; index++)
        if (chart->series[index].look == look && strcmp(chart->series[index].name, name) == 0)
            return &chart->series[index];
    if (chart->series_count == CHART_SERIES_MAX)
        return NULL;
    struct chart_series *series = &chart->series[chart->series_count++];
    *series = (struct chart_series){.look = look};
    if (look == CHART_POINTS || look == CHART_TRACE)
        series->style = chart->style_count++;
    snprintf(series->name, sizeof series->name, "%s", name);
    return series;
}

void chart_point(struct chart *chart, struct chart_series *series, struct chart_point point,
                 const char *format, ...)
{
    if (series == NULL) {
        chart->series_left_out++;
        return;
    }
    if (!axis_takes(&chart->x, point.x) || !axis_takes(&chart->y, point.y))
        return;
    if (!axis_takes(&chart->y, point.lower) || point.lower > point.y)
        point.lower = point.y;
    if (!axis_takes(&chart->y, point.upper) || point.upper < point.y)
        point.upper = point.y;
    HEAP_ROOM(series->points, series->point_count);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(point.tip, sizeof point.tip, format, arguments);
    va_end(arguments);
    series->points[series->point_count++] = point;
}

static int compare_points(const void *left, const void *right)
{
    double a = ((const struct chart_point *)left)->x, b = ((const struct chart_point *)right)->x;
    return (a > b) - (a < b);
}

static void include_all(struct chart *chart)
{
    for (int index = 0; index < chart->series_count; index++) {
        const struct chart_series *series = &chart->series[index];
        for (size_t at = 0; at < series->point_count; at++) {
            axis_include(&chart->x, series->points[at].x);
            axis_include(&chart->y, series->points[at].lower);
            axis_include(&chart->y, series->points[at].upper);
        }
    }
}

void chart_fit(struct chart *chart)
{
    for (int index = 0; index < chart->series_count; index++)
        if (chart->series[index].point_count > 0)
            qsort(chart->series[index].points, chart->series[index].point_count,
                  sizeof chart->series[index].points[0], compare_points);
    include_all(chart);
    /* Half of the markers may be in the lowest tenth of what the axis of y includes. */
    size_t count = 0, low = 0;
    for (int index = 0; index < chart->series_count; index++) {
        const struct chart_series *series = &chart->series[index];
        const bool is_marked = series->look == CHART_POINTS || series->look == CHART_TRACE;
        for (size_t at = 0; is_marked && at < series->point_count; at++) {
            count++;
            low += series->points[at].y > 0 && series->points[at].y <= chart->y.high / 10;
        }
    }
    if (chart->y.scale == AXIS_LINEAR && count > 0 && 2 * low >= count) {
        chart->y.scale = AXIS_LOG10;
        chart->y.used = false;
        include_all(chart);
    }
    chart->least_x = chart->x.low;
    chart->most_x = chart->x.high;
    if (chart->y.scale == AXIS_LINEAR)
        chart->y.low = 0; /* a bandwidth is compared from nothing up */
    axis_fit(&chart->x, chart->x.bytes ? 11 : 9);
    axis_fit(&chart->y, 6);
}

size_t chart_points(const struct chart *chart)
{
    size_t count = 0;
    for (int index = 0; index < chart->series_count; index++)
        count += chart->series[index].point_count;
    return count;
}

void chart_close(struct chart *chart)
{
    for (int index = 0; index < chart->series_count; index++)
        free(chart->series[index].points);
    chart->series_count = 0;
}

/* Shared by all drawings. Clauses: report.figure.narrow, report.figure.named. */

static void drawing_open(FILE *file, enum drawing_layout layout, int width, int height,
                         const char *title)
{
    static const char *const classes[DRAWING_LAYOUTS] = {"chart wide", "chart narrow"};
    fprintf(file,
            "<svg class=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"",
            classes[layout], width, height);
    escape_markup(file, "%s\">\n", title);
}

double drawing_text_width(const char *text)
{
    const double letter = 7.4; /* of a wide sans-serif at style.css's size of a chart's text */
    return letter * (double)utf8_letters(text, strlen(text));
}

int drawing_label_step(const struct chart_axis *axis, double length)
{
    double widest = 0, apart = length;
    for (int index = 0; index < axis->tick_count; index++) {
        double width = drawing_text_width(AXIS_TEXT(axis, axis->ticks[index]));
        widest = width > widest ? width : widest;
    }
    if (axis->tick_count > 1)
        apart *= axis_place(axis, axis->ticks[1]) - axis_place(axis, axis->ticks[0]);
    int step = 1;
    while (step < axis->tick_count && step * apart < widest + 8)
        step++;
    return step;
}

/* A chart as inline SVG: colours and strokes are the page's (style.css), places are here.
 * Clauses: report.figure.finite, report.figure.tooltip, report.figure.narrow. */

enum { COLOURS = 7 }; /* style.css has as many */

/* The paper, the edges of the plot on it, and how large its markers are. */
struct sheet {
    int width, height, left, right, top, bottom;
    const char *marker_scale;
    double marker_width;
};

static const struct sheet sheets[DRAWING_LAYOUTS] = {
    [DRAWING_WIDE] = {760, 400, 72, 732, 36, 348, "", 11},
    [DRAWING_NARROW] = {340, 320, 64, 316, 34, 268, " scale(.75)", 8.5},
};

/* As many shapes as a reader distinguishes at a glance; 7 and 8 share no divisor, so that a colour
 * meets another shape each time it comes round. */
static const char *const shapes[] = {
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.8L4.6 3.6H-4.6z",
    "M0 -5.2L4.4 0L0 5.2L-4.4 0z",
    "M0 4.8L4.6 -3.6H-4.6z",
    "M-1.4 -4.6h2.8v3.2h3.2v2.8h-3.2v3.2h-2.8v-3.2h-3.2v-2.8h3.2z",
    "M-4.6 -2.2h9.2v4.4h-9.2z",
    "M-2.2 -4.6h4.4v9.2h-4.4z",
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

static double place_x(const struct sheet *sheet, const struct chart *chart, double value)
{
    return sheet->left + axis_place(&chart->x, value) * (sheet->right - sheet->left);
}

static double place_y(const struct sheet *sheet, const struct chart *chart, double value)
{
    return sheet->bottom - axis_place(&chart->y, value) * (sheet->bottom - sheet->top);
}

static void put_axes(FILE *file, const struct sheet *sheet, const struct chart *chart)
{
    const int step = drawing_label_step(&chart->x, sheet->right - sheet->left);
    for (int index = 0; index < chart->y.tick_count; index++) {
        double y = place_y(sheet, chart, chart->y.ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", sheet->left, y, sheet->right);
        fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">%s</text>\n", sheet->left - 8,
                y + 4, AXIS_TEXT(&chart->y, chart->y.ticks[index]));
    }
    for (int index = 0; index < chart->x.tick_count; index++) {
        double x = place_x(sheet, chart, chart->x.ticks[index]);
        fprintf(file, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", x, sheet->bottom);
        if (index % step == 0)
            fprintf(file, "<text class=\"tick middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x,
                    sheet->bottom + 20, AXIS_TEXT(&chart->x, chart->x.ticks[index]));
    }
    fprintf(file, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", sheet->left, sheet->bottom,
            sheet->right);
    fprintf(file, "<text class=\"label\" x=\"8\" y=\"%d\">", sheet->top - 18);
    escape_markup(file, "%s%s</text>\n", chart->y.label,
                  chart->y.scale == AXIS_LINEAR ? "" : ", logarithmic");
    fprintf(file, "<text class=\"label end\" x=\"%d\" y=\"%d\">", sheet->right, sheet->bottom + 42);
    escape_markup(file, "%s</text>\n", chart->x.label);
}

/* The classes of a series: its colour, and what kind of line it is. */
static void put_class(FILE *file, const struct chart_series *series)
{
    static const char *const looks[] = {[CHART_POINTS] = "points",
                                        [CHART_TRACE] = "trace",
                                        [CHART_LINE] = "line",
                                        [CHART_MODEL] = "model"};
    if (series->look == CHART_LINE)
        fprintf(file, "class=\"%s l%d\"", looks[series->look], series->style % 2);
    else
        fprintf(file, "class=\"%s c%d\"", looks[series->look], series->style % COLOURS);
}

/* The markers of a drawing so far: where the next one must not be. */
struct placed {
    double apart; /* 0: markers may be on one another */
    double *places;
    size_t count;
};

/* The free place nearest to (x, y) on its level, to the right or to the left. */
static double place_apart(struct placed *placed, const struct sheet *sheet, double x, double y)
{
    double free_x = x;
    size_t index = 0;
    if (placed->places == NULL)
        return x;
    for (size_t step = 1; index < placed->count && step <= 2 * placed->count + 2;) {
        const double shift = (double)((step + 1) / 2) * placed->apart;
        const double tried = step % 2 ? x + shift : x - shift;
        const bool hides = fabs(placed->places[2 * index] - free_x) < placed->apart &&
                           fabs(placed->places[2 * index + 1] - y) < placed->apart;
        index = hides ? 0 : index + 1;
        if (hides && tried > sheet->left && tried < sheet->right)
            free_x = tried;
        step += hides;
    }
    placed->places[2 * placed->count] = free_x;
    placed->places[2 * placed->count + 1] = y;
    placed->count++;
    return free_x;
}

static void put_markers(FILE *file, const struct sheet *sheet, const struct chart *chart,
                        const struct chart_series *series, struct placed *placed)
{
    bool quiet = series->look == CHART_LINE || series->look == CHART_MODEL;
    for (size_t index = 0; index < series->point_count; index++) {
        const struct chart_point *point = &series->points[index];
        double x = place_x(sheet, chart, point->x), y = place_y(sheet, chart, point->y);
        x = quiet ? x : place_apart(placed, sheet, x, y);
        fprintf(file, "<g class=\"c%d\">", series->style % COLOURS);
        escape_markup(file, "<title>%s</title>", point->tip);
        double low = place_y(sheet, chart, point->lower),
               high = place_y(sheet, chart, point->upper);
        if (!quiet && low - high > 1)
            fprintf(file, "<path class=\"whisker\" d=\"M%.1f %.1fV%.1f\"/>", x, low, high);
        if (!quiet)
            fprintf(file, "<path class=\"marker\" transform=\"translate(%.1f %.1f)%s\" d=\"%s\"/>",
                    x, y, sheet->marker_scale, shapes[series->style % SHAPE_COUNT]);
        fprintf(file, "<circle class=\"reach\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/></g>\n", x, y);
    }
}

/* Kernels first, then the lines; one word for all models, as each has its kernel's colour. */
static void put_legend(FILE *file, const struct chart *chart)
{
    fputs("<ul class=\"legend\">", file);
    for (int look = CHART_POINTS; look <= CHART_MODEL; look++) {
        for (int index = 0; index < chart->series_count; index++) {
            const struct chart_series *series = &chart->series[index];
            if ((int)series->look != look)
                continue;
            fputs("<li><svg viewBox=\"-14 -7 28 14\" width=\"28\" height=\"14\" "
                  "aria-hidden=\"true\">",
                  file);
            if (look != CHART_POINTS) {
                fputs("<path ", file);
                put_class(file, series);
                fputs(" d=\"M-13 0H13\"/>", file);
            }
            if (look == CHART_POINTS || look == CHART_TRACE)
                fprintf(file, "<g class=\"c%d\"><path class=\"marker\" d=\"%s\"/></g>",
                        series->style % COLOURS, shapes[series->style % SHAPE_COUNT]);
            escape_markup(file, "</svg> %s</li>\n",
                          look == CHART_MODEL ? "sector model, in the kernel's colour"
                                              : series->name);
            if (look == CHART_MODEL)
                break;
        }
    }
    fputs("</ul>\n", file);
    if (chart->series_left_out > 0)
        fprintf(file,
                "<p class=\"quiet\">Only in the table: %s, since a chart shows %d series.</p>\n",
                NUMBER_COUNT(chart->series_left_out, "more point"), CHART_SERIES_MAX);
}

void chart_svg(FILE *file, const struct chart *chart, const char *title)
{
    put_legend(file, chart);
    for (int layout = 0; layout < DRAWING_LAYOUTS; layout++) {
        const struct sheet *sheet = &sheets[layout];
        drawing_open(file, (enum drawing_layout)layout, sheet->width, sheet->height, title);
        put_axes(file, sheet, chart);
        if (chart->mark_x > 0 && chart->mark_x > chart->x.low && chart->mark_x < chart->x.high) {
            double x = place_x(sheet, chart, chart->mark_x);
            bool left = x + 6 + drawing_text_width(chart->mark_label) > sheet->width;
            fprintf(file,
                    "<path class=\"mark\" d=\"M%.1f %dV%d\"/><text class=\"label%s\" x=\"%.1f\" "
                    "y=\"%d\">",
                    x, sheet->top, sheet->bottom, left ? " end" : "", left ? x - 6 : x + 6,
                    sheet->bottom - 10);
            escape_markup(file, "%s</text>\n", chart->mark_label);
        }
        for (int index = 0; index < chart->series_count; index++) {
            if (!(chart->series[index].look == CHART_POINTS ||
                  chart->series[index].point_count == 0)) {
                fputs("<path ", file);
                put_class(file, &chart->series[index]);
                fputs(" d=\"", file);
                for (size_t at = 0; at < chart->series[index].point_count; at++)
                    fprintf(file, "%c%.1f %.1f", at == 0 ? 'M' : 'L',
                            place_x(sheet, chart, chart->series[index].points[at].x),
                            place_y(sheet, chart, chart->series[index].points[at].y));
                /* One point alone is a short dash: a path without length is not seen. */
                escape_markup(file, "%s\"><title>%s</title></path>\n",
                              chart->series[index].point_count == 1 ? "h12" : "",
                              chart->series[index].name);
            }
        }
        struct placed placed = {.apart = sheet->marker_width};
        if (chart->apart)
            placed.places = heap_take(chart_points(chart) * 2, sizeof *placed.places);
        for (int index = 0; index < chart->series_count; index++)
            put_markers(file, sheet, chart, &chart->series[index], &placed);
        free(placed.places);
        fputs("</svg>\n", file);
    }
}

/* Bars as inline SVG. Clauses: report.figure.finite, report.figure.tooltip,
 * report.figure.narrow. */

/* The paper, where bars begin and the longest may end, and how high things are on it. */
struct bar_sheet {
    int width, left, right, row, heading, foot;
    int middle;     /* of a bar in its row */
    bool is_inline; /* labels and verdicts are next to the bar, else on a line above it */
};

static const struct bar_sheet bar_sheets[DRAWING_LAYOUTS] = {
    [DRAWING_WIDE] = {760, 250, 604, 24, 32, 62, 12, true},
    [DRAWING_NARROW] = {340, 0, 268, 42, 34, 62, 28, false},
};

void bars_add(struct bars *bars, const struct bar *bar)
{
    if (bars->count == BARS_MAX) {
        bars->left_out++;
        return;
    }
    HEAP_ROOM(bars->bars, bars->count);
    bars->bars[bars->count++] = *bar;
}

double bars_most(const struct bars *bars)
{
    double most = 0;
    for (size_t index = 0; index < bars->count; index++) {
        const struct bar *bar = &bars->bars[index];
        most = bar->value.upper > most ? bar->value.upper : most;
        most = bar->mark > most ? bar->mark : most;
    }
    return most;
}

void bars_close(struct bars *bars)
{
    free(bars->bars);
    bars->bars = NULL;
    bars->count = 0;
}

static bool begins_group(const struct bars *bars, size_t index)
{
    const char *group = bars->bars[index].group;
    return group[0] && (index == 0 || strcmp(group, bars->bars[index - 1].group) != 0);
}

static double place_bar(const struct bar_sheet *sheet, const struct chart_axis *axis, double value)
{
    return sheet->left + axis_place(axis, value) * (sheet->right - sheet->left);
}

static void put_bar(FILE *file, const struct bar_sheet *sheet, const struct bar *bar,
                    const struct chart_axis *axis, int top)
{
    const double end = place_bar(sheet, axis, bar->value.median);
    const int middle = top + sheet->middle;
    escape_markup(file, "<g><title>%s</title>", bar->tip);
    fprintf(file, "<rect class=\"reach\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>", top,
            sheet->width, sheet->row);
    /* The kernel, cut where it would leave the paper: its whole name is in the tooltip. */
    char label[BARS_TEXT_BYTES];
    const double room = sheet->is_inline ? sheet->left - 20 : sheet->width - 100;
    snprintf(label, sizeof label, "%s", bar->label);
    for (size_t bytes = strlen(label); bytes > 0 && drawing_text_width(label) > room; bytes--)
        label[bytes - 1] = 0;
    if (sheet->is_inline)
        fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%d\">", sheet->left - 10,
                top + sheet->middle + 4);
    else
        fprintf(file, "<text class=\"tick\" x=\"0\" y=\"%d\">", top + 14);
    escape_markup(file, "%s%s</text>", label,
                  strlen(label) < strlen(bar->label) ? "\xe2\x80\xa6" : "");
    fprintf(file, "<rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\"/>",
            verdict_is_failure(bar->verdict) ? " bad" : "", sheet->left, middle - 7,
            end - sheet->left);
    double low = place_bar(sheet, axis, bar->value.lower),
           high = place_bar(sheet, axis, bar->value.upper);
    if (high - low > 1)
        fprintf(file, "<path class=\"whisker\" d=\"M%.1f %dH%.1f\"/>", low, middle, high);
    double mark = place_bar(sheet, axis, bar->mark);
    if (bar->mark > 0)
        fprintf(file, "<path class=\"floor\" d=\"M%.1f %dv20\"/>", mark, middle - 10);
    /* The value after the bar, or after its mark where that would hide it. */
    const char *const number = NUMBER_SHORT(bar->value.median);
    const bool named = bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT;
    const char *word = named ? verdict_name(bar->verdict) : "";
    double right = end > high ? end : high;
    double width = drawing_text_width(number) + 16;
    if (named && sheet->is_inline)
        width += drawing_text_width(word) + 8;
    if (bar->mark > 0 && mark > right - 1 && mark < right + width)
        right = mark;
    fprintf(file, "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s", right + 8, middle + 4, number);
    if (named && sheet->is_inline)
        fprintf(file, " <tspan class=\"verdict %s\">%s</tspan>", word, word);
    fputs("</text>", file);
    if (named && !sheet->is_inline)
        fprintf(file, "<text class=\"end verdict %s\" x=\"%d\" y=\"%d\">%s</text>", word,
                sheet->width, top + 14, word);
    fputs("</g>\n", file);
}

static void put_scale(FILE *file, const struct bar_sheet *sheet, const struct bars *bars,
                      const struct chart_axis *axis, int bottom)
{
    const int step = drawing_label_step(axis, sheet->right - sheet->left);
    for (int index = 0; index < axis->tick_count; index++) {
        double x = place_bar(sheet, axis, axis->ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%.1f 8V%d\"/>", x, bottom);
        if (index % step == 0)
            fprintf(file, "<text class=\"tick%s\" x=\"%.1f\" y=\"%d\">%s</text>\n",
                    x > 0 ? " middle" : "", x, bottom + 16, AXIS_TEXT(axis, axis->ticks[index]));
    }
    fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">%s</text>\n", sheet->left, bottom + 36,
            bars->unit);
    size_t index = 0;
    while (index < bars->count && bars->bars[index].mark <= 0)
        index++;
    if (index < bars->count)
        fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">the upright mark: the %s</text>\n",
                sheet->left, bottom + 54, bars->mark);
}

void bars_svg(FILE *file, const struct bars *bars, const char *title)
{
    struct chart_axis axis = {.scale = AXIS_LINEAR};
    axis_include(&axis, bars_most(bars));
    axis.low = 0;
    axis_fit(&axis, 5);
    for (int layout = 0; layout < DRAWING_LAYOUTS; layout++) {
        const struct bar_sheet *sheet = &bar_sheets[layout];
        int height = 8, top = 8;
        for (size_t index = 0; index < bars->count; index++)
            height += sheet->row + (begins_group(bars, index) ? sheet->heading : 0);
        drawing_open(file, (enum drawing_layout)layout, sheet->width, height + sheet->foot, title);
        put_scale(file, sheet, bars, &axis, height);
        for (size_t index = 0; index < bars->count; index++) {
            if (begins_group(bars, index)) {
                fprintf(file, "<text class=\"heading\" x=\"0\" y=\"%d\">", top + 22);
                escape_markup(file, "%s</text>\n", bars->bars[index].group);
                top += sheet->heading;
            }
            put_bar(file, sheet, &bars->bars[index], &axis, top);
            top += sheet->row;
        }
        fputs("</svg>\n", file);
    }
    if (bars->left_out > 0)
        fprintf(file, "<p class=\"quiet\">Only in the table: %s, since %d bars are drawn.</p>\n",
                NUMBER_COUNT(bars->left_out, "more row"), BARS_MAX);
}

/* Tables of text. Clauses: report.figure.table, report.text.escaped. */

void table_open(struct table *ret, const char *headings)
{
    char *name, *rest = heap_text(headings);
    *ret = (struct table){.names = rest};
    while (ret->column_count < TABLE_COLUMNS_MAX && (name = strsep(&rest, "|")) != NULL)
        ret->headings[ret->column_count++] = name;
}

void table_cell(struct table *table, const char *format, ...)
{
    va_list arguments;
    HEAP_ROOM(table->cells, table->cell_count);
    va_start(arguments, format);
    heap_need(vasprintf(&table->cells[table->cell_count++], format, arguments) >= 0);
    va_end(arguments);
}

void table_texts(struct table *table, const char *const *texts, size_t count)
{
    for (size_t index = 0; index < count; index++)
        table_cell(table, "%s", texts[index]);
}

void table_numbers(struct table *table, const double *values, size_t count)
{
    for (size_t index = 0; index < count; index++)
        table_cell(table, "%s", values[index] > 0 ? NUMBER_SHORT(values[index]) : "");
}

void table_close(struct table *table)
{
    for (size_t index = 0; index < table->cell_count; index++)
        free(table->cells[index]);
    free(table->cells);
    free(table->names);
    *table = (struct table){.column_count = 0};
}

static bool is_number(const struct table *table, int column)
{
    return table->headings[column][0] == '>';
}

/* The cells of a column, row -1 being its heading. */
static const char *cell_of(const struct table *table, int row, int column)
{
    return row < 0 ? table->headings[column] + is_number(table, column)
                   : table->cells[row * table->column_count + column];
}

static int row_count(const struct table *table)
{
    return (int)(table->cell_count / (size_t)table->column_count);
}

/* The columns that are shown: one that says nothing in any row would take the room that the others
 * need. Returns how many they are. */
static int shown_columns(const struct table *table, int ret_columns[TABLE_COLUMNS_MAX])
{
    int count = 0;
    for (int column = 0; column < table->column_count; column++) {
        int row = 0;
        while (row < row_count(table) && cell_of(table, row, column)[0] == 0)
            row++;
        if (row < row_count(table) || row == 0)
            ret_columns[count++] = column;
    }
    return count;
}

void table_html(FILE *file, const struct table *table)
{
    int columns[TABLE_COLUMNS_MAX];
    const int count = shown_columns(table, columns);
    fputs(TABLE_SCROLL "<table>\n<thead><tr>", file);
    for (int index = 0; index < count; index++)
        escape_markup(file,
                      is_number(table, columns[index])
                          ? "<th scope=\"col\" class=\"number\">%s</th>"
                          : "<th scope=\"col\">%s</th>",
                      cell_of(table, -1, columns[index]));
    fputs("</tr></thead>\n<tbody>\n", file);
    for (int row = 0; row < row_count(table); row++) {
        fputs("<tr>", file);
        for (int index = 0; index < count; index++) {
            const char *text = cell_of(table, row, columns[index]);
            fputs(is_number(table, columns[index]) ? "<td class=\"number\">" : "<td>", file);
            if (verdict_find(text) < VERDICT_COUNT)
                fprintf(file, "<span class=\"verdict %s\">%s</span>", text, text);
            else
                escape_html_name(file, text);
            fputs("</td>", file);
        }
        fputs("</tr>\n", file);
    }
    if (row_count(table) == 0)
        fprintf(file, "<tr><td colspan=\"%d\">nothing</td></tr>\n", table->column_count);
    fputs("</tbody></table>" TABLE_SCROLL_END, file);
}

/* Tables as Markdown and for a terminal. Clause: report.text.escaped. */

enum { CELL_LETTERS_MAX = 200 };

static size_t letters_of(const char *text)
{
    const size_t letters = utf8_letters(text, strlen(text));
    return letters < CELL_LETTERS_MAX ? letters : CELL_LETTERS_MAX;
}

void table_markdown(FILE *file, const struct table *table)
{
    int columns[TABLE_COLUMNS_MAX];
    const int count = shown_columns(table, columns);
    for (int index = 0; index < count; index++)
        fprintf(file, "| %s ", cell_of(table, -1, columns[index]));
    fputs("|\n", file);
    for (int index = 0; index < count; index++)
        fputs(is_number(table, columns[index]) ? "|---:" : "|---", file);
    fputs("|\n", file);
    for (int row = 0; row < row_count(table); row++) {
        for (int index = 0; index < count; index++) {
            fputs("| ", file);
            escape_markdown(file, cell_of(table, row, columns[index]));
            fputc(' ', file);
        }
        fputs("|\n", file);
    }
}

void table_text(FILE *file, const struct table *table, int indent)
{
    int columns[TABLE_COLUMNS_MAX];
    const int count = shown_columns(table, columns);
    size_t wide[TABLE_COLUMNS_MAX] = {0};
    for (int index = 0; index < count; index++)
        for (int row = -1; row < row_count(table); row++) {
            const size_t letters = letters_of(cell_of(table, row, columns[index]));
            wide[index] = letters > wide[index] ? letters : wide[index];
        }
    for (int row = -1; row < row_count(table); row++) {
        fprintf(file, "%*s", indent, "");
        for (int index = 0; index < count; index++) {
            /* One cell; the last of a line has nothing after it. */
            const bool number = is_number(table, columns[index]);
            const char *text = cell_of(table, row, columns[index]);
            const int gap = (int)(wide[index] - letters_of(text));
            fprintf(file, "%*s", number ? gap : 0, "");
            escape_line(file, text, CELL_LETTERS_MAX);
            if (index + 1 < count)
                fprintf(file, "%*s", number ? 2 : gap + 2, "");
        }
        fputc('\n', file);
    }
}
