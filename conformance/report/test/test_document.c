/* The document of a report (document.h), and its formats of machines. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/meaning.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define FINDING_OF(kernel, verdict)                                                                \
    "{\"finding\":\"" verdict "\",\"case\":\"matmul m=1\",\"index\":0,\"device\":\"cuda:0\","      \
    "\"kernel\":\"" kernel "\",\"path\":\"sass\",\"clause\":\"matmul.order.ascending\","           \
    "\"place\":\"element\",\"operand\":\"c\",\"row\":3,\"column\":4,\"note\":\"\","                \
    "\"replay\":\"assay replay 'matmul m=1'\"}\n"
#define REDUCED(kernel, failures, repeats, layer)                                                  \
    "{\"reduced\":\"matmul m=1\",\"from\":\"matmul m=1\",\"device\":\"cuda:0\",\"kernel\":"        \
    "\"" kernel "\",\"path\":\"sass\",\"failures\":" #failures ",\"repeats\":" #repeats            \
    ",\"layer\":\"" layer "\",\"replay\":\"assay replay smallest\"}\n"

/* Whether what a part says of itself is in its checks and findings. */
START_TEST(a_finding_is_of_its_check, "report.format.findings", "report.format.checks")
{
    struct loaded *loaded = reporting_loaded(
        START FINDING_OF("matmul/tiled", "FAIL") REDUCED("matmul/tiled", 5, 5, "")
            BENCH("aat/slow", "k=32", INTERVALS(400, 450, 500), "FAIL", "")
                SUMMARY("FAIL", ROW("matmul/tiled", "FAIL") ROW("matmul/naive", "PASS")));
    struct document document;
    document_open(&document, loaded);
    ck_assert_int_eq(document.verdict, VERDICT_FAIL);
    ck_assert_uint_eq(document.part_count, 1);
    ck_assert_uint_eq(document.check_count, 3);
    ck_assert_uint_eq(document.finding_count, 2);
    const struct document_finding *bits = &document.findings[0], *speed = &document.findings[1];
    ck_assert_str_eq(bits->what, "matmul/tiled through sass on cuda:0");
    ck_assert_str_eq(bits->how, "element c[3][4]");
    ck_assert_str_eq(bits->check->name, "matmul/tiled sass");
    ck_assert_str_eq(bits->replay, "assay replay 'matmul m=1'");
    ck_assert_str_eq(bits->smallest, "assay replay smallest");
    ck_assert_str_eq(speed->check->name, "aat/slow sass, k=32 dram");
    ck_assert_ptr_eq(speed->line, speed->check->line);
    ck_assert_int_eq(document.action, ACTION_DRAIN);
    document_close(&document);
}

/* A record that was cut has no rows. */
START_TEST(a_finding_without_a_row, "report.format.findings", "report.junit.verdict")
{
    struct loaded *loaded = reporting_loaded(START FINDING_OF("matmul/tiled", "CRASH"));
    struct document document;
    document_open(&document, loaded);
    ck_assert_uint_eq(document.finding_count, 1);
    ck_assert_ptr_null(document.findings[0].check);
    document_close(&document);
    const char *junit = reporting_write(FORMAT_JUNIT, loaded, true);
    ASSERT_HAS(junit, "<testcase name=\"matmul/tiled through sass on cuda:0\" "
                      "classname=\"assay.bits.finding\" time=\"0.000\">\n      <failure ");
    ASSERT_HAS(junit, "<testcase name=\"whole\" classname=\"assay.verdict\" time=\"0.000\">\n"
                      "      <failure ");
}

START_TEST(names_are_told_apart, "report.format.checks")
{
    struct loaded *loaded = reporting_loaded(
        START BENCH("aat/a", "k=32", INTERVALS(1, 2, 3), "PASS", "")
            BENCH("aat/a", "k=32", INTERVALS(1, 2, 3), "PASS", "")
                BENCH("aat/a", "k=3", INTERVALS(1, 2, 3), "PASS", "") SUMMARY("PASS", ""));
    static const char *const names[] = {"aat/a sass, k=32 dram", "aat/a sass, k=32 dram#2",
                                        "aat/a sass, k=3 dram"};
    struct document document;
    document_open(&document, loaded);
    ck_assert_uint_eq(document.check_count, 3);
    for (size_t at = 0; at < 3; at++)
        ck_assert_str_eq(document.checks[at].name, names[at]);
    document_close(&document);
    ASSERT_HAS(reporting_write(FORMAT_PROMETHEUS, loaded, false),
               "assay_bench_bytes_per_second{device=\"cuda:0\",path=\"sass\",kernel=\"aat/a\","
               "shape=\"k=32\",regime=\"dram\",number=\"2\"} 2e+09\n");
}

START_TEST(a_part_without_a_record_is_there, "report.format.parts", "report.junit.verdict")
{
    static const char gate[] =
        "{\"record\":\"assay\",\"version\":1,\"started\":\"2026-11-21T10:00:00Z\",\"host\":\"n1\","
        "\"devices\":[\"cuda:0\"],\"paths\":[\"sass\"],\"kernels\":[\"matmul/tiled\"],"
        "\"cases_planned\":9,\"tier\":\"smoke\",\"part\":\"bits\",\"parts\":[\"bits\",\"speed\"]}"
        "\n" FINISHED SUMMARY(
            "PASS",
            ROW("matmul/tiled",
                "PASS")) "{\"gate\":{\"verdict\":\"INCONCLUSIVE\",\"reason\":\"speed: no "
                         "GPU\",\"exit_status\":3,"
                         "\"seconds\":2.5,\"parts\":[{\"part\":\"bits\",\"verdict\":\"PASS\","
                         "\"note\":\"\"},"
                         "{\"part\":\"speed\",\"verdict\":\"SKIP\",\"note\":\"no GPU\"}]}}\n";
    struct loaded *loaded = reporting_loaded(gate);
    struct document document;
    document_open(&document, loaded);
    ck_assert_int_eq(document.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_str_eq(document.command, "gate");
    ck_assert_str_eq(document.host, "n1");
    ck_assert_uint_eq(document.part_count, 2);
    ck_assert_double_eq_tol(document.seconds, 2.5, 1e-9); /* the parts' are among the gate's */
    ck_assert_str_eq(document.parts[1].name, "speed");
    ck_assert_int_eq(document.parts[1].verdict, VERDICT_SKIP);
    ck_assert_ptr_null(document.parts[1].record);
    document_close(&document);
    const char *junit = reporting_write(FORMAT_JUNIT, loaded, true);
    ASSERT_HAS(junit, "<testcase name=\"speed\" classname=\"assay.verdict\" time=\"0.000\">\n"
                      "      <error message=\"no GPU\" type=\"SKIP\">");
    ASSERT_HAS(junit, "<error message=\"speed: no GPU\" type=\"INCONCLUSIVE\">");
}

START_TEST(each_finding_asks_for_something, "report.finding.action")
{
    static const struct {
        const char *record;
        enum finding_severity severity;
        enum action action;
    } table[] = {
        {FINDING_OF("a/b", "FAIL"), FINDING_CRITICAL, ACTION_DRAIN},
        {FINDING_OF("a/b", "FAIL") REDUCED("a/b", 5, 5, ""), FINDING_CRITICAL, ACTION_DRAIN},
        {FINDING_OF("a/b", "FAIL") REDUCED("a/b", 2, 5, ""), FINDING_CRITICAL, ACTION_RETURN},
        {FINDING_OF("a/b", "FAIL") REDUCED("a/b", 5, 5, "ptxas 12.6.20: wrong through ptx"),
         FINDING_CRITICAL, ACTION_REPORT},
        {FINDING_OF("a/b", "FAIL") REDUCED(
             "a/b", 5, 5, "the kernel, the hardware, or what all paths share: wrong through sass"),
         FINDING_CRITICAL, ACTION_DRAIN},
        /* it fails after other cases alone, and always */
        {FINDING_OF("a/b", "FAIL") "{\"reduced\":\"matmul m=1\",\"from\":\"matmul m=1\",\"device\":"
                                   "\"cuda:0\",\"kernel\":\"a/b\",\"path\":\"sass\",\"failures\":0,"
                                   "\"repeats\":5,\"after\":[\"matmul m=2\"]}\n",
         FINDING_CRITICAL, ACTION_DRAIN},
        {FINDING_OF("a/b", "CRASH"), FINDING_CRITICAL, ACTION_RESET},
        {FINDING_OF("a/b", "TIMEOUT"), FINDING_CRITICAL, ACTION_RESET},
        {FINDING_OF("a/b", "ERROR"), FINDING_UNKNOWN, ACTION_FIX_HOST},
        {FINDING_OF("a/b", "INCONCLUSIVE"), FINDING_UNKNOWN, ACTION_REPEAT},
        {FINDING_OF("a/b", "SKIP"), FINDING_INFO, ACTION_NONE},
        {BENCH("a/b", "k=1", INTERVALS(1, 2, 3), "FAIL", ""), FINDING_CRITICAL, ACTION_DRAIN},
        {"{\"latency\":{\"device\":\"cuda:0\",\"call\":\"launch\",\"verdict\":\"FAIL\"}}\n",
         FINDING_CRITICAL, ACTION_FIX_HOST},
        {"{\"known\":{\"device\":\"cuda:0\",\"path\":\"ptx\",\"id\":\"x\",\"verdict\":\"FAIL\"}}\n",
         FINDING_CRITICAL, ACTION_REPORT},
        {"{\"program\":{\"device\":\"cuda:0\",\"path\":\"ptx\",\"verdict\":\"FAIL\"}}\n",
         FINDING_CRITICAL, ACTION_REPORT},
        {"{\"codegen\":{\"device\":\"sm_90\",\"path\":\"sass\",\"kernel\":\"a/b\",\"verdict\":"
         "\"FAIL\"}}\n",
         FINDING_CRITICAL, ACTION_REPORT},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        char text[4096];
        struct document document;
        snprintf(text, sizeof text, "%s%s", START, table[row].record);
        document_open(&document, reporting_loaded(text));
        ck_assert_msg(document.finding_count == 1, "row %zu", row);
        ck_assert_msg(document.findings[0].advice.severity == table[row].severity, "row %zu", row);
        ck_assert_msg(document.findings[0].advice.action == table[row].action, "row %zu", row);
        document_close(&document);
    }
}

/* Whatever the lengths of what it says. */
START_TEST(a_line_fits, "report.line.fits")
{
    static const char letters[] = "a host name that is | longer than any that a machine has, and "
                                  "then some more of it, so that nothing else would fit";
    char record[4096];
    for (int host = 0; host < 100; host += 3)
        for (int reason = 0; reason < 100; reason += 9) {
            snprintf(record, sizeof record,
                     "{\"record\":\"assay\",\"version\":1,\"host\":\"%.*s\",\"devices\":"
                     "[\"cuda:0\"]}\n%s{\"summary\":{\"verdict\":\"INCONCLUSIVE\",\"reason\":"
                     "\"%.*s\",\"exit_status\":3,\"cases_done\":0}}\n",
                     host, letters, DEVICE, reason, letters);
            const char *line = reporting_write(FORMAT_LINE, reporting_loaded(record), false);
            ASSERT_HAS(line, "assay INCONCLUSIVE");
            ASSERT_LACKS(line, "drain");
        }
    const char *line =
        reporting_write(FORMAT_LINE,
                        reporting_loaded(START FINDING_OF("matmul/tiled", "FAIL")
                                             SUMMARY("FAIL", ROW("matmul/tiled", "FAIL"))),
                        false);
    ASSERT_HAS(line, "matmul/tiled through sass on cuda:0: element c[3][4]; drain\n");
    /* Nothing is asked for where nothing failed. */
    line = reporting_write(FORMAT_LINE,
                           reporting_loaded(START FINDING_OF("matmul/tiled", "INCONCLUSIVE")
                                                SUMMARY("INCONCLUSIVE", "")),
                           false);
    ASSERT_LACKS(line, "repeat");
}

/* More findings than a reader keeps: the others are counted. */
START_TEST(what_is_left_out_is_counted, "report.format.parts", "report.size.bounded")
{
    char *record = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&record, &bytes);
    fputs(START, file);
    for (int number = 0; number < 130; number++)
        fputs(FINDING_OF("a/b", "FAIL") FINDING_OF("a/b", "INCONCLUSIVE"), file);
    fclose(file);
    struct loaded *loaded = reporting_loaded(record);
    struct document document;
    document_open(&document, loaded);
    ck_assert_uint_eq(document.parts[0].sorts[DOCUMENT_FAILURE], 130);
    ck_assert_uint_eq(document.parts[0].sorts[DOCUMENT_UNDECIDED], 130);
    for (size_t at = 0, places[2] = {0}; at < document.finding_count; at++) {
        const struct document_finding *it = &document.findings[at];
        ck_assert_uint_eq(it->place, places[it->sort == DOCUMENT_UNDECIDED]++);
    }
    document_close(&document);
    const char *junit = reporting_write(FORMAT_JUNIT, loaded, true);
    ASSERT_HAS(junit, "\"30 more failures\"");
    ASSERT_HAS(junit, "\"110 more undecided checks\"");
    free(record);
}
