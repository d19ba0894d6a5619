/* Reports of benches and sweeps: the figures have what was measured, in a page and in a terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE

START_TEST(missing_figures_are_sentences)
{
    CLAUSE("report.figure.missing");
    struct page_facts facts;
    char *page = reporting_page(START FINISHED(ROW("matmul/tiled", "PASS"))
                                    SUMMARY("PASS", ROW("matmul/tiled", "PASS")),
                                &facts);
    for (int index = 0; index < figure_count; index++) {
        char *sentence = NULL;
        size_t bytes;
        FILE *file = open_memstream(&sentence, &bytes);
        escape_html(file, figures[index].missing);
        ck_assert_int_eq(fclose(file), 0);
        ASSERT_HAS(page, sentence);
        free(sentence);
    }
    ck_assert_uint_eq(facts.charts, 0);
    free(page);
}
END_TEST

START_TEST(intervals_span_the_repeats)
{
    CLAUSE("report.figure.interval");
    json_t *line = json_pack("{s:[{s:f,s:f,s:f},{s:f,s:f,s:f},{s:f,s:f,s:f}]}", "gbps", "lower",
                             9.0, "median", 10.0, "upper", 11.0, "lower", 8.0, "median", 12.0,
                             "upper", 13.0, "lower", 10.0, "median", 11.0, "upper", 12.0);
    struct spread spread = value_spread(json_object_get(line, "gbps"));
    ck_assert_int_eq(spread.repeats, 3);
    ck_assert(spread.lower == 8 && spread.median == 11 && spread.upper == 13);
    json_decref(line);
}
END_TEST

START_TEST(model_starts_at_the_kernels_own_value)
{
    CLAUSE("report.figure.model");
    reporting_page_has(
        START SWEEP("offset", 0, INTERVALS(1999, 2000, 2001), 1024)
            SWEEP("offset", 1, INTERVALS(1899, 1900, 1901), 1280) SUMMARY("SKIP", ""),
        (const char *const[]){"offset_copy/scalar sass at offset 1: 1,900 GB/s (1,899 to",
                              "sector model at offset 0: 2,000 GB/s",
                              "sector model at offset 1: 1,600 GB/s",
                              "ceiling at offset 1: about 4,000 GB/s", NULL});
    reporting_page_has(START SWEEP("stride", 1, INTERVALS(1999, 2000, 2001), 1024)
                           SWEEP("stride", 2, INTERVALS(999, 1100, 1200), 2048) SUMMARY("SKIP", ""),
                       (const char *const[]){"sector model at stride 2: 1,000 GB/s", NULL});
}
END_TEST

START_TEST(ladder_marks_floor_and_documents)
{
    CLAUSE("report.figure.floor");
    CLAUSE("report.figure.documents");
    reporting_page_has(
        START BENCH("aat/padded", "k=32", INTERVALS(400, 450, 500), "PASS", "") SUMMARY("PASS", ""),
        (const char *const[]){"aat/padded sass: 450.0 GB/s (400.0 to 500.0), floor 405.0",
                              "class=\"floor\"", "199.4 GB/s (V100)", "-18.7 %", NULL});
}
END_TEST

START_TEST(roofline_has_roof_and_kernels)
{
    CLAUSE("report.figure.roofline");
    reporting_page_has(
        START BENCH("matmul/tiled", "k=32", INTERVALS(400, 450, 500), "PASS",
                    ",\"flops\":64,\"flops_per_byte\":16.0,\"gflops\":7200.0")
            BENCH("offset_copy/scalar", "offset=0", INTERVALS(1, 2, 3), "PASS",
                  "") "{\"peak\":{\"device\":\"cuda:0\",\"derived_gbps\":5000,\"derived_"
                      "gflops\":60000,"
                      "\"verdict\":\"PASS\"}}\n" SUMMARY("PASS", ""),
        (const char *const[]){"matmul/tiled sass, k=32: 7,200 GFLOP/s at 16.00 flop/B",
                              "60,000 GFLOP/s at 12.00 flop/B, the ridge",
                              "Not drawn, as they do no arithmetic: offset_copy/scalar.", NULL});
}
END_TEST

START_TEST(calls_and_relations_are_reported)
{
    CLAUSE("report.figure.latency");
    CLAUSE("report.figure.relation");
    CLAUSE("report.terminal.lines");
#define RELATION(applies)                                                                          \
    "{\"relation\":{\"clause\":\"\",\"device\":\"cuda:0\",\"path\":\"sass\",\"kernel\":\"aat/a\"," \
    "\"shape\":\"k=32\",\"against\":\"aat/b\",\"against_shape\":\"k=32\",\"regime\":\"dram\","     \
    "\"verdict\":\"PASS\",\"applies\":" applies ",\"note\":\"\",\"ratio\":" INTERVALS(             \
        1, 2, 3) ",\"least_ratio\":1.5,\"from\":70,\"to\":90}}\n"
    reporting_has(
        START
        "{\"latency\":{\"call\":\"launch\",\"device\":\"cuda:0\",\"verdict\":\"PASS\","
        "\"us\":" INTERVALS(2, 2.5,
                            3) ",\"ceiling\":{\"limit\":6.5,\"measured\":true}}}\n" RELATION("true")
            RELATION("false") SWEEP("size", 4096, INTERVALS(70, 80, 90), 0) SUMMARY("SKIP", ""),
        (const char *const[]){"launch", "2.500", "6.500", "at least 1.5 times as fast",
                              "through sass: it holds", "capability 7.0 to 9.0",
                              "not judged on this device", "4 KiB", "80.00", NULL});
}
END_TEST

START_TEST(rows_and_environment_are_there)
{
    CLAUSE("report.html.rows");
    CLAUSE("report.html.environment");
    reporting_page_has(
        START BENCH("matmul/tiled", "k=32", "[]", "PASS",
                    ",\"sensors\":{\"before\":{\"sm_mhz\":345},\"during\":{\"sm_mhz\":1980,"
                    "\"power_w\":512.5,\"reasons\":\"0x4\"},\"after\":{\"sm_mhz\":1755}}")
            SUMMARY("PASS", ROW("matmul/tiled", "PASS") "," ROW("aat/naive", "PASS")),
        (const char *const[]){"<th scope=\"row\">matmul/tiled</th>",
                              "<th scope=\"row\">aat/naive</th>",
                              "00112233445566778899aabbccddeeff", "2026-11-21T10:00:00Z", "GPU-1",
                              "62914560 (60 MiB)", "512.5", "0x4", "1,980", NULL});
}
END_TEST

START_TEST(terminal_without_utf8)
{
    CLAUSE("report.terminal.ascii");
    char *text =
        reporting_text(START BENCH("aat/padded", "k=32", INTERVALS(400, 450, 500), "PASS", "")
                           SWEEP("size", 4096, INTERVALS(70, 80, 90), 0) SUMMARY("PASS", ""),
                       false);
    ASSERT_HAS(text, "####");
    for (const char *at = text; *at; at++)
        ck_assert_msg((unsigned char)*at < 0x80, "no ASCII: %.20s", at);
    ASSERT_HAS(text, "The ladder C = AAT, k = 32");
    free(text);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"missing figures are sentences", missing_figures_are_sentences},
        {"intervals span the repeats", intervals_span_the_repeats},
        {"the model starts at the kernel's own value", model_starts_at_the_kernels_own_value},
        {"a ladder marks floors and documents", ladder_marks_floor_and_documents},
        {"the roofline has its roof and kernels", roofline_has_roof_and_kernels},
        {"calls and relations are reported", calls_and_relations_are_reported},
        {"rows and environment are there", rows_and_environment_are_there},
        {"a terminal without UTF-8", terminal_without_utf8},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "report_figures", tests);
}
