/* Reports of records that say something: the verdict, failures and figures stand where and as they
 * must, in a page and in a terminal. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/base/reason.h"
#include "conformance/report/judgement.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define STRANGER                                                                                   \
    HEADER("cuda:0")                                                                               \
    "{\"device\":{\"label\":\"cuda:0\",\"name\":\"NVIDIA B200\",\"driver\":\"590\"}}\n"
#define FINDING                                                                                    \
    "{\"finding\":\"FAIL\",\"case\":\"matmul m=1\",\"index\":0,\"device\":\"cuda:0\",\"kernel\":"  \
    "\"matmul/tiled\",\"path\":\"sass\",\"clause\":\"matmul.order.ascending\",\"place\":"          \
    "\"element\",\"operand\":\"c\",\"row\":3,\"column\":4,\"expected\":\"3f800000\",\"got\":"      \
    "\"3f800001\",\"ulp\":1,\"note\":\"\",\"replay\":\"assay replay 'matmul m=1'\"}\n"

static void has(const char *record, const char *const *words)
{
    struct page_facts facts;
    char *page = reporting_page(record, &facts), *text = reporting_text(record, true);
    for (size_t index = 0; words[index]; index++) {
        ASSERT_HAS(page, words[index]);
        ASSERT_HAS(text, words[index]);
    }
    free(page);
    free(text);
}

static void page_has(const char *record, const char *const *words)
{
    struct page_facts facts;
    char *page = reporting_page(record, &facts);
    for (size_t index = 0; words[index]; index++)
        ASSERT_HAS(page, words[index]);
    free(page);
}

/* A dossier of records in memory, each called "r" where `paths` is NULL. */
static struct dossier *several(const char *const *records, const char *const *paths)
{
    struct dossier *dossier = calloc(1, sizeof *dossier);
    struct reason reason;
    for (size_t index = 0; records[index]; index++)
        ck_assert(dossier_parse(dossier, paths ? paths[index] : "r", records[index],
                                strlen(records[index]), &reason));
    return dossier;
}

static enum verdict verdict_of(const char *const *records)
{
    struct judgement judgement;
    struct dossier *dossier = several(records, NULL);
    judge_dossier(dossier, &judgement);
    dossier_close(dossier);
    free(dossier);
    return judgement.verdict;
}

static const char passed[] =
    START FINISHED(ROW("matmul/tiled", "PASS")) SUMMARY("PASS", ROW("matmul/tiled", "PASS"));
static const char skipped[] = START SUMMARY("SKIP", "");
static const char failed[] = START FINDING SUMMARY("FAIL", ROW("matmul/tiled", "FAIL"));
static const char cut[] = START "{\"case\":\"x\",\"index\":0,\"device\":\"cuda:0\",\"checks\":1}\n";

START_TEST(worst_of_several)
{
    CLAUSE("report.verdict.worst");
    const struct {
        const char *records[4];
        enum verdict verdict;
    } table[] = {
        {{passed, passed}, VERDICT_PASS},          {{skipped, skipped}, VERDICT_SKIP},
        {{passed, skipped}, VERDICT_INCONCLUSIVE}, /* some could not be looked at */
        {{skipped, passed}, VERDICT_INCONCLUSIVE}, {{cut, skipped, passed}, VERDICT_INCONCLUSIVE},
        {{passed, cut, failed}, VERDICT_FAIL},     {{failed, passed, skipped}, VERDICT_FAIL},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++)
        ck_assert_int_eq(verdict_of(table[index].records), table[index].verdict);
}
END_TEST

START_TEST(cut_short_is_no_pass)
{
    CLAUSE("report.verdict.cut");
    has(cut, (const char *const[]){"INCONCLUSIVE", "cut short", NULL});
    const char *const records[] = {START FINDING, NULL};
    ck_assert_int_eq(verdict_of(records), VERDICT_FAIL);
    has(records[0], (const char *const[]){"FAIL", "cut short", NULL});
}
END_TEST

START_TEST(summary_against_its_lines)
{
    CLAUSE("report.verdict.lines");
    const struct {
        const char *record;
        enum verdict verdict;
    } table[] = {
        {START FINDING SUMMARY("PASS", ROW("matmul/tiled", "PASS")), VERDICT_FAIL},
        {START SUMMARY("PASS", ROW("matmul/tiled", "CRASH")), VERDICT_FAIL},
        {START SUMMARY("PASS", ROW("matmul/tiled", "cake")), VERDICT_ERROR},
        {START BENCH("matmul/tiled", "k=32", "[]", "FAIL", "") SUMMARY("PASS", ""), VERDICT_FAIL},
        {START BENCH("matmul/tiled", "k=32", "[]", "INCONCLUSIVE", "") SUMMARY("PASS", ""),
         VERDICT_INCONCLUSIVE},
        {START SUMMARY("cake", ""), VERDICT_ERROR},
        {START "{\"summary\":{\"verdict\":\"PASS\",\"exit_status\":0,\"passed\":0}}\n",
         VERDICT_INCONCLUSIVE},
        {START "{\"summary\":{\"verdict\":\"PASS\",\"exit_status\":3,\"passed\":1}}\n",
         VERDICT_INCONCLUSIVE},
        {START "{\"summary\":{\"verdict\":\"PASS\",\"passed\":9,\"fail\":1}}\n", VERDICT_FAIL},
        {START "{\"summary\":{\"verdict\":\"PASS\",\"passed\":9,\"error\":1}}\n", VERDICT_ERROR},
        {START "{\"summary\":{\"verdict\":\"PASS\",\"passed\":9,\"inconclusive\":1}}\n",
         VERDICT_INCONCLUSIVE},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        const char *const records[] = {table[index].record, NULL};
        ck_assert_msg(verdict_of(records) == table[index].verdict, "row %zu", index);
    }
}
END_TEST

START_TEST(scope_is_told)
{
    CLAUSE("report.verdict.scope");
    has(passed, (const char *const[]){"12 checks of 9 cases passed",
                                      "Not looked at, the code paths of a GPU: ptx",
                                      "Not looked at, kernels of this version: matmul/naive",
                                      "Speed was not measured: `assay bench", NULL});
    has(START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "PASS", "") SUMMARY("PASS", ""),
        (const char *const[]){"1 of 1 measurement reached the floor",
                              "Bits were not checked beyond the timed cases", NULL});
    has(START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "SKIP", "") SUMMARY("SKIP", ""),
        (const char *const[]){"Speed: 1 measurement, none held to a floor", NULL});
    has(START SWEEP("size", 4096, INTERVALS(70, 80, 90), 0) SUMMARY("SKIP", ""),
        (const char *const[]){"Speed was not held to floors: `assay bench", NULL});
}
END_TEST

/* Whatever stands before them: no record of the first has the device. */
START_TEST(strangers_are_told)
{
    CLAUSE("report.verdict.scope");
    static const char *const records[] = {HEADER("host") SUMMARY("PASS", ""),
                                          START SUMMARY("PASS", ""), STRANGER SUMMARY("PASS", ""),
                                          NULL};
    struct dossier *dossier = several(records, (const char *const[]){"a", "b", "c"});
    char *text = judge_unchecked(dossier);
    ASSERT_HAS(text, "cuda:0 is another device or driver in c than in b:");
    ASSERT_LACKS(text, "driver in b");
    free(text);
    dossier_close(dossier);
    free(dossier);
}
END_TEST

START_TEST(records_are_told_apart)
{
    CLAUSE("report.verdict.scope");
    static const char *const records[] = {START SUMMARY("PASS", ""),
                                          STRANGER BENCH("aat/padded", "k=32", "[]", "SKIP", "")
                                              SUMMARY("SKIP", ""),
                                          START SUMMARY("PASS", ""), NULL};
    struct dossier *dossier = several(records, (const char *const[]){"a", "b", "c"});
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    ck_assert(page_verdict(file, dossier));
    ck_assert_int_eq(fclose(file), 0);
    ASSERT_HAS(text, "<li>b: Measurements and relations that came to SKIP: 1.</li>");
    const char *first = strstr(text, "<p>NVIDIA H200, driver 580.1, toolkit 13.0</p>");
    ck_assert_ptr_nonnull(first);
    ASSERT_LACKS(first + 1, "<p>NVIDIA H200");
    ASSERT_HAS(first, "<p>NVIDIA B200, driver 590, toolkit 13.0</p>");
    free(text);
    dossier_close(dossier);
    free(dossier);
}
END_TEST

START_TEST(no_gpu_is_told)
{
    CLAUSE("report.verdict.no_gpu");
    has(HEADER("host") SUMMARY("PASS", ""), (const char *const[]){"o GPU was checked", NULL});
    char *text = reporting_text(passed, false);
    ASSERT_LACKS(text, "o GPU was checked");
    free(text);
}
END_TEST

START_TEST(failure_is_told)
{
    CLAUSE("report.failure.told");
    has(failed, (const char *const[]){"matmul/tiled", "matmul m=1", "matmul.order.ascending",
                                      "element c[3][4]", "0x3f800000  1", "0x3f800001",
                                      "(1 ulp away)", NULL});
    has(START BENCH("aat/padded", "k=32", INTERVALS(400, 450, 500), "FAIL", "") SUMMARY("FAIL", ""),
        (const char *const[]){"aat/padded sass, k=32, dram: 450.0 GB/s, floor 405.0 GB/s", NULL});
    /* A copy's failure beside a kernel that passed is no PASS among the failures. */
    has(START "{\"sweep\":{\"figure\":\"offset\",\"at\":3,\"kernel\":\"offset_copy/scalar\","
              "\"device\":\"cuda:0\",\"path\":\"sass\",\"verdict\":\"PASS\","
              "\"memcpy_verdict\":\"FAIL\",\"copy_verdict\":\"PASS\"}}\n" SUMMARY("FAIL", ""),
        (const char *const[]){"offset_copy/scalar sass, offset 3: PASS",
                              "s copy FAIL, copy kernel PASS", NULL});
}
END_TEST

START_TEST(failure_without_a_line)
{
    CLAUSE("report.failure.told");
    static const char *const records[] = {START SUMMARY("FAIL", ""),
                                          START SUMMARY("PASS", ROW("matmul/tiled", "FAIL"))};
    for (size_t index = 0; index < 2; index++) {
        struct page_facts facts;
        char *page = reporting_page(records[index], &facts);
        ASSERT_LACKS(page, "No check failed");
        ASSERT_HAS(page, "Something failed, and no record holds a line that tells what.");
        free(page);
    }
}
END_TEST

START_TEST(every_device_is_shown)
{
    CLAUSE("report.html.rows");
    char record[65536];
    int bytes = snprintf(record, sizeof record, "%s", HEADER("cuda:0"));
    bytes += snprintf(record + bytes, sizeof record - (size_t)bytes,
                      "{\"summary\":{\"verdict\":\"PASS\",\"passed\":1,\"rows\":[");
    for (int device = 0; device < DOSSIER_DEVICES_MAX; device++)
        bytes += snprintf(record + bytes, sizeof record - (size_t)bytes,
                          "%s{\"device\":\"cuda:%d\",\"kernel\":\"matmul/of_%d\",\"path\":"
                          "\"sass\",\"verdict\":\"PASS\"}",
                          device ? "," : "", device, device);
    snprintf(record + bytes, sizeof record - (size_t)bytes, "]}}\n");
    has(record, (const char *const[]){"matmul/of_0", "matmul/of_17", "matmul/of_255", NULL});
}
END_TEST

START_TEST(replay_is_whole)
{
    CLAUSE("report.failure.replay");
    page_has(failed, (const char *const[]){"<pre>assay replay &#39;matmul m=1&#39;</pre>", NULL});
    char *text = reporting_text(failed, false);
    ASSERT_HAS(text, "replay    assay replay 'matmul m=1'\n");
    free(text);
}
END_TEST

START_TEST(missing_figures_are_sentences)
{
    CLAUSE("report.figure.missing");
    struct page_facts facts;
    char *page = reporting_page(passed, &facts);
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
    struct spread spread = field_spread(line, "gbps");
    ck_assert_int_eq(spread.repeats, 3);
    ck_assert(spread.lower == 8 && spread.median == 11 && spread.upper == 13);
    json_decref(line);
}
END_TEST

START_TEST(model_starts_at_the_kernels_own_value)
{
    CLAUSE("report.figure.model");
    page_has(START SWEEP("offset", 0, INTERVALS(1999, 2000, 2001), 1024)
                 SWEEP("offset", 1, INTERVALS(1899, 1900, 1901), 1280) SUMMARY("SKIP", ""),
             (const char *const[]){"offset_copy/scalar sass at offset 1: 1,900 GB/s (1,899 to",
                                   "sector model at offset 0: 2,000 GB/s",
                                   "sector model at offset 1: 1,600 GB/s",
                                   "ceiling at offset 1: about 4,000 GB/s", NULL});
    page_has(START SWEEP("stride", 1, INTERVALS(1999, 2000, 2001), 1024)
                 SWEEP("stride", 2, INTERVALS(999, 1100, 1200), 2048) SUMMARY("SKIP", ""),
             (const char *const[]){"sector model at stride 2: 1,000 GB/s", NULL});
}
END_TEST

START_TEST(ladder_marks_floor_and_documents)
{
    CLAUSE("report.figure.floor");
    CLAUSE("report.figure.documents");
    page_has(START BENCH("aat/padded", "k=32", INTERVALS(400, 450, 500), "PASS", "")
                 SUMMARY("PASS", ""),
             (const char *const[]){"aat/padded sass: 450.0 GB/s (400.0 to 500.0), floor 405.0",
                                   "class=\"floor\"", "199.4 GB/s (V100)", "-18.7 %", NULL});
}
END_TEST

START_TEST(roofline_has_roof_and_kernels)
{
    CLAUSE("report.figure.roofline");
    page_has(START BENCH("matmul/tiled", "k=32", INTERVALS(400, 450, 500), "PASS",
                         ",\"flops\":64,\"flops_per_byte\":16.0,\"gflops\":7200.0")
                 BENCH("offset_copy/scalar", "offset=0", INTERVALS(1, 2, 3), "PASS",
                       "") "{\"peak\":{\"device\":\"cuda:0\",\"derived_gbps\":5000,\"derived_"
                           "gflops\":60000,"
                           "\"verdict\":\"PASS\"}}\n" SUMMARY("PASS", ""),
             (const char *const[]){"matmul/tiled sass, k=32: 7,200 GFLOP/s at 16.00 flop/B",
                                   "60,000 GFLOP/s at 12.00 flop/B, the ridge",
                                   "without a place here: offset_copy/scalar.", NULL});
}
END_TEST

START_TEST(calls_and_relations_are_told)
{
    CLAUSE("report.figure.latency");
    CLAUSE("report.figure.relation");
    CLAUSE("report.terminal.lines");
#define RELATION(applies)                                                                          \
    "{\"relation\":{\"clause\":\"\",\"device\":\"cuda:0\",\"path\":\"sass\",\"kernel\":\"aat/a\"," \
    "\"shape\":\"k=32\",\"against\":\"aat/b\",\"against_shape\":\"k=32\",\"regime\":\"dram\","     \
    "\"verdict\":\"PASS\",\"applies\":" applies ",\"note\":\"\",\"ratio\":" INTERVALS(             \
        1, 2, 3) ",\"least_ratio\":1.5,\"from\":70,\"to\":90}}\n"
    has(START
        "{\"latency\":{\"call\":\"launch\",\"device\":\"cuda:0\",\"verdict\":\"PASS\","
        "\"us\":" INTERVALS(2, 2.5,
                            3) ",\"ceiling\":{\"limit\":6.5,\"measured\":true}}}\n" RELATION("true")
            RELATION("false") SWEEP("size", 4096, INTERVALS(70, 80, 90), 0) SUMMARY("SKIP", ""),
        (const char *const[]){"launch", "2.500", "6.500", "at least 1.5 times as fast",
                              "through sass, it held", "capability 7.0 to 9.0",
                              "nothing follows from it on this device", "4 KiB", "80.00", NULL});
}
END_TEST

START_TEST(rows_and_environment_stand_there)
{
    CLAUSE("report.html.rows");
    CLAUSE("report.html.environment");
    page_has(START BENCH("matmul/tiled", "k=32", "[]", "PASS",
                         ",\"sensors\":{\"before\":{\"sm_mhz\":345},\"during\":{\"sm_mhz\":1980,"
                         "\"power_w\":512.5,\"reasons\":\"0x4\"},\"after\":{\"sm_mhz\":1755}}")
                 SUMMARY("PASS", ROW("matmul/tiled", "PASS") "," ROW("aat/naive", "PASS")),
             (const char *const[]){"<th scope=\"row\">matmul/tiled</th>",
                                   "<th scope=\"row\">aat/naive</th>",
                                   "00112233445566778899aabbccddeeff", "2026-11-21T10:00:00Z",
                                   "GPU-1", "62914560 (60 MiB)", "512.5", "0x4", "1,980", NULL});
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
        {"the verdict is the worst of several", worst_of_several},
        {"cut short is no pass", cut_short_is_no_pass},
        {"a summary against its lines", summary_against_its_lines},
        {"what was checked and what was not", scope_is_told},
        {"strangers are told", strangers_are_told},
        {"records are told apart", records_are_told_apart},
        {"no GPU is told", no_gpu_is_told},
        {"a failure is told", failure_is_told},
        {"a failure without a line", failure_without_a_line},
        {"every device is shown", every_device_is_shown},
        {"the command to replay is whole", replay_is_whole},
        {"missing figures are sentences", missing_figures_are_sentences},
        {"intervals span the repeats", intervals_span_the_repeats},
        {"the model starts at the kernel's own value", model_starts_at_the_kernels_own_value},
        {"a ladder marks floors and documents", ladder_marks_floor_and_documents},
        {"the roofline has its roof and kernels", roofline_has_roof_and_kernels},
        {"calls and relations are told", calls_and_relations_are_told},
        {"rows and environment stand there", rows_and_environment_stand_there},
        {"a terminal without UTF-8", terminal_without_utf8},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "report", tests);
}
