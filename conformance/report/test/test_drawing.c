/* Drawings of hostile figures: text stays text, what is no number is not drawn, what has no room is
 * counted. Where bars and points lie, the golden page shows (report.sh). */
#include <math.h>

#include "conformance/base/text.h"
#include "conformance/report/chart.h"
#include "spec/testing.h"

static char *svg_of_bars(const struct bars *bars)
{
    FILE *file = testing_stream();
    bars_svg(file, bars, "a <title>");
    return testing_text(file);
}

static char *svg_of_chart(const struct chart *chart)
{
    FILE *file = testing_stream();
    chart_svg(file, chart, "a <title>");
    return testing_text(file);
}

START_TEST(bars_are_bounded, "report.figure.tooltip")
{
    const struct bar bar = {.group = "group",
                            .label = "one",
                            .tip = "the <tip>",
                            .value = {2000, 2500, 3000, 3},
                            .mark = 1000,
                            .verdict = VERDICT_PASS};
    struct bars bars = {.unit = "GB/s", .mark = "floor"};
    for (int index = 0; index < BARS_MAX + 2; index++)
        bars_add(&bars, &bar);
    ck_assert_uint_eq(bars.count, BARS_MAX);
    ck_assert_double_eq(bars_most(&bars), 3000); /* the end of the longest interval */
    char *text = svg_of_bars(&bars);
    ASSERT_HAS(text, "aria-label=\"a &lt;title&gt;\"");
    ASSERT_HAS(text, "<title>the &lt;tip&gt;</title>");
    ASSERT_HAS(text, "Only in the table: 2 more rows, since 160 bars are drawn.");
    bars_close(&bars);
}

static double number_after(const char *text, const char *words)
{
    while (*text && strncmp(text, words, strlen(words)) != 0)
        text++;
    ck_assert_msg(*text, "no %s", words);
    return strtod(text + strlen(words), NULL);
}

/* A mark right after a bar's end would cross its value, which then comes after the mark. */
START_TEST(a_value_is_written_beside_the_mark, "report.figure.finite")
{
    const struct bar bar = {.group = "group",
                            .label = "one",
                            .tip = "",
                            .value = {2000, 2000, 2000, 3},
                            .mark = 2100,
                            .verdict = VERDICT_PASS};
    struct bars bars = {.unit = "GB/s", .mark = "floor"};
    bars_add(&bars, &bar);
    char *text = svg_of_bars(&bars);
    ck_assert_double_gt(number_after(text, "<text class=\"value\" x=\""),
                        number_after(text, "<path class=\"floor\" d=\"M"));
    bars_close(&bars);
}

START_TEST(points_are_bounded, "report.figure.finite", "report.figure.tooltip")
{
    struct chart chart = {.x = {.label = "x"}, .y = {.label = "y"}};
    struct chart_series *series = chart_series(&chart, "traced", CHART_TRACE);
    chart_point(&chart, series, (struct chart_point){10, 100, 200, 50, ""}, "at <%s>", "ten");
    chart_point(&chart, series, (struct chart_point){0.0 / 0.0, 50, 20, 60, ""}, "nowhere");
    chart_point(&chart, series, (struct chart_point){1, -50, 20, 60, ""}, "nowhere");
    ck_assert_uint_eq(chart_points(&chart), 1);
    /* An interval without its point is invalid. */
    ck_assert_double_eq(series->points[0].lower, 100);
    ck_assert_double_eq(series->points[0].upper, 100);
    for (int index = 0; index < CHART_SERIES_MAX; index++) {
        char name[16];
        snprintf(name, sizeof name, "%d", index);
        chart_point(&chart, chart_series(&chart, name, CHART_POINTS),
                    (struct chart_point){0, 70, 70, 70, ""}, "zero");
    }
    chart_fit(&chart);
    char *text = svg_of_chart(&chart);
    ASSERT_HAS(text, "aria-label=\"a &lt;title&gt;\"");
    ASSERT_HAS(text, "<title>at &lt;ten&gt;</title>");
    ASSERT_HAS(text, "Only in the table: 1 more point, since a chart shows 28 series.");
    chart_close(&chart);
}

/* Where the markers of the first drawing lie: their number, the least distance of two along the
 * farther axis, and how many are in the lowest tenth of the plot. */
static size_t measure_markers(const char *svg, double *ret_apart, size_t *ret_low)
{
    double places[64][2];
    size_t count = 0;
    const char *at = strstr(svg, "<svg class=\"chart wide"), *end = strstr(at, "</svg>");
    *ret_apart = 1e9;
    *ret_low = 0;
    while ((at = strstr(at, "translate(")) != NULL && at < end && count < 64) {
        ck_assert_int_eq(sscanf(at, "translate(%lf %lf)", &places[count][0], &places[count][1]), 2);
        *ret_low += places[count][1] > 348 - 31.2;
        for (size_t other = 0; other < count; other++) {
            const double x = fabs(places[count][0] - places[other][0]);
            const double y = fabs(places[count][1] - places[other][1]);
            *ret_apart = fmin(*ret_apart, fmax(x, y));
        }
        at++;
        count++;
    }
    return count;
}

START_TEST(markers_hide_none, "report.figure.roofline")
{
    struct chart chart = {.x = {.label = "x", .scale = AXIS_LOG10},
                          .y = {.label = "y", .scale = AXIS_LOG10},
                          .apart = true};
    for (int index = 0; index < 27; index++) {
        char name[16];
        snprintf(name, sizeof name, "%d", index);
        chart_point(&chart, chart_series(&chart, name, CHART_POINTS),
                    (struct chart_point){16, 5000 + 20 * index, 0, 0, ""}, "one of 27");
    }
    double apart;
    size_t low;
    chart_fit(&chart);
    char *text = svg_of_chart(&chart);
    ck_assert_uint_eq(measure_markers(text, &apart, &low), 27);
    ck_assert_double_ge(apart, 10.5); /* a marker's width */
    chart_close(&chart);
}

/* A ceiling far above all points must not push them onto the axis. */
START_TEST(points_use_the_height, "report.figure.height")
{
    for (int is_far = 0; is_far < 2; is_far++) {
        struct chart chart = {.x = {.label = "x"}, .y = {.label = "GB/s"}};
        struct chart_series *series = chart_series(&chart, "kernel", CHART_POINTS);
        for (int index = 0; index < 30; index++)
            chart_point(&chart, series, (struct chart_point){index, 30 + 8 * index, 0, 0, ""},
                        "at");
        const double ceiling = is_far ? 3000 : 400;
        chart_point(&chart, chart_series(&chart, "ceiling", CHART_LINE),
                    (struct chart_point){0, ceiling, ceiling, ceiling, ""}, "ceiling");
        double apart;
        size_t low;
        chart_fit(&chart);
        ck_assert_int_eq(chart.y.scale, is_far ? AXIS_LOG10 : AXIS_LINEAR);
        char *text = svg_of_chart(&chart);
        ck_assert_uint_eq(measure_markers(text, &apart, &low), 30);
        ck_assert_uint_lt(low, 15);
        ck_assert(is_far == (strstr(text, "GB/s, logarithmic") != NULL));
        chart_close(&chart);
    }
}

/* Values at the edges of what a record can hold, each alone and each beside each other: an
 * axis is fitted at once, its ticks go up, and every value has a place on it. */
START_TEST(ticks_are_few_whatever_the_values, "report.figure.ticks", "report.figure.finite")
{
    static const double values[] = {0,
                                    1e-9,
                                    0.5,
                                    1,
                                    3,
                                    4096,
                                    9007199254740991,
                                    9007199254740992,
                                    9007199254740994,
                                    999999999999999872,
                                    1e18};
    enum { VALUES = sizeof values / sizeof values[0] };
    for (int form = 0; form < 4 * VALUES * VALUES; form++) {
        struct chart_axis axis = {.scale = form % 4 < 2    ? AXIS_LINEAR
                                           : form % 4 == 2 ? AXIS_LOG2
                                                           : AXIS_LOG10,
                                  .tight = form % 4 == 1};
        const double left = values[form / 4 % VALUES], right = values[form / 4 / VALUES];
        axis_include(&axis, left);
        axis_include(&axis, right);
        axis_fit(&axis, 8);
        ck_assert_int_le(axis.tick_count, AXIS_TICKS_MAX);
        ck_assert(axis.high > axis.low);
        for (int tick = 0; tick < axis.tick_count; tick++) {
            ck_assert(tick == 0 || axis.ticks[tick] > axis.ticks[tick - 1]);
            double place = axis_place(&axis, axis.ticks[tick]);
            ck_assert(place >= 0 && place <= 1);
        }
        ck_assert(axis_place(&axis, left) >= 0 && axis_place(&axis, left) <= 1);
    }
}

START_TEST(numbers_are_short, "report.text.counts")
{
    static const struct {
        double value;
        const char *plain, *bytes;
    } table[] = {
        {0, "0", "0 B"},
        {0.0005, "5.00e-04", "0.0 B"},
        {0.05, "0.0500", "0.1 B"},
        {1, "1.000", "1 B"},
        {99.9949, "99.99", "100 B"},
        {99.996, "100.0", "100 B"},
        {999.94, "999.9", "1000 B"},
        {999.96, "1,000", "1000 B"},
        {1023, "1,023", "1023 B"},
        {1024, "1,024", "1 KiB"},
        {1536, "1,536", "1.5 KiB"},
        {1e14, "100,000,000,000,000", "90.9 TiB"},
        {1e15, "1.00e+15", "909 TiB"},
    };
    char text[NUMBER_TEXT_BYTES];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        ck_assert_str_eq(number_short(table[row].value, text), table[row].plain);
        ck_assert_str_eq(number_bytes(table[row].value, text), table[row].bytes);
    }
}
