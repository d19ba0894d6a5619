/* Findings in words (failure.h). Clauses: report.failure.told, report.failure.alike,
 * verdicts.place.named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/model/finding.h"
#include "conformance/report/failure.h"
#include "fuzz/case.h"

/* What is known of the operand that a finding names. */
struct named_operand {
    const char *name;
    bool is_matrix;
    const struct format *format; /* NULL: it is not known */
    size_t element_bytes;
};

/* From the finding's case, as far as somebody's text is one. Without it, a format is taken where no
 * other can be meant. */
static struct named_operand find_operand(const json_t *finding)
{
    struct named_operand ret = {.name = field_text(finding, "operand"), .is_matrix = true};
    struct fuzz_case test_case;
    struct case_error error;
    ret.element_bytes = strlen(field_text(finding, "expected")) / 2;
    if (json_object_get(finding, "ulp"))
        ret.format = format_with_distance(ret.element_bytes);
    if (!case_parse(field_text(finding, "case"), &test_case, &error))
        return ret;
    for (int index = 0; index < test_case.algorithm->operand_count; index++) {
        const struct operand *it = &test_case.algorithm->operands[index];
        if (strcmp(it->name, ret.name) != 0)
            continue;
        struct view view = case_view(&test_case, index);
        ret.is_matrix = view.is_matrix;
        ret.format = it->format;
        ret.element_bytes = (size_t)view.element_bytes;
    }
    return ret;
}

void failure_place(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *place = field_text(finding, "place");
    const struct named_operand operand = find_operand(finding);
    long long row = json_integer_value(json_object_get(finding, "row"));
    long long column = json_integer_value(json_object_get(finding, "column"));
    long long distance = json_integer_value(json_object_get(finding, "distance_bytes"));
    char bytes[NUMBER_COUNT_BYTES], where[64];
    ret_text[0] = 0;
    if (operand.is_matrix)
        snprintf(where, sizeof where, "[%lld][%lld]", row, column);
    else
        snprintf(where, sizeof where, "[%lld]", column);
    if (strcmp(place, place_name(PLACE_GUARD)) == 0)
        snprintf(
            ret_text, FAILURE_TEXT_BYTES, "guard of %.64s, %s %s", operand.name,
            number_count(distance < 0 ? 0 - (uint64_t)distance : (uint64_t)distance, "byte", bytes),
            distance < 0 ? "before its start" : "after its end");
    else if (strcmp(place, place_name(PLACE_GAP)) == 0 && row < 0)
        snprintf(ret_text, FAILURE_TEXT_BYTES, "gap of %.64s, before its first element",
                 operand.name);
    else if (strcmp(place, place_name(PLACE_GAP)) == 0)
        snprintf(ret_text, FAILURE_TEXT_BYTES, "gap of %.64s, after element %s", operand.name,
                 where);
    else if (place[0])
        snprintf(ret_text, FAILURE_TEXT_BYTES, "%.64s %.64s%s", place, operand.name, where);
}

/* True where the finding is of an element, which `text` has the digits of. */
static bool read_element(const json_t *finding, const struct named_operand *operand,
                         const char *text, unsigned char ret[FORMAT_BYTES_MAX])
{
    const char *place = field_text(finding, "place");
    return operand->format &&
           (strcmp(place, place_name(PLACE_ELEMENT)) == 0 ||
            strcmp(place, place_name(PLACE_INPUT)) == 0) &&
           format_digits_read(operand->format, operand->element_bytes, text, ret);
}

/* What is under "expected" or "got": an element as its format has it, any other bytes as they are;
 * after what was got, how far it is from what was expected. "" without. */
static void format_bits(const json_t *finding, const char *key, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *bits = field_text(finding, key);
    const struct named_operand operand = find_operand(finding);
    const json_t *ulp = json_object_get(finding, "ulp");
    bool got = strcmp(key, "got") == 0,
         unwritten = got && json_is_true(json_object_get(finding, "unwritten"));
    unsigned char element[FORMAT_BYTES_MAX];
    char words[FORMAT_TEXT_BYTES], distance[64] = "", text[NUMBER_TEXT_BYTES];
    ret_text[0] = 0;
    if (bits[0] == 0)
        return;
    snprintf(words, sizeof words, "%.64s", bits);
    if (read_element(finding, &operand, bits, element))
        format_text(operand.format, operand.element_bytes, element, words);
    if (ulp && got && strcmp(field_text(finding, "place"), place_name(PLACE_ELEMENT)) == 0)
        snprintf(distance, sizeof distance, "  (%s %s away)",
                 number_whole(field_count(finding, "ulp"), text),
                 operand.format && operand.format->distance_unit ? operand.format->distance_unit
                                                                 : "ulp");
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s%s%s", words, distance,
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

void failure_subject(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *path = field_text(finding, "path");
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%.128s%s%.32s on %.64s", field_text(finding, "kernel"),
             path[0] ? " through " : "", path, field_text(finding, "device"));
}

void failure_tell(FILE *file, const json_t *finding, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES];
    const json_t *before;
    size_t index;
    json_array_foreach(json_object_get(finding, "after"), index, before)
    {
        put(file, "after", json_is_string(before) ? json_string_value(before) : "");
    }
    put(file, "case", field_text(finding, "case"));
    put(file, "clause", field_text(finding, "clause"));
    failure_place(finding, text);
    put(file, "place", text);
    format_bits(finding, "expected", text);
    put(file, "expected", text);
    format_bits(finding, "got", text);
    put(file, "got", text);
    format_total(finding, text);
    put(file, "total", text);
    put(file, "note", field_text(finding, "note"));
}

/* "3 times out of 5" */
static const char *times_of(const json_t *reduced, const char *failures, const char *tries,
                            char ret_text[FAILURE_TEXT_BYTES])
{
    char times[NUMBER_COUNT_BYTES], all[NUMBER_TEXT_BYTES];
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s out of %s",
             number_count(field_count(reduced, failures), "time", times),
             number_whole(field_count(reduced, tries), all));
    return ret_text;
}

/* Tries that came to no verdict on the kernel. */
static void put_inconclusive(FILE *file, const json_t *reduced, failure_put *put)
{
    const uint64_t untold = field_count(reduced, "untold");
    const char *note = field_text(reduced, "untold_note");
    char text[FAILURE_TEXT_BYTES], all[NUMBER_COUNT_BYTES], number[NUMBER_TEXT_BYTES];
    snprintf(text, sizeof text, "%s of %s were inconclusive%s%.300s", number_whole(untold, number),
             number_count(untold + field_count(reduced, "repeats"), "try", all),
             note[0] ? ": " : "", note);
    put(file, "retried", untold ? text : "");
}

void failure_retold(FILE *file, const json_t *reduced, failure_put *put)
{
    const size_t after = json_array_size(json_object_get(reduced, "after"));
    const uint64_t tries = field_count(reduced, "repeats"),
                   failed = field_count(reduced, "failures");
    const uint64_t in_sequence = field_count(reduced, "after_failures");
    const bool passing = field_verdict(reduced, "verdict") == VERDICT_INCONCLUSIVE;
    bool always = after > 0 ? in_sequence > 0 : tries > 0 && failed == tries;
    char text[2 * FAILURE_TEXT_BYTES], times[FAILURE_TEXT_BYTES], number[NUMBER_COUNT_BYTES];
    char before[NUMBER_COUNT_BYTES];
    put_inconclusive(file, reduced, put);
    if (after > 0 && tries > 0) {
        snprintf(text, sizeof text, "alone it failed 0 times out of %s; after the %s before it, %s",
                 number_whole(tries, number), number_count(after, "case", before),
                 times_of(reduced, "after_failures", "after_repeats", times));
        put(file, in_sequence ? "sequence" : "flaky", text);
    } else if (failed < tries) {
        snprintf(text, sizeof text, "run again alone, it failed %s%s",
                 times_of(reduced, "failures", "repeats", times),
                 passing ? ": INCONCLUSIVE, perhaps the machine was busy" : "");
        put(file, "flaky", text);
    }
    if (!always)
        return;
    snprintf(text, sizeof text, "in %s%s; it failed %s",
             number_count(field_count(reduced, "tried"), "try", number),
             json_is_true(json_object_get(reduced, "complete")) ? ""
                                                                : " (the time limit was reached)",
             after > 0 ? times_of(reduced, "after_failures", "after_repeats", times)
                       : times_of(reduced, "failures", "repeats", times));
    put(file, "reduced", text);
}
