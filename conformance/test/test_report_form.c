/* The form of reports: what a reader sees of them on a screen, a phone, paper and a terminal, and
 * in which order. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define ALONG(at, element, kernel)                                                                 \
    "{\"sweep\":{\"figure\":\"offset\",\"at\":" #at ",\"element_bytes\":" #element                 \
    ",\"shape\":\"offset=" #at "\",\"kernel\":\"" kernel "\",\"device\":\"cuda:0\",\"path\":"      \
    "\"sass\",\"regime\":\"dram\",\"verdict\":\"PASS\",\"gbps\":" INTERVALS(70, 80, 90) "}}\n"

/* Where a word stands in a text, which it must. */
static size_t place_of(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "'%s' does not stand in:\n%.2000s", word, text);
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
    ASSERT_HAS(page, "51 more failures are in");
    ASSERT_HAS(text, "FAILURE   CRASH\nkernel    aat/padded");
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
        {"places go up", places_go_up},
        {"a terminal cuts no name", terminal_cuts_no_name},
        {"no kind of failure is hidden", no_kind_of_failure_is_hidden},
        {"failures of speed are named", failures_of_speed_are_named},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "report_form", tests);
}
