/* The form of reports: what a reader sees of them on a screen, a phone, paper and a terminal, and
 * in which order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/drawing.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define ALONG(at, element, kernel)                                                                 \
    "{\"sweep\":{\"figure\":\"offset\",\"at\":" #at ",\"element_bytes\":" #element                 \
    ",\"shape\":\"offset=" #at "\",\"kernel\":\"" kernel "\",\"device\":\"cuda:0\",\"path\":"      \
    "\"sass\",\"regime\":\"dram\",\"verdict\":\"PASS\",\"gbps\":" INTERVALS(70, 80, 90) "}}\n"

extern const char *const style_builtin_lines[];

/* The style as one text, from the line that begins with `from` on; the caller frees. */
static char *style_from(const char *from)
{
    char *text = NULL;
    size_t bytes = 0;
    bool begun = false;
    FILE *file = open_memstream(&text, &bytes);
    for (size_t index = 0; style_builtin_lines[index]; index++) {
        begun |= strncmp(style_builtin_lines[index], from, strlen(from)) == 0;
        if (begun)
            fprintf(file, "%s\n", style_builtin_lines[index]);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(begun, "no line of the style begins with '%s'", from);
    return text;
}

/* Relative luminance (WCAG 2.1) of the colour that a variable has first in the style's text. */
static double luminance(const char *style, const char *variable)
{
    char wanted[32];
    unsigned red, green, blue;
    snprintf(wanted, sizeof wanted, "--%s: #", variable);
    const char *at = strstr(style, wanted);
    ck_assert_msg(at && sscanf(at + strlen(wanted), "%2x%2x%2x", &red, &green, &blue) == 3,
                  "no colour %s of six digits", variable);
    return 0.2126 * pow(red / 255.0, 2.2) + 0.7152 * pow(green / 255.0, 2.2) +
           0.0722 * pow(blue / 255.0, 2.2);
}

START_TEST(text_is_legible)
{
    CLAUSE("report.html.contrast");
    CLAUSE("report.html.paper");
    static const char *const parts[] = {":root", "@media (prefers-color-scheme: dark)",
                                        "@media print"};
    static const char *const pairs[][2] = {{"ink", "ground"},
                                           {"quiet", "ground"},
                                           {"good", "good-ground"},
                                           {"bad", "bad-ground"},
                                           {"open", "open-ground"}};
    char *style = NULL;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        free(style);
        style = style_from(parts[part]);
        for (size_t index = 0; index < sizeof pairs / sizeof pairs[0]; index++) {
            double text = luminance(style, pairs[index][0]);
            double ground = luminance(style, pairs[index][1]);
            ck_assert_msg((fmax(text, ground) + 0.05) / (fmin(text, ground) + 0.05) >= 4.5,
                          "%s: %s on %s", parts[part], pairs[index][0], pairs[index][1]);
        }
    }
    ASSERT_HAS(style, "--ground: #ffffff;");
    ASSERT_HAS(style, "details::details-content { content-visibility: visible;");
    free(style);
}
END_TEST

START_TEST(labels_do_not_touch)
{
    CLAUSE("report.figure.labels");
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
END_TEST

/* The check that every page of these tests goes through finds what it is there for. */
START_TEST(names_are_missed)
{
    CLAUSE("report.figure.named");
    CLAUSE("report.figure.narrow");
    static const struct {
        const char *page, *why; /* NULL: good */
    } table[] = {
        {"<svg role=\"img\" aria-label=\"bars\"></svg>", NULL},
        {"<svg aria-hidden=\"true\"><path/></svg>", NULL},
        {"<svg role=\"img\" aria-label=\"\"></svg>", "a drawing without a name"},
        {"<svg role=\"img\"><path/></svg>", "a drawing without a name"},
        {"<table><tr><th scope=\"col\">n</th></tr></table>", NULL},
        {"<table><tr><th class=\"number\">n</th></tr></table>", "a heading without a scope"},
        {"<figure><svg class=\"chart wide\" aria-label=\"a\"><title>t</title></svg>"
         "<table></table></figure>",
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
END_TEST

START_TEST(blank_columns_are_left_out)
{
    CLAUSE("report.figure.blank");
    struct page_facts facts;
    char *page = reporting_page(START BENCH("aat/tiled", "k=32", INTERVALS(4, 5, 6), "PASS", "")
                                    SUMMARY("PASS", ""),
                                &facts);
    ASSERT_LACKS(page, "<th scope=\"col\">documents</th>");
    ASSERT_LACKS(page, ">GFLOP/s</th>");
    free(page);
    page = reporting_page(START BENCH("aat/padded", "k=32", INTERVALS(4, 5, 6), "PASS", "")
                              SUMMARY("PASS", ""),
                          &facts);
    ASSERT_HAS(page, "<th scope=\"col\">documents</th>");
    free(page);
}
END_TEST

/* Where a word is in a text, which it must be. */
static size_t place_of(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "'%s' is not in:\n%.2000s", word, text);
    return (size_t)(at - text);
}

START_TEST(places_go_up)
{
    CLAUSE("report.figure.order");
    CLAUSE("report.figure.element");
    CLAUSE("report.terminal.columns");
#define COPY "offset_copy/vector"
    static const char record[] = START ALONG(8, 4, COPY) ALONG(8, 16, COPY) ALONG(8, 1, COPY)
        ALONG(0, 4, COPY) ALONG(0, 16, COPY) ALONG(0, 1, COPY) SUMMARY("SKIP", "");
    struct page_facts facts;
    char *page = reporting_page(record, &facts), *text = reporting_text(record, true);
    static const char *const rows[] = {"<td class=\"number\">0</td><td class=\"number\">1</td>",
                                       "<td class=\"number\">0</td><td class=\"number\">4</td>",
                                       "<td class=\"number\">0</td><td class=\"number\">16</td>",
                                       "<td class=\"number\">8</td><td class=\"number\">1</td>",
                                       "<td class=\"number\">8</td><td class=\"number\">16</td>"};
    for (size_t index = 1; index < sizeof rows / sizeof rows[0]; index++)
        ck_assert_uint_lt(place_of(page, rows[index - 1]), place_of(page, rows[index]));
    static const char *const names[] = {COPY " sass, 1-byte elements", COPY " sass ",
                                        COPY " sass, 16-byte elements"};
    for (size_t index = 1; index < sizeof names / sizeof names[0]; index++)
        ck_assert_uint_lt(place_of(text, names[index - 1]), place_of(text, names[index]));
    ASSERT_HAS(page, COPY " sass, 16-byte elements</li>");
    free(page);
    free(text);
}
END_TEST

/* Whatever their order in the record, and each with its width. */
START_TEST(widths_go_up)
{
    CLAUSE("report.figure.element");
#define WIDE(bytes) ",\"element_bytes\":" #bytes
    static const char record[] = START BENCH(COPY, "offset=1", INTERVALS(4, 4, 4), "PASS", WIDE(4))
        BENCH(COPY, "element=16", INTERVALS(3, 3, 3), "PASS", WIDE(16))
            BENCH(COPY, "element=1", INTERVALS(2, 2, 2), "PASS", WIDE(1))
                BENCH(COPY, "offset=8", INTERVALS(1, 1, 1), "PASS", WIDE(4)) SUMMARY("PASS", "");
    char *text = reporting_text(record, true), *figure = strstr(text, "by the width of an element");
    ck_assert_ptr_nonnull(figure);
    size_t one = place_of(figure, "1-byte elements"), four = place_of(figure, "4-byte elements");
    ck_assert(one < four && four < place_of(figure, "16-byte elements"));
    free(text);
}
END_TEST

static void columns_within(const char *text, size_t most)
{
    for (const char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n"), letters = 0;
        for (size_t index = 0; index < bytes; index++)
            letters += ((unsigned char)line[index] & 0xc0) != 0x80;
        ck_assert_msg(letters <= most, "%zu columns: %.*s", letters, (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
    }
}

START_TEST(terminal_cuts_no_name)
{
    CLAUSE("report.terminal.columns");
#define LONG "adjacent_difference/from_global"
    char *text =
        reporting_text(START BENCH(LONG, "line", INTERVALS(400, 450, 500), "INCONCLUSIVE", "")
                           BENCH("adjacent_difference/shared", "line", INTERVALS(4, 4, 5), "PASS",
                                 "") ALONG(0, 16, LONG) ALONG(32, 16, LONG) SUMMARY("SKIP", ""),
                       true);
    ASSERT_HAS(text, "from_global sass ");
    ASSERT_HAS(text, LONG " sass, 16-byte ");
    columns_within(strstr(text, "Copies at an offset"), 80);
    free(text);
    text = reporting_text(START SUMMARY("FAIL", ROW("mutant/difference_last_unwritten",
                                                    "FAIL") "," ROW("matmul/tiled", "PASS")),
                          false);
    const char *heading = strstr(text, "kernel  "), *rows = strchr(heading, '\n') + 1;
    const char *second = strchr(rows, '\n') + 1;
    ASSERT_HAS(rows, "mutant/difference_last_unwritten sass ");
    ck_assert_ptr_eq(strstr(rows, "FAIL") - rows + second, strstr(second, "PASS"));
    ck_assert_ptr_eq(strstr(heading, "verdict") - heading + second, strstr(second, "PASS"));
    free(text);
}
END_TEST

START_TEST(no_kind_of_failure_is_hidden)
{
    CLAUSE("report.failure.kinds");
    char *record = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&record, &bytes);
    fputs(START, file);
    for (int index = 0; index <= 150; index++)
        fprintf(file,
                "{\"finding\":\"%s\",\"case\":\"case %d\",\"device\":\"cuda:%d\",\"kernel\":\"%s\","
                "\"path\":\"sass\",\"note\":\"\",\"replay\":\"r\"}\n",
                index < 150 ? "FAIL" : "CRASH", index, index < 140 ? 0 : 1,
                index < 150 ? "matmul/tiled" : "aat/padded");
    fputs(SUMMARY("FAIL", ""), file);
    ck_assert_int_eq(fclose(file), 0);
    struct page_facts facts;
    char *page = reporting_page(record, &facts), *text = reporting_text(record, true);
    ck_assert_uint_eq(facts.findings, 100);
    ck_assert_uint_lt(place_of(page, "<td>case 0</td>"), place_of(page, "<td>case 140</td>"));
    ck_assert_uint_lt(place_of(page, "<td>case 140</td>"), place_of(page, "<td>case 150</td>"));
    ck_assert_uint_lt(place_of(page, "<td>case 150</td>"), place_of(page, "<td>case 1</td>"));
    ASSERT_LACKS(page, "<td>case 149</td>");
    ASSERT_HAS(page, ": 51 more failures.");
    ASSERT_HAS(text, "finding   CRASH\nkernel    aat/padded");
    free(page);
    free(text);
    free(record);
}
END_TEST

START_TEST(failures_of_speed_are_named)
{
    CLAUSE("report.failure.told");
    struct page_facts facts;
    char *page =
        reporting_page(START BENCH("aat/padded", "k=32", INTERVALS(4, 5, 6), "FAIL",
                                   "") "{\"latency\":{\"call\":\"launch\",\"device\":\"cuda:0\","
                                       "\"verdict\":\"FAIL\"}}\n" SUMMARY("FAIL", ""),
                       &facts);
    ASSERT_HAS(page, "FAIL</span> speed of aat/padded through sass on cuda:0</h3>");
    ASSERT_HAS(page, "FAIL</span> time of launch on cuda:0</h3>");
    free(page);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"text is legible", text_is_legible},
        {"labels do not touch", labels_do_not_touch},
        {"names are missed", names_are_missed},
        {"blank columns are left out", blank_columns_are_left_out},
        {"places go up", places_go_up},
        {"widths go up", widths_go_up},
        {"a terminal cuts no name", terminal_cuts_no_name},
        {"no kind of failure is hidden", no_kind_of_failure_is_hidden},
        {"failures of speed are named", failures_of_speed_are_named},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "report_form", tests);
}
