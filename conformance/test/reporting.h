/* Records as text and what a report makes of them, for the tests of reports. */
#pragma once

#include "conformance/test/format_check.h"
#include "conformance/test/page_check.h"
#include "spec/testing.h"
#include "conformance/test/made_json.h"

#define HEADER(devices)                                                                            \
    "{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"commit\":\"c\",\"started\":"        \
    "\"2026-11-21T10:00:00Z\",\"seed\":\"0x1\",\"tier\":\"smoke\",\"corpus\":\"0x0\",\"cases_"     \
    "planned\":9,"                                                                                 \
    "\"devices\":[\"" devices "\"],\"toolkit\":\"13.0\",\"paths\":[\"sass\"],"                     \
    "\"kernels\":[\"matmul/tiled\"]}\n"
#define DEVICE                                                                                     \
    "{\"device\":{\"label\":\"cuda:0\",\"name\":\"GPU X\",\"uuid\":\"GPU-1\",\"driver\":"          \
    "\"580.1\",\"cuda\":\"13.0\",\"compute_capability\":\"9.0\",\"l2_bytes\":62914560}}\n"
/* The results of a run: each row is a line of bits. */
#define BITS(row) "{\"bits\":" row "}\n"
#define ROW(kernel, verdict)                                                                       \
    BITS("{\"device\":\"cuda:0\",\"kernel\":\"" kernel                                             \
         "\",\"path\":\"sass\",\"verdict\":\"" verdict                                             \
         "\",\"xxh3_128\":\"00112233445566778899aabbccddeeff\",\"passed\":12}")
#define SUMMARY(verdict, lines)                                                                    \
    lines "{\"summary\":{\"verdict\":\"" verdict "\",\"reason\":\"\",\"exit_status\":0,"           \
          "\"cases_done\":9,\"passed\":12,\"fail\":0,\"crash\":0,\"timeout\":0,\"skip\":0,"        \
          "\"error\":0,\"declined\":0}}\n"
/* The nine cases finished. */
#define FINISHED                     "{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[0,8]],\"checks\":12}}\n"
#define INTERVALS(low, middle, high) "[[" #low "," #middle "," #high "]]"
#define BENCH(kernel, shape, gbps, verdict, more)                                                  \
    "{\"bench\":{\"kernel\":\"" kernel                                                             \
    "\",\"device\":\"cuda:0\",\"path\":\"sass\",\"shape\":\"" shape                                \
    "\",\"regime\":\"dram\",\"verdict\":\"" verdict "\",\"gbps\":" gbps                            \
    ",\"fraction_of_ceiling\":" INTERVALS(                                                         \
        0.1, 0.1, 0.1) ",\"floor\":{\"limit\":0.09,\"measured\":true,\"from\":\"here\",\"found_"   \
                       "loss\":0.1862}" more "}}\n"
#define SWEEP(figure, at, gbps, sectors)                                                           \
    "{\"sweep\":{\"figure\":\"" figure "\",\"at\":" #at ",\"shape\":\"k=32\",\"kernel\":"          \
    "\"offset_copy/scalar\",\"device\":\"cuda:0\",\"path\":\"sass\",\"regime\":\"dram\","          \
    "\"read_bytes\":512,\"written_bytes\":512,\"sector_bytes\":" #sectors                          \
    ",\"footprint_bytes\":1024,\"verdict\":\"PASS\",\"gbps\":" gbps                                \
    ",\"memcpy_gbps\":" INTERVALS(4000, 4000, 4000) ",\"copy_gbps\":[]}}\n"

/* The record, read. Like what else is made here, kept till the test ends. */
struct loaded *reporting_loaded(const char *record);

/* What a report says of the text, with its reason; ERROR if it is refused. */
enum verdict reporting_verdict(const char *text, char reason[ASSESSMENT_REASON_BYTES]);

/* Records in a format, checked. */
char *reporting_write(enum output_format format, const struct loaded *loaded, bool unicode);

/* The page of one record; its facts, unless NULL. Every other format of it is checked as well. */
char *reporting_page(const char *record, struct page_facts *ret_facts);

/* The summary for a terminal. */
char *reporting_text(const char *record, bool unicode);

/* The page of the record, and its summary for a terminal, have all these words; the page alone. The
 * last is NULL. */
void reporting_has(const char *record, const char *const *words);
void reporting_page_has(const char *record, const char *const *words);
