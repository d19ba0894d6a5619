/* Drawings of figures that are known: every bar, mark, whisker and point stands where its number
 * says, and what is not drawn is counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/bars.h"
#include "conformance/report/chart.h"
#include "conformance/report/drawing.h"
#include "conformance/base/number.h"
#include "spec/testing.h"

static char *svg_of_bars(const struct bars *bars)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    bars_svg(file, bars, "a <title>");
    fclose(file);
    return text;
}

static char *svg_of_chart(const struct chart *chart)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    chart_svg(file, chart, "a <title>");
    fclose(file);
    return text;
}

static void must_hold(const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        ck_assert_msg(strstr(text, *parts) != NULL, "no %s in %s", *parts, text);
}

/* From 0 to 5000 on a paper from 250 to 604 wide, from 0 to 268 narrow. */
START_TEST(bars_are_as_long_as_their_numbers)
{
    CLAUSE("report.figure.floor");
    CLAUSE("report.figure.tooltip");
    static const char *const parts[] = {
        "aria-label=\"a &lt;title&gt;\"",
        "<title>the &lt;tip&gt;</title>",
        "<rect class=\"bar\" x=\"250\" y=\"45\" width=\"177.0\" height=\"14\"/>",
        "<rect class=\"bar\" x=\"0\" y=\"63\" width=\"134.0\" height=\"14\"/>",
        "<path class=\"whisker\" d=\"M391.6 52H462.4\"/>",
        "<path class=\"floor\" d=\"M320.8 42v20\"/>",
        "<text class=\"value\" x=\"470.4\" y=\"56\">2,500</text>",
        "<rect class=\"bar bad\" x=\"250\" y=\"69\" width=\"70.8\" height=\"14\"/>",
        "1,000 <tspan class=\"verdict FAIL\">FAIL</tspan>",
        "<path class=\"floor\" d=\"M604.0 66v20\"/>",
        "the upright mark: the floor",
        ">0</text>",
        ">5,000</text>",
        NULL,
    };
    static const struct bar good = {.group = "group",
                                    .label = "one",
                                    .tip = "the <tip>",
                                    .value = {2000, 2500, 3000, 3},
                                    .mark = 1000,
                                    .verdict = VERDICT_PASS};
    static const struct bar bad = {.group = "group",
                                   .label = "two",
                                   .value = {1000, 1000, 1000, 3},
                                   .mark = 5000,
                                   .verdict = VERDICT_FAIL};
    struct bars bars = {.unit = "GB/s", .mark = "floor"};
    bars_add(&bars, &good);
    bars_add(&bars, &bad);
    char *text = svg_of_bars(&bars);
    must_hold(text, parts);
    ck_assert_ptr_null(strstr(text, "Only in the table"));
    free(text);
    bars_close(&bars);
    /* The end of the longest interval is on the paper too. */
    bars_add(&bars, &good);
    ck_assert_double_eq(bars_most(&bars), 3000);
    bars_close(&bars);
    for (int index = 0; index < BARS_MAX + 2; index++)
        bars_add(&bars, &good);
    ck_assert_uint_eq(bars.count, BARS_MAX);
    text = svg_of_bars(&bars);
    ck_assert_ptr_nonnull(strstr(text, "Only in the table: 2 more rows, as 160 bars are drawn."));
    free(text);
    bars_close(&bars);
}
END_TEST

/* x from 0 to 10 on 72 to 732, y from 0 to 100 on 348 to 36. */
START_TEST(points_stand_at_their_numbers)
{
    CLAUSE("report.figure.finite");
    CLAUSE("report.figure.tooltip");
    static const char *const parts[] = {
        "aria-label=\"a &lt;title&gt;\"",
        "<title>at &lt;five&gt;</title><path class=\"whisker\" d=\"M402.0 285.6V160.8\"/>",
        "transform=\"translate(402.0 192.0)\"",
        "transform=\"translate(732.0 36.0)\"",
        "d=\"M402.0 192.0L732.0 36.0\"><title>traced</title>",
        "<path class=\"mark\" d=\"M204.0 36V348\"/>",
        "Only in the table: 1 more point, as a chart shows 28 series.",
        NULL,
    };
    struct chart chart = {
        .x = {.label = "x"}, .y = {.label = "y"}, .mark_x = 2, .mark_label = "here"};
    struct chart_series *series = chart_series(&chart, "traced", CHART_TRACE);
    chart_point(&chart, series, (struct chart_point){10, 100, 200, 50, ""}, "at ten");
    chart_point(&chart, series, (struct chart_point){5, 50, 20, 60, ""}, "at <%s>", "five");
    chart_point(&chart, series, (struct chart_point){0.0 / 0.0, 50, 20, 60, ""}, "nowhere");
    chart_point(&chart, series, (struct chart_point){1, -50, 20, 60, ""}, "nowhere");
    ck_assert_uint_eq(chart_points(&chart), 2);
    /* An interval that does not hold its point is none. */
    ck_assert_double_eq(series->points[0].lower, 100);
    ck_assert_double_eq(series->points[0].upper, 100);
    for (int index = 0; index < CHART_SERIES_MAX; index++) {
        char name[16];
        snprintf(name, sizeof name, "%d", index);
        chart_point(&chart, chart_series(&chart, name, CHART_POINTS),
                    (struct chart_point){0, 70, 70, 70, ""}, "zero");
    }
    chart_fit(&chart);
    ck_assert_double_eq(chart.y.low, 0);
    char *text = svg_of_chart(&chart);
    must_hold(text, parts);
    free(text);
    chart_close(&chart);
}
END_TEST

/* A byte of a letter is no letter. */
/* Values at the edges of what a record can hold, each alone and each beside each other: an
 * axis is fitted at once, its ticks go up, and every value has a place on it. */
START_TEST(ticks_are_few_whatever_the_values)
{
    CLAUSE("report.figure.ticks");
    CLAUSE("report.figure.finite");
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
END_TEST

START_TEST(text_is_as_wide_as_its_letters)
{
    CLAUSE("report.figure.labels");
    ck_assert_double_eq(drawing_text_width("\xc2\xb5\xe2\x80\xa6s"), drawing_text_width("abc"));
}
END_TEST

START_TEST(numbers_are_short)
{
    CLAUSE("report.text.counts");
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
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"bars are as long as their numbers", bars_are_as_long_as_their_numbers},
        {"points stand at their numbers", points_stand_at_their_numbers},
        {"ticks are few whatever the values", ticks_are_few_whatever_the_values},
        {"text is as wide as its letters", text_is_as_wide_as_its_letters},
        {"numbers are short", numbers_are_short},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "drawing", tests);
}
