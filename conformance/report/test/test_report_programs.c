/* Generated programs in a report: what ran through which paths, what is known, what failed. */
#include <stdlib.h>
#include <string.h>

#include "conformance/report/failure.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/reporting.h"

#define PROGRAMS(path, verdict, counts)                                                            \
    "{\"programs\":{\"device\":\"cuda:0\",\"path\":\"" path "\",\"verdict\":\"" verdict            \
    "\",\"planned\":5000,\"compared\":5000,\"words\":10253100,\"runs\":true," counts               \
    ",\"generator\":1,\"note\":\"\"}}\n"
#define FAILED(path, number, pattern, more)                                                        \
    "{\"program\":{\"device\":\"cuda:0\",\"path\":\"" path                                         \
    "\",\"verdict\":\"FAIL\",\"number\":" number ",\"program\":\"program version=1 seed=" number   \
    "\",\"reduced\":\"program version=1 "                                                          \
    "seed=" number " drop=1\",\"clause\":\"program_runs.golden.equal\",\"note\":\"\",\"place\":"   \
    "\"variable 2 of thread 7\",\"expected\":\"0x01\",\"got\":\"0x02\",\"unwritten\":false,"       \
    "\"wrong_words\":3,\"words\":900,\"recurs\":true,\"layer\":\"the driver's JIT\",\"pattern\":"  \
    "\"" pattern "\",\"replay\":\"assay replay 'it " number "'\"" more "}}\n"
#define KNOWN(path, id, verdict, present, listed)                                                  \
    "{\"known\":{\"device\":\"cuda:0\",\"path\":\"" path "\",\"id\":\"" id                         \
    "\",\"verdict\":\"" verdict "\",\"present\":" present ",\"listed\":" listed                    \
    ",\"program\":\"trigger abs.s16\",\"reference\":\"\",\"clause\":\"\",\"note\":\"why not\"}}\n"
#define END                                                                                        \
    "{\"summary\":{\"verdict\":\"FAIL\",\"reason\":\"\",\"exit_status\":1,\"cases_done\":5000,"    \
    "\"passed\":9000,\"fail\":3,\"crash\":0,\"timeout\":0,\"skip\":0,\"error\":0,\"declined\":0}}" \
    "\n"

#define OPERATIONS_OF(path, right, wrong, open)                                                    \
    "{\"operations\":{\"device\":\"cuda:0\",\"path\":\"" path                                      \
    "\",\"verdict\":\"FAIL\",\"planned\":449,\"right\":" right                                     \
    ",\"programs\":898,\"runs\":true,\"wrong\":[" wrong "],\"known\":[],\"open\":[" open "]}}\n"

static const char record[] =
    HEADER("cuda:0") DEVICE FAILED("ptx", "7", "abs.s16 v1, v2", ",\"known\":\"abs_s16\"")
        FAILED("ptx", "9", "a.b v1", "") FAILED("ptx-O0", "9", "a.b v1", "")
            FAILED("ptx", "11", "a.b v1", "") KNOWN("ptx", "abs_s16", "PASS", "true", "true")
                KNOWN("ptx-O0", "abs_s16", "PASS", "true", "true")
                    KNOWN("ptx-O0", "neg_s16", "FAIL", "true", "false")
                        PROGRAMS("ptx", "FAIL", "\"passed\":4997,\"fail\":2,\"known\":1")
                            PROGRAMS("ptx-O0", "FAIL", "\"passed\":4999,\"fail\":1,\"known\":0")
                                OPERATIONS_OF("ptx", "449", "", "") OPERATIONS_OF(
                                    "ptx-O0", "446", "\"bfe.s64\",\"bfi.u64\"", "\"add.u32\"") END;

START_TEST(what_ran_is_said, "program_runs.report.rows")
{
    static const char *const both[] = {"4,997", "ptx-O0", "neg_s16", NULL};
    char *text = reporting_text(record, true);
    reporting_has(record, both);
    ASSERT_HAS(text, "- ptx: 4,997 of 5,000 programs right, 1 as known miscompiles, 2 wrong.");
    ASSERT_HAS(text, "9,996 of 10,000 runs of generated programs through ptx on");
    ASSERT_HAS(text, "2 known miscompiles in this stack, 1 of them not as listed");
    ASSERT_LACKS(text, "abs_s16");
    ASSERT_LACKS(text, "Generated programs were not run");
}

/* Their number next to the verdict; their names at the page's end, folded. */
START_TEST(known_miscompiles_are_named_at_the_end, "report.html.known", "program_runs.report.rows")
{
    char *page = reporting_page(record, NULL), *end = strstr(page, "<section id=\"known\">");
    ck_assert_ptr_nonnull(end);
    ASSERT_HAS(page, "<a href=\"#known\">Known miscompiles</a>");
    ASSERT_HAS(page, "<li>2 known miscompiles in this stack, 1 of them not as listed (");
    ASSERT_HAS(end, "<details><summary>2 known miscompiles in this stack, 1 of them not as listed"
                    "</summary>");
    ASSERT_HAS(end, "<td>abs_<wbr/>s16</td><td><span class=\"verdict PASS\">PASS</span></td>"
                    "<td>through ptx and ptx-O0 on cuda:0</td>");
    ASSERT_LACKS(strstr(end, "abs_<wbr/>s16") + 1, "abs_<wbr/>s16");
    ASSERT_HAS(end, "<td>neg_<wbr/>s16</td><td><span class=\"verdict FAIL\">FAIL</span></td>"
                    "<td>through ptx-O0 on cuda:0</td><td>why not</td>");
    ASSERT_LACKS(end, "</section>\n<section");
    *end = 0;
    ASSERT_LACKS(page, "abs_<wbr/>s16");
    ASSERT_LACKS(page, "through ptx on cuda:0: abs_s16");
    page = reporting_page(HEADER("cuda:0") DEVICE END, NULL);
    ASSERT_LACKS(page, "nown miscompile");
}

START_TEST(failures_are_as_many_as_the_verdict_says, "report.html.counts")
{
    ASSERT_HAS(reporting_page(record, NULL),
               "<p>3 failures, and 1 known miscompile not as listed. Programs that fail alike "
               "are described once: 1 of 3.</p>");
}

START_TEST(operations_are_in_a_table, "program_runs.operations.table")
{
    static const char *const both[] = {
        "Operations through ptx: 449 of 449 operations right in all their types.",
        "Operations through ptx-O0: 446 of 449 operations right in all their types; wrong: "
        "bfe.s64,",
        "without a verdict: add.u32.", NULL};
    char *text = reporting_text(record, true);
    for (char *at = text; (at = strstr(at, "\n  ")) != NULL; at++) /* lines that were broken */
        memmove(at, at + 2, strlen(at + 2) + 1);
    for (char *at = text; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    for (int index = 0; both[index]; index++)
        ASSERT_HAS(text, both[index]);
    reporting_page_has(record, both);
}

/* Two programs that became the same instructions are one miscompile, whatever their paths; a known
 * one is not a new one. */
START_TEST(each_miscompile_is_said_once, "program_runs.report.findings")
{
    static const char *const both[] = {"program version=1 seed=9 drop=1",
                                       "variable 2 of thread 7",
                                       "3 of 900 words",
                                       "2 programs: ptx 2, ptx-O0 1",
                                       "program_runs.golden.equal",
                                       "neg_s16",
                                       "why not",
                                       NULL};
    char *text = reporting_text(record, false);
    reporting_has(record, both);
    ASSERT_HAS(text, "layer     the driver's JIT\n");
    ASSERT_HAS(text, "replay    assay replay 'it 9'\n");
    ASSERT_LACKS(text, "it 11");
    ASSERT_LACKS(text, "it 7");
}

/* A FAIL behind a PASS, of a program, of what is known or of a path, is a FAIL. */
START_TEST(a_failure_behind_a_pass_is_seen, "program_runs.record.borne")
{
    static const struct {
        size_t line;
        const char *kind, *verdict;
    } rows[] = {{3, "program", "FAIL"},  {3, "program", "CRASH"},  {8, "known", "FAIL"},
                {8, "known", "TIMEOUT"}, {23, "programs", "FAIL"}, {23, "programs", "CRASH"}};
    char reason[ASSESSMENT_REASON_BYTES];
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        json_t *lines = made_json(made_lines_programs());
        json_t *line = json_object_get(json_array_get(lines, rows[row].line), rows[row].kind);
        json_object_set_new(line, "verdict", json_string(rows[row].verdict));
        json_object_del(line, row < 2 ? "known" : "another");
        char *text = made_lines_text(lines);
        ck_assert_msg(reporting_verdict(text, reason) == VERDICT_FAIL, "row %zu: %s", row, reason);
    }
}
