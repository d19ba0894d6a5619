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

void chart_fit(struct chart *chart)
{
    for (int index = 0; index < chart->series_count; index++) {
        struct chart_series *series = &chart->series[index];
        if (series->point_count > 0)
            qsort(series->points, series->point_count, sizeof series->points[0], compare_points);
        for (size_t at = 0; at < series->point_count; at++) {
            axis_include(&chart->x, series->points[at].x);
            axis_include(&chart->y, series->points[at].lower);
            axis_include(&chart->y, series->points[at].upper);
        }
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
