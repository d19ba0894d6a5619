/* Failures in words (failure.h). Clause: report.failure.told. */
#include "conformance/report/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/figure.h"
#include "conformance/number.h"

/* "element c[3][4]", "guard of c, 12 bytes behind its end"; "" without a place. */
static void format_place(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *place = field_text(finding, "place"), *operand = field_text(finding, "operand");
    long long row = json_integer_value(json_object_get(finding, "row"));
    long long column = json_integer_value(json_object_get(finding, "column"));
    long long distance = json_integer_value(json_object_get(finding, "distance_bytes"));
    char bytes[NUMBER_COUNT_BYTES];
    ret_text[0] = 0;
    if (strcmp(place, "guard") == 0)
        snprintf(
            ret_text, FAILURE_TEXT_BYTES, "guard of %.64s, %s %s", operand,
            number_count(distance < 0 ? 0 - (uint64_t)distance : (uint64_t)distance, "byte", bytes),
            distance < 0 ? "before its start" : "behind its end");
    else if (place[0])
        snprintf(ret_text, FAILURE_TEXT_BYTES, "%.64s %.64s[%lld][%lld]", place, operand, row,
                 column);
}

/* The bits under "expected" or "got", with the distance in ulp behind the latter; "" without. */
static void format_bits(const json_t *finding, const char *key, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *bits = field_text(finding, key);
    bool got = strcmp(key, "got") == 0, number = json_object_get(finding, "ulp") != NULL;
    char value[48] = "", distance[64] = "";
    ret_text[0] = 0;
    if (bits[0] == 0)
        return;
    if (number && strlen(bits) == 8) {
        uint32_t word = (uint32_t)strtoul(bits, NULL, 16);
        float single;
        memcpy(&single, &word, sizeof single);
        snprintf(value, sizeof value, "  %.9g", (double)single);
    }
    if (number && got)
        snprintf(distance, sizeof distance, "  (%llu ulp away)",
                 (unsigned long long)field_count(finding, "ulp"));
    bool unwritten = got && json_is_true(json_object_get(finding, "unwritten"));
    snprintf(ret_text, FAILURE_TEXT_BYTES, "0x%.64s%s%s%s", bits, value, distance,
             unwritten ? "  (the poison: never written)" : "");
}

void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES])
{
    char text[4][NUMBER_COUNT_BYTES];
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s, %s, %s, %s",
             number_count(elements, "wrong element", text[0]),
             number_count(gap_bytes, "gap byte", text[1]),
             number_count(guard_bytes, "guard byte", text[2]),
             number_count(inputs, "input", text[3]));
}

/* Everything that is wrong in the allocation; "" where nothing was compared. */
static void format_total(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    ret_text[0] = 0;
    if (json_object_get(finding, "wrong_elements"))
        failure_total(field_count(finding, "wrong_elements"),
                      field_count(finding, "wrong_gap_bytes"),
                      field_count(finding, "wrong_guard_bytes"),
                      field_count(finding, "wrong_inputs"), ret_text);
}

void failure_tell(FILE *file, const json_t *finding, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES];
    put(file, "case", field_text(finding, "case"));
    put(file, "clause", field_text(finding, "clause"));
    format_place(finding, text);
    put(file, "place", text);
    format_bits(finding, "expected", text);
    put(file, "expected", text);
    format_bits(finding, "got", text);
    put(file, "got", text);
    format_total(finding, text);
    put(file, "in all", text);
    put(file, "note", field_text(finding, "note"));
}

const json_t *failure_reduced(const struct dossier_record *record, const json_t *finding)
{
    static const char *const keys[][2] = {
        {"from", "case"}, {"kernel", "kernel"}, {"path", "path"}, {"device", "device"}};
    const struct dossier_lines *reduced = &record->kinds[DOSSIER_REDUCED];
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

void failure_measured(enum dossier_kind kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    static void (*const tell[DOSSIER_KIND_COUNT])(const json_t *line, char *ret) = {
        [DOSSIER_BENCH] = tell_kernel,      [DOSSIER_CEILING] = tell_ceiling,
        [DOSSIER_PEAK] = tell_peak,         [DOSSIER_LATENCY] = tell_latency,
        [DOSSIER_RELATION] = tell_relation, [DOSSIER_SWEEP] = tell_sweep,
    };
    ret_text[0] = 0;
    if (tell[kind])
        tell[kind](line, ret_text);
}
