/* In sentences: what was checked and what was not, and how many failures are only in the record.
 */
#include "conformance/model/catalog.h"
#include "conformance/report/scope.h"
#include "conformance/test/made_pair.h"
#include "conformance/test/reporting.h"

#define START HEADER("cuda:0") DEVICE
#define CASE  "{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[0,0]],\"checks\":1}}\n"
#define SWEEP_RUN                                                                                  \
    START "{\"sweep\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\"}}\n" SUMMARY("PASS", "")
#define DEEP                                                                                       \
    "{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"tier\":\"deep\",\"cases_planned\":" \
    "9,"                                                                                           \
    "\"devices\":[\"cuda:0\"],\"paths\":[\"sass\"],\"kernels\":[\"matmul/tiled\"]}\n"
#define CODE                                                                                       \
    "{\"codegen\":{\"kernel\":\"matmul/"                                                           \
    "tiled\",\"device\":\"cuda:0\",\"path\":\"sass\",\"verdict\":"                                 \
    "\"PASS\"}}\n"
#define ON_HOST                                                                                    \
    HEADER("host")                                                                                 \
    "{\"device\":{\"label\":\"host\",\"name\":\"the CPU\"}}\n"
#define ANOTHER_DRIVER                                                                             \
    HEADER("cuda:0")                                                                               \
    "{\"device\":{\"label\":\"cuda:0\",\"name\":\"GPU X\",\"uuid\":\"GPU-1\",\"driver\":"          \
    "\"590.1\"}}\n"
#define DERIVED ",\"floor\":{\"limit\":0.09,\"measured\":false,\"from\":\"a model\"}"
#define DERIVED_BENCH                                                                              \
    "{\"bench\":{\"kernel\":\"aat/naive\",\"device\":\"cuda:0\",\"path\":\"sass\",\"verdict\":"    \
    "\"FAIL\",\"gbps\":" INTERVALS(9, 10, 11) DERIVED "}}\n"

/* What is said of one record or two: checked if `checked`, else not checked. */
static char *told(const char *one, const char *other, bool checked)
{
    struct loaded *loaded = made_loaded();
    made_loaded_add(loaded, "a", one);
    if (other)
        made_loaded_add(loaded, "b", other);
    char *text = scope_text(loaded, checked ? scope_checked : scope_unchecked);
    testing_keep(text, free);
    return text;
}

START_TEST(each_limit_is_reported, "report.verdict.scope", "report.verdict.no_gpu",
           "report.verdict.cut")
{
    static const struct {
        const char *one, *other;
        bool checked;
        const char *has, *lacks;
    } table[] = {
        {ON_HOST SUMMARY("PASS", ""), NULL, false, "No GPU was checked", "cut short"},
        {START SUMMARY("PASS", ROW("matmul/tiled", "PASS")), NULL, false,
         "not run:", "No GPU was checked"},
        {START CODE SUMMARY("PASS", ""), NULL, false, "not run: sass, ptx", "timed cases"},
        {START SUMMARY("CRASH", BITS("{\"kernel\":\"matmul/tiled\",\"path\":\"sass\",\"verdict\":"
                                     "\"CRASH\",\"crash\":3,\"skip\":5,\"error\":1}")),
         NULL, false, "Without a verdict, of kernels that failed: 6 checks.\n", NULL},
        {START, NULL, false,
         "a: cut short; its findings count, and the remaining cases were not checked: run it again",
         "assay run -o"},
        {START, NULL, false, "cut short", "Speed was not"},
        {SWEEP_RUN, NULL, true, "Sweeps: 1 measurement along", "a: "},
        {SWEEP_RUN, SWEEP_RUN, true, "b: Sweeps: 1 measurement along", "\nSweeps"},
        {SWEEP_RUN, SWEEP_RUN, true, "a: Speed: measured without floors", "\nSpeed"},
        {START CASE, START CASE, true, "b: Bits: 1 of 9 cases had finished", "\nBits"},
        {START SUMMARY("INCONCLUSIVE", ROW("matmul/tiled", "SKIP")), START SUMMARY("PASS", ""),
         false, "a: matmul/tiled through sass: SKIP", "\nmatmul"},
        {START CASE, NULL, false, "Speed was not measured", "Bits were not"},
        /* beyond the plan, reversed, and no ranges */
        {START
         "{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[0,7],[9,9],[8,20],[5,2],[\"a\",3],[1],"
         "7,null,[-1,3]],\"checks\":1}}\n",
         NULL, true, "Bits: 8 of 9 cases had finished", "Bits were not"},
        {DEEP DEVICE, NULL, false,
         "its findings count, and the remaining cases were not checked: run", "Bits were not"},
        {DEEP DEVICE SUMMARY("PASS", ""), NULL, false, "Bits were not", "run it again"},
        {START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "PASS", "")
             BENCH("aat/naive", "k=32", INTERVALS(9, 10, 11), "FAIL", "") SUMMARY("FAIL", ""),
         NULL, true, "Speed: 1 of 2 measurements reached the floor", NULL},
        {START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "PASS", "")
             BENCH("aat/naive", "k=32", INTERVALS(9, 10, 11), "PASS",
                   ",\"note\":\"recorded, not judged: no clock\"") SUMMARY("PASS", ""),
         NULL, true,
         "Speed: 1 of 2 measurements reached the floor, on cuda:0 (GPU X); 1 recorded, not judged.",
         NULL},
        {START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "PASS", "")
             DERIVED_BENCH SUMMARY("FAIL", ""),
         NULL, false,
         "Floors: 1 of 2 derived from a model, since none was measured for this device.", NULL},
        {START BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "INCONCLUSIVE", "")
             SUMMARY("INCONCLUSIVE", ""),
         NULL, false, "Measurements and relations with verdict INCONCLUSIVE: 1.", "derived"},
        {START SUMMARY("PASS", BITS("{\"kernel\":\"matmul/tiled\",\"path\":\"sass\",\"verdict\":"
                                    "\"PASS\",\"declined\":3}")),
         NULL, false, "Declined: 3 launches, since the kernel does not accept the shape.", NULL},
        {START SUMMARY("PASS", ""), ANOTHER_DRIVER SUMMARY("PASS", ""), false,
         "cuda:0 has another identity or driver in b than in a:", NULL},
        {START SUMMARY("PASS", ""), START SUMMARY("PASS", ""), false,
         "not run:", "has another identity"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        char *text = told(table[row].one, table[row].other, table[row].checked);
        ASSERT_HAS(text, table[row].has);
        if (table[row].lacks)
            ASSERT_LACKS(text, table[row].lacks);
    }
}

/* Kernels that did not run have one sentence; a page folds their names under their number. */
START_TEST(kernels_that_did_not_run_are_counted, "report.verdict.scope", "report.html.folded")
{
    static const struct {
        const char *record, *begins, *lacks;
    } table[] = {
        {START BENCH("matmul/naive", "k=32", INTERVALS(9, 10, 11), "PASS", "") SUMMARY("PASS", ""),
         "matmul/tiled, ", "matmul/naive"},
        {START CODE SUMMARY("PASS", ""), "matmul/naive, matmul/tiled, ", NULL},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const int count = kernel_count - (table[row].lacks != NULL);
        char folded[256], listed[256];
        FILE *names = testing_stream();
        ck_assert_uint_eq(scope_kernels(names, reporting_loaded(table[row].record)), (size_t)count);
        if (table[row].lacks)
            ASSERT_LACKS(testing_text(names), table[row].lacks);
        snprintf(folded, sizeof folded,
                 "<details><summary>Kernels of this version not run: %d</summary><p>%s", count,
                 table[row].begins);
        ASSERT_HAS(reporting_page(table[row].record, NULL), folded);
        snprintf(listed, sizeof listed, "unchecked Kernels of this version not run: %d: ", count);
        ASSERT_HAS(reporting_text(table[row].record, true), listed);
    }
}

/* Twelve rows that were not decided are reported, and how many more there are. */
START_TEST(many_rows_are_counted, "report.size.bounded")
{
    char rows[8192] = "", record[16384];
    for (int row = 0; row < 15; row++)
        strcat(rows, ROW("matmul/tiled", "SKIP"));
    snprintf(record, sizeof record, "%s%s{\"summary\":{\"verdict\":\"SKIP\"}}\n", START, rows);
    char *text = told(record, NULL, false);
    ASSERT_HAS(text, "Also without a verdict: 3 more rows (kernel and path).");
}

/* A run through 600 kernels and 20 paths, with 70 values of its device and 16,388 relations: each
 * kernel and path is in the grid, and what is not shown is counted. */
START_TEST(nothing_is_left_out_in_silence, "report.size.bounded", "report.html.rows")
{
    enum { KERNELS = 600, PATHS = 20, WORDS = 1000, RELATIONS = 16388 };
    char name[64];
    FILE *file = testing_stream();
    fputs("{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"cases_planned\":9,\"devices\":"
          "[\"cuda:0\"],\"kernels\":[\"a/0\"],\"paths\":[\"sass\"",
          file);
    for (int path = 1; path < PATHS; path++)
        fprintf(file, ",\"path-%d\"", path);
    fputs("],\"environment\":[\"word-000\"", file);
    for (int word = 1; word < WORDS; word++)
        fprintf(file, ",\"word-%03d\"", word);
    fputs("]}\n{\"device\":{\"label\":\"cuda:0\"}}\n", file);
    for (int relation = 0; relation < RELATIONS; relation++)
        fputs("{\"relation\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\"}}\n", file);
    for (int row = 0; row < KERNELS; row++)
        fprintf(file,
                "{\"bits\":{\"device\":\"cuda:0\",\"kernel\":\"a/%d\",\"path\":\"path-%d\","
                "\"passed\":1}}\n",
                row, row % PATHS);
    fputs("{\"summary\":{\"verdict\":\"PASS\",\"passed\":9}}\n", file);
    char *page = reporting_page(testing_text(file), NULL);
    ASSERT_HAS(page, "path-10, path-11 and 8 more on cuda:0");
    ASSERT_HAS(page, "Only in the record: 4 more lines of measurements.");
    ASSERT_HAS(page, "word-814, word-815 and 184 more<"); /* a value has 8 KiB */
    for (int path = 0; path < PATHS; path++) {
        snprintf(name, sizeof name, "<th scope=\"col\" class=\"mid\">path-%d</th>", path);
        ASSERT_HAS(page, name);
    }
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        snprintf(name, sizeof name, "<th scope=\"row\">a/%d</th>", kernel);
        ASSERT_HAS(page, name);
    }
}

/* A page has a hundred failures of speed, and says how many more. */
START_TEST(many_failures_are_counted, "report.size.bounded")
{
    FILE *file = testing_stream();
    fputs(START, file);
    for (int index = 0; index < 103; index++)
        fputs(BENCH("aat/padded", "k=32", INTERVALS(9, 10, 11), "FAIL", ""), file);
    fputs(SUMMARY("FAIL", ""), file);
    char *page = reporting_page(testing_text(file), NULL);
    ASSERT_HAS(page, "Only in r.json: 3 more failed measurements.");
    int count = 0;
    for (const char *at = page; (at = strstr(at, "</span> speed of aat/padded")) != NULL; at++)
        count++;
    ck_assert_int_eq(count, 100);
}

/* A copy that failed beside a line that passed is a FAIL, and of a run that was cut short
 * nobody says that nothing failed. */
START_TEST(failures_are_never_milder, "report.failure.told")
{
    char *page = reporting_page(
        START "{\"sweep\":{\"figure\":\"offset\",\"at\":1,\"kernel\":\"aat/padded\",\"device\":"
              "\"cuda:0\",\"path\":\"sass\",\"verdict\":\"PASS\",\"memcpy_verdict\":\"FAIL\","
              "\"gbps\":[]}}\n" SUMMARY("FAIL", ""),
        NULL);
    ASSERT_HAS(page, "<span class=\"verdict FAIL\">FAIL</span> speed of aat/padded");
    page = reporting_page(START, NULL);
    ASSERT_HAS(page, "No check failed, crashed or timed out before the run was cut short.");
    page = reporting_page(START SUMMARY("PASS", ""), NULL);
    ASSERT_HAS(page, "No check failed, crashed or timed out.");
}
