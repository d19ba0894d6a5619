/* A document that a command fills by itself (document.h), in every format. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test/format_check.h"
#include "spec/testing.h"

/* Names that a file or a host may have: markup, quotes, lines, controls, text that runs backwards,
 * a directive of TAP, what is no UTF-8, and more than any format shows. */
static const char *const hostile[] = {
    "",
    "<b onclick=\"x\">&amp;</b>",
    "a\"b\\c'd",
    "a\n1..1\nnot ok - b\r",
    "\x01",
    "\x02",
    "\xe2\x80\xae"
    "gnp\x1b[31m",
    "# TODO | `code` ~~~\n~~~\n]]>-->",
    "\xff\xfe",
    "{\"a\":1}}",
};
enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

static char longest[4096];

/* A part of each name, with two checks and three findings of it. */
static void fill(struct document *document)
{
    memset(longest, 'x', sizeof longest - 1);
    document_begin(document, hostile[1]);
    document->verdict = VERDICT_FAIL;
    document->reason = hostile[3];
    document->host = hostile[6];
    for (size_t at = 0; at <= HOSTILE; at++) {
        const char *name = at < HOSTILE ? hostile[at] : longest;
        const struct document_pair pairs[] = {{"name", name, false}, {name, name, false}};
        document_part(document, name, VERDICT_FAIL, name, name);
        size_t row = 0;
        for (int twice = 0; twice < 2; twice++)
            row = document_check(
                document, &(struct document_check){
                              .name = name, .device = name, .note = name, .verdict = VERDICT_FAIL});
        for (const char *const *device = &hostile[4]; device < &hostile[6]; device++)
            document_check(document, &(struct document_check){.name = "twin",
                                                              .device = *device,
                                                              .verdict = VERDICT_SKIP});
        struct document_finding finding = {.row = row,
                                           .verdict = VERDICT_FAIL,
                                           .what = name,
                                           .how = name,
                                           .replay = name,
                                           .smallest = name,
                                           .pairs = pairs,
                                           .pair_count = 2};
        document_finding(document, &finding);
        finding.row = 0, finding.verdict = VERDICT_INCONCLUSIVE, finding.sort = DOCUMENT_UNDECIDED;
        document_finding(document, &finding);
        finding.verdict = VERDICT_PASS, finding.sort = DOCUMENT_NOTE;
        document_finding(document, &finding);
    }
    document_finish(document);
}

START_TEST(hostile_names_are_text_in_each_format, "report.format.outcome", "report.format.valid",
           "report.text.escaped")
{
    struct document document;
    fill(&document);
    for (int format = 0; format < FORMAT_COUNT; format++) {
        char why[FORMAT_WHY_BYTES] = "";
        size_t bytes;
        char *text = format_write_document((enum output_format)format, &document, true, &bytes);
        const bool is_good = format_check((enum output_format)format, text, bytes, why);
        ck_assert_msg(is_good, "%s: %s\n%.2000s", reporters[format]->name, why, text);
        if (format == FORMAT_PAGE || format == FORMAT_JUNIT)
            ASSERT_LACKS(text, "<b onclick");
        ASSERT_LACKS(text, "\x1b");
        ASSERT_LACKS(text, "\nnot ok - b");
        free(text);
    }
    document_close(&document);
}

/* Whatever was not decided is good in none of them. */
START_TEST(nothing_open_is_good, "report.format.outcome", "verdicts.consumer.unchecked")
{
    static const enum verdict open[] = {VERDICT_INCONCLUSIVE, VERDICT_SKIP, VERDICT_ERROR};
    static const struct {
        enum output_format format;
        const char *good;
    } rows[] = {
        {FORMAT_TEXT, "PASS"},
        {FORMAT_TAP, "\nok - "},
        {FORMAT_JSON, "\"exit_status\":0"},
        {FORMAT_MARKDOWN, "PASS"},
        {FORMAT_PAGE, "outcome PASS"},
        {FORMAT_JUNIT, "time=\"0.000\"/>"},
        {FORMAT_LINE, "PASS"},
        {FORMAT_PROMETHEUS, "verdict=\"PASS\"} 1"},
        {FORMAT_GCM, "\"result\":0"},
    };
    ck_assert_uint_eq(sizeof rows / sizeof rows[0], FORMAT_COUNT);
    for (size_t verdict = 0; verdict < sizeof open / sizeof open[0]; verdict++)
        for (size_t row = 0; row < FORMAT_COUNT; row++) {
            struct document document;
            size_t bytes;
            document_begin(&document, "merge");
            document.verdict = open[verdict];
            document.reason = "lost";
            document_part(&document, "shards", open[verdict], "lost", "lost");
            document_check(&document,
                           &(struct document_check){.name = "a", .verdict = VERDICT_INCONCLUSIVE});
            document_finish(&document);
            char *text = format_write_document(rows[row].format, &document, true, &bytes);
            if (rows[row].format == FORMAT_TAP && open[verdict] == VERDICT_SKIP)
                ASSERT_HAS(text, "the merge as a whole # SKIP lost"); /* as TAP has it */
            else
                ASSERT_LACKS(text, rows[row].good);
            free(text);
            document_close(&document);
        }
}

START_TEST(what_points_into_another_is_set, "report.format.outcome", "report.format.findings",
           "report.format.checks")
{
    static const char *const names[] = {"a", "a#2", "a#2", "a", "b", "\x01", "\x02"};
    static const char *const apart[] = {"a", "a#2", "a#2#2", "a#3", "b", "?", "?#2"};
    struct document document;
    document_begin(&document, "fleet");
    for (int part = 0; part < 2; part++) {
        document_part(&document, "machines", VERDICT_FAIL, "", "");
        for (size_t at = 0; at < 7; at++) {
            const size_t row = document_check(
                &document, &(struct document_check){.name = names[at], .verdict = VERDICT_FAIL});
            ck_assert_uint_eq(row, at + 1);
            document_finding(&document, &(struct document_finding){
                                            .what = "slower",
                                            .row = row,
                                            .verdict = VERDICT_FAIL,
                                            .advice = {FINDING_CRITICAL,
                                                       at == 3 ? ACTION_RESET : ACTION_REPEAT}});
        }
        document_finding(&document, &(struct document_finding){.what = "lost",
                                                               .verdict = VERDICT_INCONCLUSIVE,
                                                               .sort = DOCUMENT_UNDECIDED});
    }
    document_finish(&document);
    ck_assert_uint_eq(document.failures, 14); /* an undecided check is no failure */
    ck_assert_int_eq(document.action, ACTION_RESET);
    for (size_t part = 0; part < 2; part++) {
        const struct document_part *it = &document.parts[part];
        ck_assert_uint_eq(it->check_count, 7);
        ck_assert_uint_eq(it->finding_count, 8);
        for (size_t at = 0; at < 7; at++) {
            ck_assert_str_eq(it->checks[at].name, apart[at]);
            ck_assert_ptr_eq(it->findings[at].check, &it->checks[at]);
            ck_assert_uint_eq(it->findings[at].place, at);
            ck_assert_str_eq(it->findings[at].how, "");
        }
        ck_assert_ptr_null(it->findings[7].check);
    }
    document_close(&document);
}
