/* The form of reports where values are hostile or absent; what they look like else, the golden page
 * shows (report.sh). */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/report/chart.h"
#include "conformance/report/figure.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE

START_TEST(labels_do_not_touch, "report.figure.labels")
{
    static const struct chart_axis axes[] = {
        {.scale = AXIS_LOG2, .bytes = true, .low = 4096, .high = 4294967296},
        {.scale = AXIS_LOG10, .low = 1e-9, .high = 1e18},
        {.scale = AXIS_LINEAR, .high = 1e9},
        {.scale = AXIS_LINEAR, .tight = true, .low = 7, .high = 7},
    };
    const double length = 252;
    for (size_t index = 0; index < sizeof axes / sizeof axes[0]; index++) {
        struct chart_axis axis = axes[index];
        char text[2][NUMBER_TEXT_BYTES];
        axis_fit(&axis, 9);
        int step = drawing_label_step(&axis, length);
        for (int at = step; at < axis.tick_count; at += step) {
            double left = axis_place(&axis, axis.ticks[at - step]) * length;
            double right = axis_place(&axis, axis.ticks[at]) * length;
            double wide = drawing_text_width(axis_text(&axis, axis.ticks[at - step], text[0])) +
                          drawing_text_width(axis_text(&axis, axis.ticks[at], text[1]));
            ck_assert_msg(right - left >= wide / 2, "%s touches %s", text[0], text[1]);
        }
    }
}

/* The check that every page of these tests goes through finds what it is there for. */
#define SCROLL "<div class=\"scroll\"><div class=\"across\">"
#define HINT   "<p class=\"hint\">it scrolls</p>"
START_TEST(names_are_missed, "report.figure.named", "report.figure.narrow", "report.html.phone")
{
    static const struct {
        const char *page, *why; /* NULL: good */
    } table[] = {
        {"<svg role=\"img\" aria-label=\"bars\"></svg>", NULL},
        {"<svg aria-hidden=\"true\"><path/></svg>", NULL},
        {"<svg role=\"img\" aria-label=\"\"></svg>", "a drawing without a name"},
        {"<svg role=\"img\"><path/></svg>", "a drawing without a name"},
        {SCROLL HINT "<table><tr><th scope=\"col\">n</th></tr></table></div></div>", NULL},
        {SCROLL HINT "<table><tr><th class=\"number\">n</th></tr></table></div></div>",
         "a heading without a scope"},
        {SCROLL "<table><tr/></table></div></div>", "a table that does not say that it scrolls"},
        {"<div>" HINT "<table/></div>", "a table that does not say that it scrolls"},
        {SCROLL HINT "<table/><table/></div></div>", "a table that does not say that it scrolls"},
        {"<table class=\"pairs\"/>", NULL},
        {"<figure><svg class=\"chart wide\" aria-label=\"a\"><title>t</title></svg>"
         "<table class=\"pairs\"></table></figure>",
         "a drawing that is not made for a phone too"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct page_facts facts;
        char why[PAGE_WHY_BYTES];
        bool good = page_check(table[index].page, strlen(table[index].page), &facts, why);
        ck_assert_msg(good == (table[index].why == NULL), "%s: %s", table[index].page, why);
        if (table[index].why)
            ASSERT_HAS(why, table[index].why);
    }
}

/* Where a word is in a text, which it must be. */
static size_t place_of(const char *text, const char *word)
{
    ck_assert_ptr_nonnull(text);
    const char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "'%s' is not in:\n%.2000s", word, text);
    return (size_t)(at - text);
}

START_TEST(no_kind_of_failure_is_hidden, "report.failure.kinds")
{
    enum { COUNT = 5001 }; /* more than a report keeps */
    FILE *file = testing_stream();
    fputs(START, file);
    for (int index = 0; index < COUNT; index++)
        fprintf(file,
                "{\"finding\":\"%s\",\"case\":\"case %d\",\"device\":\"cuda:%d\",\"kernel\":\"%s\","
                "\"path\":\"sass\",\"note\":\"\",\"replay\":\"r\"}\n",
                index < COUNT - 1 ? "FAIL" : "CRASH", index, index < 4990 ? 0 : 1,
                index < COUNT - 1 ? "matmul/tiled" : "aat/padded");
    fputs(SUMMARY("FAIL", ""), file);
    char *record = testing_text(file);
    struct page_facts facts;
    char *page = reporting_page(record, &facts), *text = reporting_text(record, true);
    ck_assert_uint_eq(facts.findings, 100);
    ck_assert_uint_lt(place_of(page, "<td>case 0</td>"), place_of(page, "<td>case 4990</td>"));
    ck_assert_uint_lt(place_of(page, "<td>case 4990</td>"), place_of(page, "<td>case 5000</td>"));
    ck_assert_uint_lt(place_of(page, "<td>case 5000</td>"), place_of(page, "<td>case 1</td>"));
    ASSERT_LACKS(page, "<td>case 149</td>");
    ASSERT_HAS(page, ": 4,901 more failures.");
    ASSERT_HAS(text, "finding   CRASH\nkernel    aat/padded");
}

START_TEST(figures_without_data_are_one_list, "report.figure.missing")
{
    struct page_facts facts;
    char *page =
        reporting_page(START FINISHED SUMMARY("PASS", ROW("matmul/tiled", "PASS")), &facts);
    for (int index = 0; index < figure_count; index++) {
        char line[256];
        if (figure_list[index].command == NULL) {
            ASSERT_LACKS(page, figure_list[index].title);
            continue;
        }
        snprintf(line, sizeof line, "<code>%s</code> measures:", figure_list[index].command);
        ck_assert_uint_lt(place_of(page, "id=\"missing\""), place_of(page, line));
        ASSERT_LACKS(strstr(page, line) + 1, line);
        snprintf(line, sizeof line, "<li>%s</li>", figure_list[index].title);
        ASSERT_HAS(page, line);
        snprintf(line, sizeof line, "=\"%s\"", figure_list[index].id);
        ASSERT_LACKS(page, line);
        snprintf(line, sizeof line, "#%s\"", figure_list[index].id);
        ASSERT_LACKS(page, line);
    }
    ck_assert_uint_eq(facts.charts, 0);
}

/* What a share is of is in neither line: no table has the share, nor a column for it. */
START_TEST(shares_of_nothing_are_blank, "report.figure.blank")
{
    static const char record[] = START
        "{\"bench\":{\"kernel\":\"matmul/tiled\",\"device\":\"cuda:0\",\"path\":\"sass\","
        "\"shape\":\"k=32\",\"regime\":\"dram\",\"verdict\":\"PASS\","
        "\"gbps\":" INTERVALS(
            5, 5,
            5) ",\"flops_per_byte\":8,\"gflops\":40}}\n"
               "{\"sweep\":{\"figure\":\"stride\",\"at\":2,\"kernel\":\"strided_copy/scalar\","
               "\"device\":\"cuda:0\",\"path\":\"sass\",\"gbps\":" INTERVALS(5, 5, 5) "}}\n";
    static const char *const there[] = {"id=\"roofline\"", "id=\"floors\"", "id=\"stride\"",
                                        ">GB/s<", ">flop/B<"};
    static const char *const absent[] = {">of it<", ">of ceiling<", ">floor GB/s<",
                                         ">roofline GFLOP/s<", ">sector model GB/s<"};
    char *page = reporting_page(record, NULL);
    for (size_t index = 0; index < sizeof there / sizeof there[0]; index++)
        ASSERT_HAS(page, there[index]);
    for (size_t index = 0; index < sizeof absent / sizeof absent[0]; index++)
        ASSERT_LACKS(page, absent[index]);
}

START_TEST(intervals_span_the_repeats, "report.figure.interval")
{
    static const struct interval repeats[] = {{9, 10, 11}, {8, 12, 13}, {10, 11, 12}};
    const struct spread spread = spread_of((struct intervals){repeats, 3});
    ck_assert_int_eq(spread.repeats, 3);
    ck_assert(spread.lower == 8 && spread.median == 11 && spread.upper == 13);
}

/* Of a foreign record: without a median, or with one outside of its bounds. */
START_TEST(intervals_that_are_none_do_not_count, "report.figure.interval")
{
    static const struct interval wrong[] = {{0, 0, 0}, {-3, -2, -1}, {5, 4, 6}, {1, 3, 2}};
    for (size_t row = 0; row < sizeof wrong / sizeof wrong[0]; row++) {
        const struct interval repeats[] = {wrong[row], {9, 10, 11}};
        struct spread spread = spread_of((struct intervals){repeats, 2});
        ck_assert_int_eq(spread.repeats, 1);
        ck_assert(spread.lower == 9 && spread.median == 10 && spread.upper == 11);
        spread = spread_of((struct intervals){repeats, 1});
        ck_assert_int_eq(spread.repeats, 0);
        ck_assert(spread.lower == 0 && spread.median == 0 && spread.upper == 0);
    }
}
