/* Reports of records that mean harm, or nothing: escaped, bounded, well-formed, never a crash. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/text.h"
#include "conformance/test/reporting.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define START HEADER("cuda:0") DEVICE
#define EVIL  "<script>alert(1)</script>\\\"'&\\u001b[2J\\u202e\\ufffe\\u0001]]>"

START_TEST(markup_stays_text, "report.text.escaped", "report.html.alone", "report.format.valid")
{
    static const char record[] = HEADER(
        "cuda:0<script>") "{\"finding\":\"FAIL\",\"case\":\"" EVIL "\",\"device\":\"" EVIL
                          "\",\"kernel\":\"" EVIL "\",\"path\":\"" EVIL "\",\"clause\":\"" EVIL
                          "\",\"place\":\"" EVIL "\",\"operand\":\"" EVIL "\",\"expected\":\"" EVIL
                          "\",\"got\":\"" EVIL "\",\"note\":\"" EVIL "\",\"replay\":\"" EVIL "\"}\n"
                          "{\"bench\":{\"device\":\"" EVIL "\",\"kernel\":\"aat/" EVIL
                          "\",\"path\":\"" EVIL
                          "\",\"shape\":\"k=32\",\"regime\":\"dram\",\"verdict\":\"" EVIL
                          "\",\"gbps\":" INTERVALS(
                              1, 2, 3) ",\"note\":\"" EVIL "\"}}\n"
                                       "{\"device\":{\"label\":\"" EVIL "\",\"" EVIL "\":\"" EVIL
                                       "\"}}\n"
                                       "{\"bits\":{\"device\":\"" EVIL "\",\"kernel\":\"" EVIL
                                       "\",\"path\":\"" EVIL "\",\"verdict\":\"" EVIL
                                       "\",\"reason\":\"" EVIL "\",\"xxh3_128\":\"" EVIL
                                       "\",\"ranges\":\"" EVIL "\"}}\n"
                                       "{\"coverage\":{\"device\":\"" EVIL "\"}}\n"
                                       "{\"cases\":{\"device\":\"" EVIL "\",\"finished\":[\"" EVIL
                                       "\"]}}\n"
                                       "{\"summary\":{\"verdict\":\"FAIL\",\"reason\":\"" EVIL
                                       "\"}}\n";
    char *page = reporting_page(record, NULL), *text = reporting_text(record, true);
    ASSERT_LACKS(page, "<script");
    ASSERT_HAS(page, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\xef\xbf\xbd[2J");
    ASSERT_LACKS(text, "\x1b");
    ASSERT_LACKS(text, "\xe2\x80\xae");
}

START_TEST(bytes_that_are_no_text, "report.text.escaped")
{
    static const struct {
        const char *text, *html, *line;
    } table[] = {
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b",
         "a?b"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", "??"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "???"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd", "??"},
        {"\xe2\x82\xac", "\xe2\x82\xac", "\xe2\x82\xac"},
        {"a\nb\tc", "a b c", "a?b?c"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        char html[64] = "", line[64] = "";
        FILE *file = fmemopen(html, sizeof html, "w");
        escape_html(file, table[index].text);
        fclose(file);
        file = fmemopen(line, sizeof line, "w");
        escape_line(file, table[index].text, 60);
        fclose(file);
        ck_assert_str_eq(html, table[index].html);
        ck_assert_str_eq(line, table[index].line);
    }
}

START_TEST(values_beyond_reason, "report.text.hostile", "report.figure.finite")
{
    static const char *const values[] = {"1e308",
                                         "-1e308",
                                         "-5",
                                         "0",
                                         "1e-300",
                                         "\"NaN\"",
                                         "null",
                                         "[]",
                                         "{}",
                                         "true",
                                         "9223372036854775807"};
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++) {
        char *record = NULL;
        const char *v = values[index];
        ck_assert_int_gt(
            asprintf(
                &record,
                START
                "{\"sweep\":{\"figure\":\"stride\",\"at\":%s,\"kernel\":\"a/b\",\"device\":"
                "\"cuda:0\",\"read_bytes\":%s,\"sector_bytes\":%s,\"gbps\":[[%s,"
                "%s,%s]],\"memcpy_gbps\":%s}}\n"
                "{\"sweep\":{\"figure\":\"size\",\"at\":%s,\"kernel\":\"a/b\",\"device\":"
                "\"cuda:0\",\"gbps\":[[1,1,%s]]}}\n"
                "{\"bench\":{\"kernel\":\"aat/b\",\"shape\":\"k=32\",\"regime\":\"dram\","
                "\"device\":\"cuda:0\",\"gbps\":[[%s,%s,%s]],"
                "\"flops_per_byte\":%s,\"gflops\":%s,\"floor\":{\"limit\":%s}}}\n"
                "{\"peak\":{\"device\":\"cuda:0\",\"derived_gbps\":%s,\"derived_gflops\":%s}}\n"
                "{\"latency\":{\"device\":\"cuda:0\",\"call\":%s,\"us\":[[0,"
                "%s,%s]],\"ceiling\":{\"limit\":%s}}}\n"
                "{\"bits\":{\"device\":\"cuda:0\",\"passed\":%s,\"launches\":%s,\"sms\":%s}}\n"
                "{\"coverage\":{\"device\":\"cuda:0\",\"sms\":%s,\"memory_bytes\":%s}}\n"
                "{\"cases\":{\"device\":\"cuda:0\",\"finished\":%s,\"checks\":%s}}\n"
                "{\"summary\":{\"verdict\":%s}}\n",
                v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v,
                v),
            0);
        reporting_page(record, NULL);
        reporting_text(record, true);
        free(record);
    }
}

START_TEST(one_point_and_equal_points, "report.figure.finite", "report.figure.tooltip")
{
    struct page_facts facts;
    reporting_page(START SWEEP("stride", 1, INTERVALS(5, 5, 5), 1024)
                       SWEEP("size", 4096, INTERVALS(5, 5, 5), 0)
                           SWEEP("size", 4096, INTERVALS(5, 5, 5), 0),
                   &facts);
    ck_assert_uint_eq(facts.charts, 2);
    ck_assert_uint_ge(facts.tooltips, 3);
}

START_TEST(thousands_of_failures, "report.size.bounded", "report.figure.table")
{
    static const char finding[] =
        "{\"finding\":\"FAIL\",\"case\":\"x\",\"device\":\"cuda:0\",\"kernel\":\"a/b\"}\n";
    enum { COUNT = 17000 };
    FILE *file = testing_stream();
    fputs(START, file);
    for (int index = 0; index < COUNT; index++)
        fprintf(file, "%s" SWEEP("offset", 7, INTERVALS(1, 2, 3), 1024), finding);
    char *record = testing_text(file);
    struct page_facts facts;
    char *page = reporting_page(record, &facts);
    ck_assert_uint_eq(facts.findings, 100);
    ASSERT_HAS(page, "Only in r.json: 16,900 more failures.");
    ASSERT_HAS(page, "The record has more lines than a report reads.");
    ck_assert_uint_lt(strlen(page), (size_t)16 << 20);
}

START_TEST(pages_that_are_wrong_are_found, "report.html.whole", "report.html.alone")
{
    static const char *const wrong[] = {
        "<a>",
        "<a></b>",
        "<a b=c></a>",
        "<a b=\"1\" b=\"2\"/>",
        "<a>&nbsp;</a>",
        "<a>\x01</a>",
        "<a>\xff</a>",
        "<a/><b/>",
        "<a b=\"<\"/>",
        "<a/>x",
        "<a><!-- --></a>",
        "<a><script/></a>",
        "<a href=\"https://x\"/>",
        "<a onclick=\"x\"/>",
        "<a><style>@import x</style></a>",
        "<a><style>b{c:url(x)}</style></a>",
        "<figure/>",
        "<a x=\"nan\"/>",
        "<a d=\"M1 1e9\"/>",
        "<svg class=\"chart\"/>",
    };
    for (size_t index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
        struct page_facts facts;
        char why[PAGE_WHY_BYTES];
        ck_assert_msg(!page_check(wrong[index], strlen(wrong[index]), &facts, why), "%s",
                      wrong[index]);
        ck_assert(why[0] != 0);
    }
}

START_TEST(a_page_is_whole_or_not_there, "report.output.whole")
{
    char folder[] = "/tmp/assay-page-XXXXXX", path[64], text[16] = "";
    struct reason reason;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.html", folder);
    ck_assert(file_replace(path, "old", 3, &reason));
    ck_assert(file_replace(path, "newer", 5, &reason));
    FILE *file = fopen(path, "r");
    ck_assert_uint_eq(fread(text, 1, sizeof text - 1, file), 5);
    fclose(file);
    ck_assert_str_eq(text, "newer");
    ck_assert(file_same(path, path));
    ck_assert(!file_replace("/dev/full", "x", 1, &reason));
    ck_assert_int_eq(reason.kind, REASON_SYSTEM);
    ck_assert_str_eq(reason.text, "/dev/full: cannot be written: No space left on device");
    ck_assert(!file_replace("/no/such/p.html", "x", 1, &reason));
    ck_assert_int_eq(reason.kind, REASON_INPUT);
    ck_assert(!file_replace(folder, "x", 1, &reason));
    ck_assert_int_eq(reason.kind, REASON_INPUT);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* empty: no temporary file is left */
}
