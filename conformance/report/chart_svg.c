/* A chart as inline SVG (chart.h): colours and strokes are the page's (style.css), places are here.
 * Clauses: report.figure.finite, report.figure.tooltip. */
#include "conformance/report/chart.h"

#include "conformance/report/escape.h"
#include "conformance/report/number.h"

enum {
    WIDTH = 760,
    HEIGHT = 400,
    LEFT = 72,
    RIGHT = 28,
    TOP = 36,
    BOTTOM = 52,
    COLOURS = 7, /* style.css has as many */
};

/* As many shapes as are told apart at a glance; 7 and 8 share no divisor, so that a colour meets
 * another shape each time it comes round. */
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

static double place_x(const struct chart *chart, double value)
{
    return LEFT + axis_place(&chart->x, value) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct chart *chart, double value)
{
    return HEIGHT - BOTTOM - axis_place(&chart->y, value) * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(FILE *file, const struct chart *chart)
{
    char text[NUMBER_TEXT_BYTES];
    const double right = WIDTH - RIGHT, bottom = HEIGHT - BOTTOM;
    for (int index = 0; index < chart->y.tick_count; index++) {
        double y = place_y(chart, chart->y.ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%.0f\"/>", LEFT, y, right);
        fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT - 8, y + 4,
                axis_text(&chart->y, chart->y.ticks[index], text));
    }
    for (int index = 0; index < chart->x.tick_count; index++) {
        double x = place_x(chart, chart->x.ticks[index]);
        fprintf(file, "<path class=\"axis\" d=\"M%.1f %.0fv5\"/>", x, bottom);
        fprintf(file, "<text class=\"tick middle\" x=\"%.1f\" y=\"%.0f\">%s</text>\n", x,
                bottom + 20, axis_text(&chart->x, chart->x.ticks[index], text));
    }
    fprintf(file, "<path class=\"axis\" d=\"M%d %.0fH%.0f\"/>\n", LEFT, bottom, right);
    fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">", LEFT - 64, TOP - 18);
    escape_html(file, chart->y.label);
    fprintf(file, "</text>\n<text class=\"label end\" x=\"%.0f\" y=\"%d\">", right, HEIGHT - 10);
    escape_html(file, chart->x.label);
    fputs("</text>\n", file);
}

static void put_mark(FILE *file, const struct chart *chart)
{
    if (chart->mark_x <= 0 || chart->mark_x <= chart->x.low || chart->mark_x >= chart->x.high)
        return;
    double x = place_x(chart, chart->mark_x);
    bool left = x > WIDTH - 160;
    fprintf(file,
            "<path class=\"mark\" d=\"M%.1f %dV%d\"/><text class=\"label%s\" x=\"%.1f\" y=\"%d\">",
            x, TOP, HEIGHT - BOTTOM, left ? " end" : "", left ? x - 6 : x + 6,
            HEIGHT - BOTTOM - 10);
    escape_html(file, chart->mark_label);
    fputs("</text>\n", file);
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

static void put_line(FILE *file, const struct chart *chart, const struct chart_series *series)
{
    if (series->look == CHART_POINTS || series->point_count == 0)
        return;
    fputs("<path ", file);
    put_class(file, series);
    fputs(" d=\"", file);
    for (size_t index = 0; index < series->point_count; index++)
        fprintf(file, "%c%.1f %.1f", index == 0 ? 'M' : 'L',
                place_x(chart, series->points[index].x), place_y(chart, series->points[index].y));
    /* One point alone is a short dash: a path without length is not seen. */
    fprintf(file, "%s\"><title>", series->point_count == 1 ? "h12" : "");
    escape_html(file, series->name);
    fputs("</title></path>\n", file);
}

static void put_markers(FILE *file, const struct chart *chart, const struct chart_series *series)
{
    bool quiet = series->look == CHART_LINE || series->look == CHART_MODEL;
    for (size_t index = 0; index < series->point_count; index++) {
        const struct chart_point *point = &series->points[index];
        double x = place_x(chart, point->x), y = place_y(chart, point->y);
        fprintf(file, "<g class=\"c%d\"><title>", series->style % COLOURS);
        escape_html(file, point->tip);
        fputs("</title>", file);
        double low = place_y(chart, point->lower), high = place_y(chart, point->upper);
        if (!quiet && low - high > 1)
            fprintf(file, "<path class=\"whisker\" d=\"M%.1f %.1fV%.1f\"/>", x, low, high);
        if (!quiet)
            fprintf(file, "<path class=\"marker\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>", x,
                    y, shapes[series->style % SHAPE_COUNT]);
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
    fputs("</svg> ", file);
    escape_html(file, model ? "sector model, in the kernel's colour" : series->name);
    fputs("</li>\n", file);
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
        fprintf(file,
                "<p class=\"quiet\">In the table alone: %s, as a chart shows %d series.</p>\n",
                number_count(chart->series_left_out, "more point", number), CHART_SERIES_MAX);
}

void chart_svg(FILE *file, const struct chart *chart, const char *title)
{
    put_legend(file, chart);
    fprintf(file,
            "<div class=\"scroll\" tabindex=\"0\"><svg class=\"chart\" "
            "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"",
            WIDTH, HEIGHT);
    escape_html(file, title);
    fputs("\">\n", file);
    put_axes(file, chart);
    put_mark(file, chart);
    for (int index = 0; index < chart->series_count; index++)
        put_line(file, chart, &chart->series[index]);
    for (int index = 0; index < chart->series_count; index++)
        put_markers(file, chart, &chart->series[index]);
    fputs("</svg></div>\n", file);
}
