/* Words for people: counts with what they count, and places. */
#include <unistd.h>

#include "conformance/base/text.h"
#include "conformance/bits/run.h"
#include "conformance/report/failure.h"
#include "conformance/report/live.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/reporting.h"

START_TEST(counts_have_their_number, "report.text.counts")
{
    static const struct {
        uint64_t count;
        const char *one, *text;
    } table[] = {
        {0, "case", "0 cases"},
        {1, "case", "1 case"},
        {25039, "case", "25,039 cases"},
        {5, "try", "5 tries"},
        {2, "other process", "2 other processes"},
        {UINT64_MAX, "uncorrected memory error",
         "18,446,744,073,709,551,615 uncorrected memory errors"},
    };
    char text[NUMBER_COUNT_BYTES], total[FAILURE_TEXT_BYTES];
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++)
        ck_assert_str_eq(number_count(table[index].count, table[index].one, text),
                         table[index].text);
    failure_total(1, 0, 2, 1, total);
    ck_assert_str_eq(total, "1 wrong element, 0 gap bytes, 2 guard bytes, 1 input");
}

START_TEST(a_loss_is_not_made_smaller, "bandwidth.floor.found_loss")
{
    static const struct {
        double loss;
        const char *text;
    } table[] = {{0, ""},           {0.186, "-18.6 %"}, {0.1861, "-18.7 %"},
                 {0.02, "-2.0 %"},  {0.0299, "-3.0 %"}, {0.0001, "-0.1 %"},
                 {0.033, "-3.3 %"}, {1, "-100.0 %"}};
    char text[NUMBER_TEXT_BYTES];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_str_eq(number_loss(table[row].loss, text), table[row].text);
}

/* A run on the host device whose record lines can be made. */
static struct run *make_run(void)
{
    static const struct options options = {.seed = 1};
    struct run *run = testing_new(sizeof *run);
    run->session = testing_new(sizeof *run->session);
    run->session->options = &options;
    run->session->device_count = 1;
    run->session->devices[0].info.id = device_host;
    strcpy(run->session->devices[0].label, "host");
    return run;
}

START_TEST(places_are_of_their_operand, "verdicts.place.named")
{
    struct run *run = make_run();
    static const struct {
        const char *line;
        int operand;
        enum place place;
        int64_t row, column, distance_bytes;
        const char *text;
    } table[] = {
        {"matmul m=1 n=1 k=1", 2, PLACE_ELEMENT, 0, 0, 0, "element c[0][0]"},
        {"matmul m=1 n=3 k=1", 2, PLACE_ELEMENT, 0, 2, 0, "element c[0][2]"},
        {"aat m=1 k=4", 0, PLACE_INPUT, 0, 3, 0, "input a[0][3]"},
        {"matmul m=1 n=1 k=1 ldc=4", 2, PLACE_GAP, 0, 0, 0, "gap of c, after element [0][0]"},
        {"matmul m=1 n=1 k=1 ldc=4 c_offset=3", 2, PLACE_GAP, -1, -1, 0,
         "gap of c, before its first element"},
        {"strided_copy n=9 stride=3", 1, PLACE_GAP, 0, 4, 0, "gap of target, after element [4]"},
        {"adjacent_difference n=9", 1, PLACE_ELEMENT, 0, 8, 0, "element b[8]"},
        {"matmul m=1 n=1 k=1", 2, PLACE_GUARD, 0, 0, -1, "guard of c, 1 byte before its start"},
        {"matmul m=1 n=1 k=1", 2, PLACE_GUARD, 0, 0, 12, "guard of c, 12 bytes after its end"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        char case_line[128], text[FAILURE_TEXT_BYTES];
        snprintf(case_line, sizeof case_line, "%s fill=uniform seed=1", table[index].line);
        struct run_finding it = {.test_case = made_case(case_line),
                                 .finding = {.verdict = VERDICT_FAIL,
                                             .place = table[index].place,
                                             .operand = table[index].operand,
                                             .unit_bytes = 1,
                                             .row = table[index].row,
                                             .column = table[index].column,
                                             .distance_bytes = table[index].distance_bytes}};
        failure_place(LINE_AS(finding, record_finding(run, &it, made_zone())), text);
        ck_assert_str_eq(text, table[index].text);
    }
}

/* What is shown while a run goes of a line that it writes. */
static char *shown(const struct line *line)
{
    static const char *const names[] = {"matmul/tiled"}, *const devices[] = {"host"};
    struct live *live = live_open(&(struct live_options){.format = FORMAT_TEXT});
    const struct session_sink *sink = live_sink(live);
    testing_capture(STDOUT_FILENO);
    sink->line(sink->context,
               LINE(made_zone(), header, .record = "assay", .version = 1, .command = "run",
                    .kernels = {names, 1}, .devices = {devices, 1}));
    testing_captured(STDOUT_FILENO);
    testing_capture(STDOUT_FILENO);
    sink->line(sink->context, line);
    live_end(live, EXIT_STATUS_PASS);
    return testing_captured(STDOUT_FILENO);
}

/* What a terminal and the page show of a record with one finding. */
static void show(json_t *finding, char **ret_text, char **ret_page)
{
    static const char header[] = "{\"record\":\"assay\",\"version\":1,\"devices\":[\"host\"]}\n";
    char *line = json_dumps(finding, JSON_COMPACT);
    FILE *record = testing_stream();
    fprintf(record, "%s%s\n", header, line);
    free(line);
    line = testing_text(record);
    *ret_text = reporting_text(line, true);
    *ret_page = reporting_page(line, NULL);
}

/* Every line of a finding as it is found is in the report of its record, in the terminal and in
 * the page, whatever its place and type: vectors, bytes, NaN, what was never written. */
START_TEST(a_failure_has_the_same_words_everywhere, "report.failure.alike")
{
    static const char *const cases[] = {
        "matmul m=3 n=3 k=1 ldc=4 fill=uniform seed=1",
        "adjacent_difference n=9 b_offset=2 fill=uniform seed=1",
        "strided_copy n=9 stride=3 element=8 fill=position seed=1",
    };
    static const unsigned char bits[3][4] = {{0, 0, 0x80, 0x3f}, {1, 0, 0xc0, 0x7f}, {0}};
    struct run *run = make_run();
    for (int form = 0; form < 3 * PLACE_COUNT * 3; form++) {
        struct run_finding it = {
            .finding = {.verdict = VERDICT_FAIL,
                        .place = (enum place)(form / 3 % PLACE_COUNT),
                        .row = form % 2 - (form / 3 % PLACE_COUNT == PLACE_GAP),
                        .column = 1,
                        .distance_bytes = form % 2 ? -3 : 1234,
                        .unit_bytes = 4,
                        .ulp = form % 3 == 1 ? UINT64_MAX : 123456,
                        .unwritten = form % 3 == 2,
                        .wrong_elements = 7}};
        char *text, *page;
        it.test_case = made_case(cases[form / 3 / PLACE_COUNT]);
        it.finding.operand = it.test_case.algorithm->operand_count - 1;
        memcpy(it.finding.expected, bits[0], 4);
        memcpy(it.finding.got, bits[form % 3], 4);
        strcpy(it.finding.clause, "a.b.c");
        strcpy(it.finding.note, "a note");
        const struct line *found = record_finding(run, &it, made_zone());
        char *live = shown(found);
        show(made_json(line_json(found)), &text, &page);
        int lines = 0;
        ck_assert_str_eq(strtok(live, "\n"), "FAIL");
        for (char *line; (line = strtok(NULL, "\n")) != NULL; lines++) {
            line += strlen("  ");
            ck_assert_msg(strstr(text, line), "'%s' is not in:\n%s", line, text);
            const char *words = line + 10; /* after the name */
            if (strchr(words, '\'') == NULL && strncmp(line, "kernel", 6) != 0)
                ASSERT_HAS(page, words);
        }
        ck_assert_int_ge(lines, it.finding.place == PLACE_NONE ? 5 : 9);
    }
}

/* The catalog's own kernels all have one (test_kernels); here, what a row without one comes to. */
START_TEST(units_are_built, "runner.kernels.image")
{
    ck_assert_ptr_null(catalog_image("matmul_none"));
    ck_assert_ptr_null(catalog_image("matmul"));
    ck_assert_ptr_null(catalog_image(""));
    ck_assert_str_eq(catalog_image("matmul_naive")->unit, "matmul_naive");
    ck_assert_int_eq(catalog_unbuilt(), catalog_count());
}

START_TEST(a_timeout_that_passed_is_shown_as_inconclusive, "verdicts.timeout.again")
{
    struct run *run = make_run();
    struct run_finding it = {.test_case = made_case("matmul m=1 n=1 k=1 fill=uniform seed=1"),
                             .finding = {.verdict = VERDICT_TIMEOUT}};
    for (int passes = 0; passes < 2; passes++) {
        it.passing = it.retried = passes;
        it.reduced.repeats = 5;
        it.reduced.smallest = it.test_case;
        const char *text = shown(passes ? record_reduced(run, &it, made_zone())
                                        : record_finding(run, &it, made_zone()));
        ASSERT_HAS(text, passes ? "\nINCONCLUSIVE\n" : "\nTIMEOUT\n");
    }
}

/* A record may be lost after its last line. */
START_TEST(what_fails_outside_the_record_is_an_error, "report.live.document")
{
    static const char *const devices[] = {"cuda:0"};
    for (int is_lost = 0; is_lost < 2; is_lost++) {
        struct live *live =
            live_open(&(struct live_options){.command = "run", .format = FORMAT_LINE});
        const struct session_sink *sink = live_sink(live);
        const int status = is_lost ? EXIT_STATUS_HARNESS : EXIT_STATUS_PASS;
        testing_capture(STDOUT_FILENO);
        sink->line(sink->context, LINE(made_zone(), header, .record = "assay", .version = 1,
                                       .command = "run", .devices = {devices, 1}));
        sink->line(sink->context,
                   LINE(made_zone(), summary, .verdict = VERDICT_PASS, .counts = {.passed = 1}));
        ck_assert_int_eq(live_end(live, status), status);
        ck_assert_str_eq(
            testing_captured(STDOUT_FILENO),
            is_lost ? "assay ERROR: the command failed after its last line; standard error has the "
                      "reason\n"
                    : "assay PASS\n");
    }
}
