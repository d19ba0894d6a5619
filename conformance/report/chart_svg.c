/* A chart as inline SVG (chart.h): colours and strokes are the page's (style.css), places are here.
 * Clauses: report.figure.finite, report.figure.tooltip, report.figure.narrow. */
#include "conformance/report/chart.h"

#include <math.h>
#include <stdlib.h>

#include "conformance/report/drawing.h"
#include "conformance/base/escape.h"
#include "conformance/base/number.h"

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
    char text[NUMBER_TEXT_BYTES];
    const int step = drawing_label_step(&chart->x, sheet->right - sheet->left);
    for (int index = 0; index < chart->y.tick_count; index++) {
        double y = place_y(sheet, chart, chart->y.ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", sheet->left, y, sheet->right);
        fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">%s</text>\n", sheet->left - 8,
                y + 4, axis_text(&chart->y, chart->y.ticks[index], text));
    }
    for (int index = 0; index < chart->x.tick_count; index++) {
        double x = place_x(sheet, chart, chart->x.ticks[index]);
        fprintf(file, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", x, sheet->bottom);
        if (index % step == 0)
            fprintf(file, "<text class=\"tick middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x,
                    sheet->bottom + 20, axis_text(&chart->x, chart->x.ticks[index], text));
    }
    fprintf(file, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", sheet->left, sheet->bottom,
            sheet->right);
    fprintf(file, "<text class=\"label\" x=\"8\" y=\"%d\">", sheet->top - 18);
    escape_markup(file, "%s%s</text>\n", chart->y.label,
                  chart->y.scale == AXIS_LINEAR ? "" : ", logarithmic");
    fprintf(file, "<text class=\"label end\" x=\"%d\" y=\"%d\">", sheet->right, sheet->bottom + 42);
    escape_markup(file, "%s</text>\n", chart->x.label);
}

static void put_mark(FILE *file, const struct sheet *sheet, const struct chart *chart)
{
    if (chart->mark_x <= 0 || chart->mark_x <= chart->x.low || chart->mark_x >= chart->x.high)
        return;
    double x = place_x(sheet, chart, chart->mark_x);
    bool left = x + 6 + drawing_text_width(chart->mark_label) > sheet->width;
    fprintf(file,
            "<path class=\"mark\" d=\"M%.1f %dV%d\"/><text class=\"label%s\" x=\"%.1f\" y=\"%d\">",
            x, sheet->top, sheet->bottom, left ? " end" : "", left ? x - 6 : x + 6,
            sheet->bottom - 10);
    escape_markup(file, "%s</text>\n", chart->mark_label);
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

static void put_line(FILE *file, const struct sheet *sheet, const struct chart *chart,
                     const struct chart_series *series)
{
    if (series->look == CHART_POINTS || series->point_count == 0)
        return;
    fputs("<path ", file);
    put_class(file, series);
    fputs(" d=\"", file);
    for (size_t index = 0; index < series->point_count; index++)
        fprintf(file, "%c%.1f %.1f", index == 0 ? 'M' : 'L',
                place_x(sheet, chart, series->points[index].x),
                place_y(sheet, chart, series->points[index].y));
    /* One point alone is a short dash: a path without length is not seen. */
    escape_markup(file, "%s\"><title>%s</title></path>\n", series->point_count == 1 ? "h12" : "",
                  series->name);
}

/* The markers of a drawing so far: where the next one must not be. */
struct placed {
    double apart; /* 0: markers may lie on one another */
    double *places;
    size_t count;
};

static bool is_free(const struct placed *placed, double x, double y)
{
    for (size_t index = 0; index < placed->count; index++)
        if (fabs(placed->places[2 * index] - x) < placed->apart &&
            fabs(placed->places[2 * index + 1] - y) < placed->apart)
            return false;
    return true;
}

/* The free place nearest to (x, y) on its level, to the right or to the left. */
static double place_apart(struct placed *placed, const struct sheet *sheet, double x, double y)
{
    double free_x = x;
    if (placed->places == NULL)
        return x;
    for (size_t step = 1; !is_free(placed, free_x, y) && step <= 2 * placed->count + 2; step++) {
        const double shift = (double)((step + 1) / 2) * placed->apart;
        const double tried = step % 2 ? x + shift : x - shift;
        free_x = tried > sheet->left && tried < sheet->right ? tried : free_x;
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

static void put_legend_item(FILE *file, const struct chart_series *series)
{
    bool model = series->look == CHART_MODEL;
    fputs("<li><svg viewBox=\"-14 -7 28 14\" width=\"28\" height=\"14\" aria-hidden=\"true\">",
          file);
    if (series->look != CHART_POINTS) {
        fputs("<path ", file);
        put_class(file, series);
        fputs(" d=\"M-13 0H13\"/>", file);
    }
    if (series->look == CHART_POINTS || series->look == CHART_TRACE)
        fprintf(file, "<g class=\"c%d\"><path class=\"marker\" d=\"%s\"/></g>",
                series->style % COLOURS, shapes[series->style % SHAPE_COUNT]);
    escape_markup(file, "</svg> %s</li>\n",
                  model ? "sector model, in the kernel's colour" : series->name);
}

/* Kernels first, then the lines; one word for all models, as each has its kernel's colour. */
static void put_legend(FILE *file, const struct chart *chart)
{
    char number[NUMBER_COUNT_BYTES];
    fputs("<ul class=\"legend\">", file);
    for (int look = CHART_POINTS; look <= CHART_MODEL; look++) {
        for (int index = 0; index < chart->series_count; index++) {
            if ((int)chart->series[index].look != look)
                continue;
            put_legend_item(file, &chart->series[index]);
            if (look == CHART_MODEL)
                break;
        }
    }
    fputs("</ul>\n", file);
    if (chart->series_left_out > 0)
        fprintf(file, "<p class=\"quiet\">Only in the table: %s, as a chart shows %d series.</p>\n",
                number_count(chart->series_left_out, "more point", number), CHART_SERIES_MAX);
}

void chart_svg(FILE *file, const struct chart *chart, const char *title)
{
    put_legend(file, chart);
    for (int layout = 0; layout < DRAWING_LAYOUTS; layout++) {
        const struct sheet *sheet = &sheets[layout];
        drawing_open(file, (enum drawing_layout)layout, sheet->width, sheet->height, title);
        put_axes(file, sheet, chart);
        put_mark(file, sheet, chart);
        for (int index = 0; index < chart->series_count; index++)
            put_line(file, sheet, chart, &chart->series[index]);
        struct placed placed = {.apart = sheet->marker_width};
        if (chart->apart) /* without memory they lie on one another */
            placed.places = malloc((chart_points(chart) + 1) * 2 * sizeof *placed.places);
        for (int index = 0; index < chart->series_count; index++)
            put_markers(file, sheet, chart, &chart->series[index], &placed);
        free(placed.places);
        drawing_close(file);
    }
}
