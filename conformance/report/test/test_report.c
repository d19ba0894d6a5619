/* Reports of records that say something: the verdict, failures and figures are where and as they
 * must, in a page and in a terminal. */
#include <stdlib.h>
#include <string.h>

#include "conformance/report/page.h"
#include "conformance/report/scope.h"
#include "conformance/report/terminal.h"
#include "conformance/test/made_pair.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define STRANGER                                                                                   \
    HEADER("cuda:0")                                                                               \
    "{\"device\":{\"label\":\"cuda:0\",\"name\":\"GPU Y\",\"driver\":\"590\"}}\n"
#define FINDING                                                                                    \
    "{\"finding\":\"FAIL\",\"case\":\"matmul m=1\",\"index\":0,\"device\":\"cuda:0\",\"kernel\":"  \
    "\"matmul/tiled\",\"path\":\"sass\",\"clause\":\"matmul.order.ascending\",\"place\":"          \
    "\"element\",\"operand\":\"c\",\"row\":3,\"column\":4,\"expected\":\"3f800000\",\"got\":"      \
    "\"3f800001\",\"ulp\":1,\"note\":\"\",\"replay\":\"assay replay 'matmul m=1'\"}\n"

/* A loaded of records in memory, each called "r" where `paths` is NULL. */
static struct loaded *several(const char *const *records, const char *const *paths)
{
    struct loaded *loaded = made_loaded();
    for (size_t index = 0; records[index]; index++)
        made_loaded_add(loaded, paths ? paths[index] : "r", records[index]);
    return loaded;
}

static enum verdict verdict_of(const char *const *records)
{
    struct assessment assessment;
    assess_records(several(records, NULL), &assessment);
    return assessment.verdict;
}

static const char passed[] = START FINISHED SUMMARY("PASS", ROW("matmul/tiled", "PASS"));
static const char skipped[] = START SUMMARY("SKIP", "");
static const char failed[] = START FINDING SUMMARY("FAIL", ROW("matmul/tiled", "FAIL"));
static const char cut[] = START FINISHED;

START_TEST(worst_of_several, "report.verdict.worst")
{
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

START_TEST(cut_short_is_no_pass, "report.verdict.cut")
{
    reporting_has(cut, (const char *const[]){"INCONCLUSIVE", "cut short", NULL});
    const char *const records[] = {START FINDING, NULL};
    ck_assert_int_eq(verdict_of(records), VERDICT_FAIL);
    reporting_has(records[0], (const char *const[]){"FAIL", "cut short", NULL});
}

START_TEST(summary_against_its_lines, "report.verdict.lines")
{
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

START_TEST(scope_is_reported, "report.verdict.scope")
{
    reporting_has(passed, (const char *const[]){"Bits: 12 of 12 checks passed: 9 cases",
                                                "Code paths of a GPU not run: ptx",
                                                "Kernels of this version not run: ",
                                                "Speed was not measured: `assay bench", NULL});
    reporting_has(START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "PASS", "")
                      SUMMARY("PASS", ""),
                  (const char *const[]){"1 of 1 measurement reached the floor",
                                        "Bits were not checked beyond the timed cases", NULL});
    reporting_has(START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "SKIP", "")
                      SUMMARY("SKIP", ""),
                  (const char *const[]){"Speed: 1 measurement, none compared with a floor", NULL});
    reporting_has(START SWEEP("size", 4096, INTERVALS(70, 80, 90), 0) SUMMARY("SKIP", ""),
                  (const char *const[]){"Speed was not compared with floors: `assay bench", NULL});
}

/* Whatever comes before them: no record of the first has the device. */
START_TEST(unpaired_are_reported, "report.verdict.scope")
{
    static const char *const records[] = {HEADER("host") SUMMARY("PASS", ""),
                                          START SUMMARY("PASS", ""), STRANGER SUMMARY("PASS", ""),
                                          NULL};
    struct loaded *loaded = several(records, (const char *const[]){"a", "b", "c"});
    char *text = scope_text(loaded, scope_unchecked);
    ASSERT_HAS(text, "cuda:0 has another identity or driver in c than in b:");
    ASSERT_LACKS(text, "driver in b");
    free(text);
}

START_TEST(records_are_told_apart, "report.verdict.scope")
{
    static const char *const records[] = {START SUMMARY("PASS", ""),
                                          STRANGER BENCH("aat/padded", "k=32", "[]", "SKIP", "")
                                              SUMMARY("SKIP", ""),
                                          START SUMMARY("PASS", ""), NULL};
    struct loaded *loaded = several(records, (const char *const[]){"a", "b", "c"});
    FILE *file = testing_stream();
    struct document document;
    document_open(&document, loaded);
    page_verdict(file, &document);
    document_close(&document);
    char *text = testing_text(file);
    ASSERT_HAS(text, "<li>b: Measurements and relations with verdict SKIP: 1.</li>");
    const char *first = strstr(text, "<td>GPU X, driver 580.1, toolkit 13.0, GPU-1</td>");
    ck_assert_ptr_nonnull(first);
    ASSERT_LACKS(first + 1, "<td>GPU X");
    ASSERT_HAS(first, "<td>GPU Y, driver 590, toolkit 13.0, ");
}

/* The first screen of a page, in its order; two GPUs of a model are one line, and so is a host. */
START_TEST(a_page_begins_with_what_a_reader_needs, "report.html.first")
{
#define ON_A_HOST(started)                                                                         \
    "{\"record\":\"assay\",\"version\":1,\"assay\":\"0.2.0\",\"commit\":\"abc\",\"started\":"      \
    "\"" started "\",\"devices\":[\"cuda:0\",\"cuda:1\"],\"toolkit\":\"13.0\",\"paths\":["         \
    "\"sass\"],\"kernels\":"                                                                       \
    "[\"matmul/tiled\"],\"os\":\"Linux 6.1\",\"cpu\":\"Xeon "                                      \
    "8480\",\"hypervisor\":\"KVM\"}\n" DEVICE "{\"device\":{\"label\":\"cuda:1\",\"name\":\"GPU "  \
    "X\",\"uuid\":\"GPU-2\",\"driver\":\"580.1\"}}\n"
#define FAILED(replay)                                                                             \
    "{\"finding\":\"FAIL\",\"case\":\"c\",\"device\":\"cuda:1\",\"kernel\":\"matmul/"              \
    "tiled\",\"path\":"                                                                            \
    "\"sass\",\"clause\":\"matmul.order.ascending\",\"replay\":\"" replay "\"}\n"
    static const char *const order[] = {
        "<section id=\"verdict\">",
        "<strong>FAIL</strong>",
        "<p>1 failed, 0 crashed, 0 timed out</p>",
        "run the first failure again",
        "<pre>assay replay one</pre>",
        ">GPU</th><td>2 \xc3\x97 GPU X, driver 580.1, toolkit 13.0</td>",
        ">host</th><td>Xeon 8480, hypervisor KVM, Linux 6.1</td>",
        ">begun</th><td>2026-11-21T10:00:00Z to 2026-11-21T10:01:00Z</td>",
        ">assay</th><td>0.2.0, commit abc</td>",
        "<li>matmul/tiled through sass on cuda:1",
        "</div>",
        "<h3>Checked</h3>"};
    static const char summary[] = "{\"summary\":{\"verdict\":\"FAIL\",\"passed\":1,\"fail\":1}}\n";
    char record[4096];
    snprintf(record, sizeof record, "%s%s%s%s%s%s", ON_A_HOST("2026-11-21T10:01:00Z"),
             FAILED("assay replay one"), FAILED("assay replay another"), summary,
             ON_A_HOST("2026-11-21T10:00:00Z"), SUMMARY("PASS", ""));
    const char *at = reporting_page(record, NULL);
    for (size_t index = 0; index < sizeof order / sizeof order[0]; index++) {
        at = strstr(at, order[index]);
        ck_assert_msg(at != NULL, "'%s' is not after '%s'", order[index],
                      index ? order[index - 1] : "");
    }
    /* Nothing failed, and the record has no host: the page mentions neither. */
    char *page = reporting_page(passed, NULL);
    ASSERT_LACKS(page, "run the first failure again");
    ASSERT_LACKS(page, ">host</th>");
    ASSERT_HAS(page, ">begun</th><td>2026-11-21T10:00:00Z</td>");
}

START_TEST(no_gpu_is_reported, "report.verdict.no_gpu")
{
    reporting_has(HEADER("host") SUMMARY("PASS", ""),
                  (const char *const[]){"o GPU was checked", NULL});
    char *text = reporting_text(passed, false), *page = reporting_page(passed, NULL);
    ASSERT_LACKS(text, "o GPU was checked");
    ASSERT_LACKS(page, "o GPU was checked");
}

START_TEST(failure_is_reported, "report.failure.told")
{
    reporting_has(failed,
                  (const char *const[]){"matmul/tiled", "matmul m=1", "matmul.order.ascending",
                                        "element c[3][4]", "0x3f800000  1", "0x3f800001",
                                        "(1 ulp away)", NULL});
    reporting_has(
        START BENCH("aat/padded", "k=32", INTERVALS(400, 450, 500), "FAIL", "") SUMMARY("FAIL", ""),
        (const char *const[]){"aat/padded sass, k=32, dram: 450.0 GB/s, floor 405.0 GB/s", NULL});
    /* A copy's failure beside a kernel that passed is not PASS among the failures. */
    reporting_has(START
                  "{\"sweep\":{\"figure\":\"offset\",\"at\":3,\"kernel\":\"offset_copy/scalar\","
                  "\"device\":\"cuda:0\",\"path\":\"sass\",\"verdict\":\"PASS\","
                  "\"memcpy_verdict\":\"FAIL\",\"copy_verdict\":\"PASS\"}}\n" SUMMARY("FAIL", ""),
                  (const char *const[]){"offset_copy/scalar sass, offset 3: PASS",
                                        "s copy FAIL, copy kernel PASS", NULL});
}

START_TEST(failure_without_a_line, "report.failure.told")
{
    static const char *const records[] = {START SUMMARY("FAIL", ""),
                                          START SUMMARY("PASS", ROW("matmul/tiled", "FAIL"))};
    for (size_t index = 0; index < 2; index++) {
        char *page = reporting_page(records[index], NULL);
        ASSERT_LACKS(page, "No check failed");
        ASSERT_HAS(page, "Something failed, and no record says what.");
    }
}

/* Nothing failed in a gate that regressed; its page has the command that shows the differences. */
START_TEST(a_regression_is_no_failed_check, "report.html.first")
{
    char *page = reporting_page(
        START SUMMARY("PASS",
                      ROW("matmul/tiled", "PASS")) "{\"gate\":{\"verdict\":\"FAIL\",\"reason\":"
                                                   "\"compared with the baseline: REGRESSED\","
                                                   "\"baseline\":\"be fore.json\",\"parts\":[]}}\n",
        NULL);
    ASSERT_HAS(
        page,
        "<p>compared with the baseline: REGRESSED</p><p class=\"quiet\">show what differs "
        "from the baseline</p><pre>assay compare &#39;be fore.json&#39; &#39;r.json&#39;</pre>");
    ASSERT_HAS(page, "<p>No check failed. The verdict is that of a comparison: compared with the "
                     "baseline: REGRESSED.</p>");
    ASSERT_LACKS(page, "no record says what");
}

START_TEST(every_device_is_shown, "report.html.rows", "report.size.bounded")
{
    static const struct {
        int rows, devices;
        const char *const words[5];
    } table[] = {{4096,
                  LOADED_DEVICES_MAX,
                  {"matmul/of_0", "matmul/of_17", "matmul/of_255", "matmul/of_4095"}},
                 {20000, 8, {"matmul/of_16383", "nly in the record: 3,616 more rows"}}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        FILE *file = testing_stream();
        fputs(HEADER("cuda:0"), file);
        for (int row = 0; row < table[index].rows; row++)
            fprintf(
                file,
                "{\"bits\":{\"device\":\"cuda:%d\",\"kernel\":\"matmul/of_%d\",\"path\":\"sass\","
                "\"verdict\":\"PASS\"}}\n",
                row % table[index].devices, row);
        fputs("{\"summary\":{\"verdict\":\"PASS\",\"passed\":1}}\n", file);
        reporting_has(testing_text(file), table[index].words);
    }
}

/* Each device's figures are drawn of its own data. */
START_TEST(every_device_has_its_figures, "report.html.rows")
{
    static const char first[] =
        HEADER("cuda:0\",\"cuda:1") DEVICE SWEEP("offset", 0, INTERVALS(1999, 2000, 2001), 1024)
            SWEEP("offset", 1, INTERVALS(1899, 1900, 1901), 1280);
    char second[] = DEVICE SWEEP("offset", 0, INTERVALS(2076, 2077, 2078), 1024)
        SWEEP("offset", 1, INTERVALS(1976, 1977, 1978), 1280);
    char record[sizeof first + sizeof second];
    for (char *at = second; (at = strstr(at, "cuda:0"));)
        at[5] = '1';
    snprintf(record, sizeof record, "%s%s", first, second);
    char *page = reporting_page(record, NULL);
    ASSERT_HAS(page, "2,000 GB/s");
    ASSERT_HAS(page, "2,077 GB/s");
}

START_TEST(replay_is_whole, "report.failure.replay")
{
    reporting_page_has(failed,
                       (const char *const[]){"<pre>assay replay &#39;matmul m=1&#39;</pre>", NULL});
    char *text = reporting_text(failed, false);
    ASSERT_HAS(text, "replay    assay replay 'matmul m=1'\n");
}

/* Of one record: a run's failure, a measurement that failed, and a row that passed. */
#define OF_RECORD(letter)                                                                          \
    START "{\"finding\":\"FAIL\",\"case\":\"matmul "                                               \
          "m=1\",\"index\":0,\"device\":\"cuda:0\",\"kernel\":"                                    \
          "\"matmul/wrong_" letter                                                                 \
          "\",\"path\":\"sass\",\"clause\":\"matmul.order.ascending\",\"place\":\"element\","      \
          "\"operand\":\"c\",\"row\":3,\"column\":4,\"note\":\"note " letter                       \
          "\",\"replay\":\"assay replay " letter                                                   \
          "\"}\n" BENCH("aat/slow_" letter, "k=32", INTERVALS(400, 450, 500), "FAIL",              \
                        ",\"clause\":\"bandwidth.floor.kernel\",\"note\":\"why " letter            \
                        "\",\"replay\":\"assay bench " letter "\"")                                \
              SUMMARY("FAIL", ROW("matmul/right_" letter, "PASS"))

/* Of the header and of a device, whatever a later version writes there. */
START_TEST(every_value_is_shown, "report.html.environment")
{
    reporting_page_has(
        HEADER("cuda:0") "{\"device\":{\"label\":\"cuda:0\",\"name\":\"GPU X\",\"ecc\":\"on\","
                         "\"mig\":false,\"power_limit_w\":700.5,\"l2_bytes\":62914560,"
                         "\"ptx\":[{\"path\":\"ptx\",\"ptx\":\"compute_90\"},"
                         "{\"path\":\"ptx-lowest\",\"ptx\":\"compute_75\"}],"
                         "\"kernels\":[{\"kernel\":\"a/b\",\"ptx\":\"compute_80\"}]}}\n" SUMMARY(
                             "PASS", ""),
        (const char *const[]){
            "<th scope=\"row\">ecc</th><td>on</td>",
            "<th scope=\"row\">power limit w</th><td>700.5</td>",
            "<th scope=\"row\">l2 bytes</th><td>62914560 (60 MiB)</td>",
            "<th scope=\"row\">ptx</th><td>ptx: ptx compute_90, ptx-lowest: ptx compute_75</td>",
            "<th scope=\"row\">kernels</th><td>a/b: path ; ptx compute_80</td>", NULL});
}

/* The reason for the clocks, too, whichever kind of line it is in. */
START_TEST(every_reading_is_shown, "report.html.environment")
{
    static const char *const kinds[] = {"bench", "peak", "latency", "sweep"};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        char record[2048];
        snprintf(record, sizeof record,
                 START "{\"%s\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\",\"sensors\":"
                       "{\"sm_mhz\":1980,\"power_w\":321,\"reasons\":\"0x20\"}}}\n",
                 kinds[index]);
        reporting_page_has(record, (const char *const[]){">1,980<", ">321.0<", ">0x20<", NULL});
    }
}

/* Whichever of several records it is in. */
START_TEST(every_record_is_shown, "report.failure.told", "report.failure.replay")
{
    static const char *const records[] = {OF_RECORD("a"), OF_RECORD("b"), OF_RECORD("c"), NULL};
    static const char *const words[] = {"matmul/wrong_%c", "note %c", "assay replay %c",
                                        "aat/slow_%c", "matmul/right_%c"};
    static const char *const words_in_terminals[] = {"why %c", "assay bench %c"};
    struct loaded *loaded = several(records, (const char *const[]){"a.json", "b.json", "c.json"});
    FILE *file = testing_stream();
    char word[64];
    struct document document;
    document_open(&document, loaded);
    terminal_failures(file, &document);
    document_close(&document);
    const char *text = reporting_write(FORMAT_TEXT, loaded, false),
               *page = reporting_write(FORMAT_PAGE, loaded, true), *failures = testing_text(file);
    for (char record = 'a'; record <= 'c'; record++) {
        for (size_t index = 0; index < sizeof words / sizeof words[0]; index++) {
            snprintf(word, sizeof word, words[index], record);
            ASSERT_HAS(text, word);
            ASSERT_HAS(page, word);
            if (strstr(word, "right") == NULL)
                ASSERT_HAS(failures, word);
        }
        for (size_t index = 0; index < 2; index++) {
            snprintf(word, sizeof word, words_in_terminals[index], record);
            ASSERT_HAS(text, word);
        }
    }
}
