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

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a terminal cuts no name", terminal_cuts_no_name},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "report_form", tests);
}
