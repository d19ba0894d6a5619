/* The data of a chart (chart.h). */
#include "conformance/report/chart.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"

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
    if (!ARRAY_ROOM(series->points, series->point_count)) {
        chart->failed = true;
        return;
    }
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

/* True if half of the markers lie in the lowest tenth of what the axis of y includes. */
static bool is_low(const struct chart *chart)
{
    size_t count = 0, low = 0;
    for (int index = 0; index < chart->series_count; index++) {
        const struct chart_series *series = &chart->series[index];
        const bool is_marked = series->look == CHART_POINTS || series->look == CHART_TRACE;
        for (size_t at = 0; is_marked && at < series->point_count; at++) {
            count++;
            low += series->points[at].y > 0 && series->points[at].y <= chart->y.high / 10;
        }
    }
    return count > 0 && 2 * low >= count;
}

void chart_fit(struct chart *chart)
{
    for (int index = 0; index < chart->series_count; index++)
        if (chart->series[index].point_count > 0)
            qsort(chart->series[index].points, chart->series[index].point_count,
                  sizeof chart->series[index].points[0], compare_points);
    include_all(chart);
    if (chart->y.scale == AXIS_LINEAR && is_low(chart)) {
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
