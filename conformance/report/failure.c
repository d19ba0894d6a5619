/* What was measured in words, and what is looked up for it (failure.h). Clause:
 * report.failure.told. */
#include "conformance/report/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/figure.h"
#include "conformance/base/number.h"

const json_t *failure_reduced(const struct loaded_record *record, const json_t *finding)
{
    static const char *const keys[][2] = {
        {"from", "case"}, {"kernel", "kernel"}, {"path", "path"}, {"device", "device"}};
    const struct loaded_lines *reduced = &record->kinds[LOADED_REDUCED];
    for (size_t index = 0; index < reduced->count; index++) {
        size_t same = 0;
        while (same < 4 && strcmp(field_text(reduced->lines[index], keys[same][0]),
                                  field_text(finding, keys[same][1])) == 0)
            same++;
        if (same == 4)
            return reduced->lines[index];
    }
    return NULL;
}

bool failure_is_measured(const json_t *line)
{
    static const char *const keys[] = {"verdict", "memcpy_verdict", "copy_verdict"};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        if (verdict_is_failure(field_verdict(line, keys[index])))
            return true;
    return false;
}

static void tell_kernel(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES,
             "%.64s %.16s, %.64s, %.16s: %s GB/s, floor %s GB/s (%.4f of its ceiling, floor %.4f)",
             field_text(line, "kernel"), field_text(line, "path"), field_text(line, "shape"),
             field_text(line, "regime"), number_short(field_spread(line, "gbps").median, text[0]),
             number_short(figure_floor_gbps(line), text[1]),
             field_spread(line, "fraction_of_ceiling").median,
             field_number(json_object_get(line, "floor"), "limit"));
}

/* The copies' verdicts stand there where the record has them. */
static void tell_sweep(const json_t *line, char *ret)
{
    char text[NUMBER_TEXT_BYTES], copies[80] = "";
    if (json_object_get(line, "memcpy_verdict"))
        snprintf(copies, sizeof copies, "; driver's copy %.16s, copy kernel %.16s",
                 field_text(line, "memcpy_verdict"), field_text(line, "copy_verdict"));
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s %.16s, %.16s %llu: %.16s, %s GB/s%s",
             field_text(line, "kernel"), field_text(line, "path"), field_text(line, "figure"),
             (unsigned long long)field_count(line, "at"), field_text(line, "verdict"),
             number_short(field_spread(line, "gbps").median, text), copies);
}

static void tell_ceiling(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES,
             "copies for %.64s, %.16s: driver's copy %.16s, copy kernel "
             "%.16s",
             field_text(line, "shape"), field_text(line, "regime"),
             field_text(line, "memcpy_verdict"), field_text(line, "copy_verdict"));
}

static void tell_peak(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    const char *regime = field_text(line, "regime");
    snprintf(ret, FAILURE_TEXT_BYTES,
             "best copy%s%.8s: %s GB/s, %.4f of the derived peak of %s GB/s, floor %.4f",
             regime[0] ? ", " : "", regime,
             number_short(field_spread(line, "gbps").median, text[0]),
             field_spread(line, "fraction_of_peak").median,
             number_short(field_number(line, "derived_gbps"), text[1]),
             field_number(json_object_get(line, "floor"), "limit"));
}

static void tell_latency(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "host call %.64s: %s us, at most %s us",
             field_text(line, "call"), number_short(field_spread(line, "us").median, text[0]),
             number_short(field_number(json_object_get(line, "ceiling"), "limit"), text[1]));
}

static void tell_relation(const json_t *line, char *ret)
{
    char text[NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s (%.32s) is %s times as fast as %.64s (%.32s)",
             field_text(line, "kernel"), field_text(line, "shape"),
             number_short(field_spread(line, "ratio").median, text), field_text(line, "against"),
             field_text(line, "against_shape"));
}

void failure_measured(enum loaded_kind kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    static void (*const tell[LOADED_KIND_COUNT])(const json_t *line, char *ret) = {
        [LOADED_BENCH] = tell_kernel,      [LOADED_CEILING] = tell_ceiling,
        [LOADED_PEAK] = tell_peak,         [LOADED_LATENCY] = tell_latency,
        [LOADED_RELATION] = tell_relation, [LOADED_SWEEP] = tell_sweep,
    };
    ret_text[0] = 0;
    if (tell[kind])
        tell[kind](line, ret_text);
}
