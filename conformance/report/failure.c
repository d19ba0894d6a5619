/* Failures in words, and the look-ups for them (failure.h). Clause: report.failure.told. */
#include "conformance/report/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/finding.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/figure.h"
#include "fuzz/case.h"

static bool is_same(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

const char *failure_row(const json_t *row)
{
    return field_row_reason(row)[0] ? field_row_reason(row) : field_row_layer(row);
}

bool failure_fails(int kind, const json_t *line)
{
    static const char *const keys[] = {FIELD_KEY(result, verdict), FIELD_KEY(sweep, memcpy_verdict),
                                       FIELD_KEY(sweep, copy_verdict)};
    const bool is_measured = kind == RECORD_known || loaded_sorts[kind].is_measured;
    if (kind == RECORD_program)
        return field_program_known(line)[0] == 0 && verdict_is_failure(field_program_verdict(line));
    for (size_t index = 0; is_measured && index < sizeof keys / sizeof keys[0]; index++)
        if (verdict_is_failure(value_verdict(json_object_get(line, keys[index]))))
            return true;
    return kind == RECORD_finding;
}

static void write_kernel(const json_t *line, char *ret)
{
    const json_t *floor = field_bench_floor(line);
    const char *const loss = NUMBER_LOSS(field_limit_found_loss(floor));
    snprintf(ret, FAILURE_TEXT_BYTES,
             "%.64s %.31s, %.64s, %.16s: %s GB/s, floor %s GB/s (%.4f of its ceiling, %s floor "
             "%.4f%s%s)",
             field_subject_kernel(line), field_subject_path(line), field_shaped_shape(line),
             field_shaped_regime(line), NUMBER_SHORT(field_bench_gbps(line).median),
             NUMBER_SHORT(figure_floor_gbps(line)), field_bench_fraction_of_ceiling(line).median,
             field_limit_measured(floor) ? "measured" : "derived", field_limit_limit(floor),
             loss[0] ? ", finds " : "", loss);
}

/* The copies' verdicts, where the record has them. */
static void write_sweep(const json_t *line, char *ret)
{
    char copies[80] = "";
    if (raw_sweep_memcpy_verdict(line))
        snprintf(copies, sizeof copies, "; driver's copy %.16s, copy kernel %.16s",
                 value_text(raw_sweep_memcpy_verdict(line)),
                 value_text(raw_sweep_copy_verdict(line)));
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s %.31s, %.16s %llu: %.16s, %s GB/s%s",
             field_subject_kernel(line), field_subject_path(line), field_sweep_figure(line),
             (unsigned long long)field_sweep_at(line), value_text(raw_result_verdict(line)),
             NUMBER_SHORT(field_bench_gbps(line).median), copies);
}

static void write_ceiling(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES,
             "copies for %.64s, %.16s: driver's copy %.16s, copy kernel "
             "%.16s",
             field_shaped_shape(line), field_shaped_regime(line),
             value_text(raw_sweep_memcpy_verdict(line)), value_text(raw_sweep_copy_verdict(line)));
}

static void write_peak(const json_t *line, char *ret)
{
    const char *regime = field_shaped_regime(line);
    snprintf(ret, FAILURE_TEXT_BYTES,
             "best copy%s%.8s: %s GB/s, %.4f of the derived peak of %s GB/s, floor %.4f",
             regime[0] ? ", " : "", regime, NUMBER_SHORT(field_bench_gbps(line).median),
             value_spread(raw_bench_fraction_of_peak(line)).median,
             NUMBER_SHORT(field_peak_derived_gbps(line)),
             field_limit_limit(field_bench_floor(line)));
}

static void write_latency(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES, "host call %.64s: %s us, at most %s us",
             field_latency_call(line), NUMBER_SHORT(field_latency_us(line).median),
             NUMBER_SHORT(field_limit_limit(field_latency_ceiling(line))));
}

static void write_relation(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s (%.32s) is %s times as fast as %.64s (%.32s)",
             field_subject_kernel(line), field_shaped_shape(line),
             NUMBER_SHORT(field_relation_ratio(line).median), field_relation_against(line),
             field_relation_against_shape(line));
}

/* Its note or, if all is well, each figure and its budget. */
static void write_codegen(const json_t *line, char *ret)
{
    const json_t *budget = field_codegen_budget(line);
    const struct {
        const char *name;
        const json_t *got, *most;
    } figures[] = {{"registers", raw_made_registers(line), json_array_get(budget, 0)},
                   {"local", raw_made_local_bytes(line), json_array_get(budget, 1)},
                   {"shared", raw_made_shared_bytes(line), json_array_get(budget, 2)},
                   {"code", raw_made_code_bytes(line), json_array_get(budget, 3)}};
    const char *note = field_codegen_note(line), *before = ": ";
    snprintf(ret, FAILURE_TEXT_BYTES, "%.96s through %.32s for %.16s", field_codegen_function(line),
             field_subject_path(line), field_subject_device(line));
    if (note[0])
        text_join(ret, FAILURE_TEXT_BYTES, ": ", "%.200s", note);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        if (figures[index].got == NULL || note[0])
            continue;
        text_join(ret, FAILURE_TEXT_BYTES, before, "%s %llu", figures[index].name,
                  (unsigned long long)value_count(figures[index].got));
        if (figures[index].most)
            text_join(ret, FAILURE_TEXT_BYTES, "/", "%llu",
                      (unsigned long long)value_count(figures[index].most));
        before = ", ";
    }
}

static const char *known_name(const json_t *line, char ret_name[FAILURE_KNOWN_BYTES])
{
    const enum verdict verdict = field_known_failure(line);
    const bool is_named =
        raw_known_failure(line) && verdict < VERDICT_COUNT && verdict != VERDICT_FAIL;
    snprintf(ret_name, FAILURE_KNOWN_BYTES, "%.48s%s%s%s", field_known_id(line),
             is_named ? " (" : "", is_named ? verdict_name(verdict) : "", is_named ? ")" : "");
    return ret_name;
}

static void write_known(const json_t *line, char *ret)
{
    const char *note = field_known_note(line);
    char name[FAILURE_KNOWN_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "known miscompile %s through %.31s on %.16s%s%.200s",
             known_name(line, name), field_subject_path(line), field_subject_device(line),
             note[0] ? ": " : "", note);
}

void failure_text(int kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    static void (*const writers[LOADED_KIND_COUNT])(const json_t *line, char *ret) = {
        [RECORD_bench] = write_kernel,      [RECORD_ceiling] = write_ceiling,
        [RECORD_peak] = write_peak,         [RECORD_latency] = write_latency,
        [RECORD_relation] = write_relation, [RECORD_sweep] = write_sweep,
        [RECORD_codegen] = write_codegen,   [RECORD_known] = write_known,
    };
    ret_text[0] = 0;
    if (writers[kind])
        writers[kind](line, ret_text);
}

/* Findings in words. Clauses: report.failure.told, report.failure.alike,
 * verdicts.place.named. */

/* The operand that a finding names. */
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
    struct named_operand ret = {.name = field_finding_operand(finding), .is_matrix = true};
    struct fuzz_case test_case;
    struct case_error error;
    ret.element_bytes = strlen(field_finding_expected(finding)) / 2;
    if (raw_finding_ulp(finding))
        ret.format = format_with_distance(ret.element_bytes);
    if (!case_parse(field_finding_case(finding), &test_case, &error))
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
    const char *place = field_finding_place(finding);
    const struct named_operand operand = find_operand(finding);
    long long row = field_finding_row(finding);
    long long column = field_finding_column(finding);
    long long distance = field_finding_distance_bytes(finding);
    char where[64];
    ret_text[0] = 0;
    if (operand.is_matrix)
        snprintf(where, sizeof where, "[%lld][%lld]", row, column);
    else
        snprintf(where, sizeof where, "[%lld]", column);
    if (strcmp(place, place_name(PLACE_GUARD)) == 0)
        snprintf(ret_text, FAILURE_TEXT_BYTES, "guard of %.64s, %s %s", operand.name,
                 NUMBER_COUNT(distance < 0 ? 0 - (uint64_t)distance : (uint64_t)distance, "byte"),
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

/* The value under "expected" or "got": an element in its format, any other bytes as they are; after
 * the value that was got, its distance from the expected one. "" without a value. */
static const char *format_bits(const json_t *finding, const char *key,
                               char ret_text[FAILURE_TEXT_BYTES])
{
    const char *bits = value_text(json_object_get(finding, key));
    const struct named_operand operand = find_operand(finding);
    const json_t *ulp = raw_finding_ulp(finding);
    bool got = strcmp(key, "got") == 0, unwritten = got && field_finding_unwritten(finding);
    unsigned char element[FORMAT_BYTES_MAX];
    char words[FORMAT_TEXT_BYTES], distance[64] = "";
    ret_text[0] = 0;
    if (bits[0] == 0)
        return ret_text;
    const char *place = field_finding_place(finding);
    const bool is_element = is_same(place, place_name(PLACE_ELEMENT));
    snprintf(words, sizeof words, "%.64s", bits);
    if (operand.format && (is_element || is_same(place, place_name(PLACE_INPUT))) &&
        format_digits_read(operand.format, operand.element_bytes, bits, element))
        format_text(operand.format, operand.element_bytes, element, words);
    if (ulp && got && is_element)
        snprintf(distance, sizeof distance, "  (%s %s away)",
                 NUMBER_WHOLE(field_finding_ulp(finding)),
                 operand.format && operand.format->distance_unit ? operand.format->distance_unit
                                                                 : "ulp");
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s%s%s", words, distance,
             unwritten ? "  (the poison: never written)" : "");
    return ret_text;
}

void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES])
{
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s, %s, %s, %s",
             NUMBER_COUNT(elements, "wrong element"), NUMBER_COUNT(gap_bytes, "gap byte"),
             NUMBER_COUNT(guard_bytes, "guard byte"), NUMBER_COUNT(inputs, "input"));
}

void failure_subject(const json_t *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *path = field_subject_path(finding);
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%.128s%s%.32s on %.64s", field_subject_kernel(finding),
             path[0] ? " through " : "", path, field_subject_device(finding));
}

void failure_report(FILE *file, const json_t *finding, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES];
    const json_t *before;
    for (size_t index = 0; (before = value_next(field_finding_after(finding), &index)) != NULL;)
        put(file, "after", json_is_string(before) ? json_string_value(before) : "");
    put(file, "case", field_finding_case(finding));
    put(file, "clause", field_finding_clause(finding));
    failure_place(finding, text);
    put(file, "place", text);
    put(file, "expected", format_bits(finding, "expected", text));
    put(file, "got", format_bits(finding, "got", text));
    /* Everything that is wrong in the allocation; "" where nothing was compared. */
    text[0] = 0;
    if (raw_finding_wrong_elements(finding))
        failure_total(field_finding_wrong_elements(finding), field_finding_wrong_gap_bytes(finding),
                      field_finding_wrong_guard_bytes(finding), field_finding_wrong_inputs(finding),
                      text);
    put(file, "total", text);
    put(file, "note", field_finding_note(finding));
}

/* "3 times out of 5" */
static const char *times_of(uint64_t failures, uint64_t tries, char ret_text[FAILURE_TEXT_BYTES])
{
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s out of %s", NUMBER_COUNT(failures, "time"),
             NUMBER_WHOLE(tries));
    return ret_text;
}

void failure_report_reduced(FILE *file, const json_t *reduced, failure_put *put)
{
    const size_t after = json_array_size(field_reduced_after(reduced));
    const uint64_t tries = field_reduced_repeats(reduced), failed = field_reduced_failures(reduced);
    const uint64_t in_sequence = field_reduced_after_failures(reduced);
    const bool passing = field_reduced_verdict(reduced) == VERDICT_INCONCLUSIVE;
    bool always = after > 0 ? in_sequence > 0 : tries > 0 && failed == tries;
    char text[2 * FAILURE_TEXT_BYTES], times[FAILURE_TEXT_BYTES];
    /* Tries without a verdict on the kernel. */
    const uint64_t inconclusive = field_reduced_inconclusive(reduced);
    const char *note = field_reduced_inconclusive_note(reduced);
    char words[FAILURE_TEXT_BYTES];
    snprintf(words, sizeof words, "%s of %s were inconclusive%s%.300s", NUMBER_WHOLE(inconclusive),
             NUMBER_COUNT(inconclusive + field_reduced_repeats(reduced), "try"),
             note[0] ? ": " : "", note);
    put(file, "retried", inconclusive ? words : "");
    put(file, "layer", field_reduced_layer(reduced));
    if (after > 0 && tries > 0) {
        snprintf(text, sizeof text, "alone it failed 0 times out of %s; after the %s before it, %s",
                 NUMBER_WHOLE(tries), NUMBER_COUNT(after, "case"),
                 times_of(field_reduced_after_failures(reduced),
                          field_reduced_after_repeats(reduced), times));
        put(file, in_sequence ? "sequence" : "flaky", text);
    } else if (failed < tries) {
        snprintf(text, sizeof text, "run again alone, it failed %s%s",
                 times_of(field_reduced_failures(reduced), field_reduced_repeats(reduced), times),
                 passing ? ": INCONCLUSIVE, perhaps the machine was busy" : "");
        put(file, "flaky", text);
    }
    if (!always)
        return;
    snprintf(text, sizeof text, "in %s%s; it failed %s",
             NUMBER_COUNT(field_reduced_tried(reduced), "try"),
             field_reduced_complete(reduced) ? "" : " (the time limit was reached)",
             after > 0 ? times_of(field_reduced_after_failures(reduced),
                                  field_reduced_after_repeats(reduced), times)
                       : times_of(field_reduced_failures(reduced), field_reduced_repeats(reduced),
                                  times));
    put(file, "reduced", text);
}

void failure_pair(FILE *file, const char *name, const char *text)
{
    if (text[0] == 0)
        return;
    size_t letters = escape_line(file, name, 32);
    fprintf(file, "%*s ", letters < 9 ? (int)(9 - letters) : 0, "");
    escape_line(file, text, ESCAPE_LETTERS_MAX);
    fputc('\n', file);
}

/* Every failure of a record, for whoever shows it. */

bool failure_is_shown(int kind, const struct loaded_lines *lines, size_t index)
{
    return failure_fails(kind, lines->lines[index]) &&
           (kind != RECORD_program || failure_program_is_first(lines, index));
}

enum verdict failure_verdict(const struct loaded_record *record, const json_t *finding,
                             const json_t **ret_reduced)
{
    const struct loaded_lines *all = &record->kinds[RECORD_reduced];
    size_t at = 0;
    while (at < all->count &&
           !(is_same(field_reduced_from(all->lines[at]), field_finding_case(finding)) &&
             loaded_is_of_subject(all->lines[at], finding)))
        at++;
    *ret_reduced = at < all->count ? all->lines[at] : NULL;
    const enum verdict own = field_finding_finding(finding);
    return own == VERDICT_TIMEOUT && field_reduced_verdict(*ret_reduced) == VERDICT_INCONCLUSIVE
               ? VERDICT_INCONCLUSIVE
               : own;
}

static void put_one(FILE *file, const struct loaded_record *record, int kind, size_t index,
                    const struct failure_sink *sink)
{
    const struct loaded_lines *lines = &record->kinds[kind];
    const json_t *line = lines->lines[index], *reduced = NULL;
    const bool is_finding = kind == RECORD_finding;
    const enum verdict own =
        is_finding ? failure_verdict(record, line, &reduced) : field_result_verdict(line);
    char text[FAILURE_TEXT_BYTES];
    failure_text(kind, line, text);
    sink->begin(file, kind, line,
                verdict_name(is_finding || verdict_is_failure(own) ? own : VERDICT_FAIL), text);
    if (kind == RECORD_program) {
        failure_program(file, lines, index, sink->pair);
    } else if (is_finding) {
        failure_report(file, line, sink->pair);
        if (reduced)
            failure_report_reduced(file, reduced, sink->pair);
        sink->pair(file, "smallest case", sink->has_room ? field_reduced_reduced(reduced) : "");
    } else { /* what a kind of line has not reads as empty, and is left out */
        const json_t *shown = sink->has_room ? line : NULL;
        sink->pair(file, "case", field_shaped_case(shown));
        sink->pair(file, "clause", field_result_clause(line));
        const char *note = field_result_note(line);
        sink->pair(file, "note", strstr(text, note) ? "" : note); /* which is in the text already */
        sink->pair(file, "floor from", field_limit_from(field_bench_floor(shown)));
        sink->pair(file, "budget from",
                   raw_codegen_budget(shown) ? field_header_budgets(record->header) : "");
        sink->pair(file, "program", field_known_program(line));
        sink->pair(file, "public", field_known_reference(shown));
    }
    fputs(sink->after_pairs, file);
    if (kind != RECORD_program)
        sink->command(file, is_finding ? sink->replay : sink->measure, field_bench_replay(line));
    sink->command(file, sink->smallest, field_reduced_replay(reduced));
    fputs(sink->after, file);
}

size_t failure_write(FILE *file, const struct loaded_record *record,
                     const struct failure_sink *sink)
{
    size_t all = 0, measured = 0;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        const bool is_measured = loaded_sorts[kind].is_measured;
        size_t count = 0;
        for (size_t index = 0; index < lines->count; index++) {
            if (!failure_is_shown(kind, lines, index))
                continue;
            count++;
            measured += is_measured;
            if ((is_measured ? measured : count) <= sink->most)
                put_one(file, record, kind, index, sink);
        }
        count += kind == RECORD_finding ? lines->left_out : 0;
        all += count;
        const char *one = kind == RECORD_finding ? "more failure" : "more miscompile";
        if (!is_measured && count > sink->most)
            sink->rest(file, record->path, NUMBER_COUNT(count - sink->most, one));
    }
    if (measured > sink->most)
        sink->rest(file, record->path,
                   NUMBER_COUNT(measured - sink->most, "more failed measurement"));
    return all;
}

/* Generated programs in words. Clauses: program_runs.finding.printed,
 * program_runs.report.findings. */

/* Both have become the same instructions. */
static bool is_alike(const json_t *left, const json_t *right)
{
    return field_program_reduced(left)[0] && field_program_reduced(right)[0] &&
           field_program_verdict(left) == field_program_verdict(right) &&
           is_same(field_program_pattern(left), field_program_pattern(right));
}

bool failure_program_is_first(const struct loaded_lines *programs, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (is_alike(programs->lines[before], programs->lines[index]))
            return false;
    return true;
}

/* "9 programs: ptx 9, ptxas-12.6.20 7". */
static void put_seen(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    char text[FAILURE_TEXT_BYTES] = "";
    char all[FAILURE_TEXT_BYTES + NUMBER_COUNT_BYTES + 4];
    json_t *seen = json_object(), *times;
    const char *path;
    uint64_t count = 0, last = UINT64_MAX;
    for (size_t at = index; at < programs->count; at++) {
        const json_t *line = programs->lines[at];
        if (!is_alike(programs->lines[index], line))
            continue;
        count += field_program_number(line) != last;
        last = field_program_number(line);
        path = field_subject_path(line);
        times = json_object_get(seen, path);
        json_object_set_new(seen, path, json_integer(json_integer_value(times) + 1));
    }
    json_object_foreach(seen, path, times) {
        text_join(text, sizeof text, ", ", "%.31s %lld", path,
                  (long long)json_integer_value(times));
    }
    json_decref(seen);
    snprintf(all, sizeof all, "%s: %s", NUMBER_COUNT(count, "program"), text);
    put(file, "seen in", count ? all : "");
}

void failure_program(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    const json_t *line = programs->lines[index];
    const char *reduced = field_program_reduced(line), *again = field_program_again(line);
    char text[FAILURE_TEXT_BYTES];
    put(file, "program", reduced[0] ? reduced : field_program_program(line));
    snprintf(text, sizeof text, "%.64s on %.32s", field_subject_path(line),
             field_subject_device(line));
    put(file, "through", text);
    put(file, "clause", field_program_clause(line));
    put(file, "place", field_program_place(line));
    char words[FAILURE_TEXT_BYTES];
    put(file, "expected", field_program_expected(line));
    snprintf(words, sizeof words, "%.64s%s", field_program_got(line),
             field_program_unwritten(line) ? "  (the poison: never written)" : "");
    put(file, "got", words);
    snprintf(words, sizeof words, "%s of %s", NUMBER_WHOLE(field_program_wrong_words(line)),
             NUMBER_COUNT(field_program_words(line), "word"));
    put(file, "total", raw_program_wrong_words(line) ? words : "");
    put(file, "note", field_program_note(line));
    put(file, "found by",
        field_program_search(line)
            ? "a search: no run or gate has this program unless it is asked for"
            : "");
    snprintf(text, sizeof text, "%.64s, a known miscompile whose trigger it has",
             field_program_like(line));
    put(file, "like", field_program_like(line)[0] ? text : "");
    snprintf(text, sizeof text, "by itself in its module: %.400s", again);
    put(file, "again", again[0] ? text : "");
    put(file, "pattern", field_program_pattern(line));
    put_seen(file, programs, index, put);
    put(file, "layer", field_program_layer(line));
    put(file, "from", reduced[0] ? field_program_program(line) : "");
    put(file, "replay", field_program_replay(line));
}

/* Known miscompiles in one sentence. Clause: program_runs.known.grouped. */

/* "a, b and c" */
static void put_names(FILE *file, const json_t *names)
{
    const size_t count = json_array_size(names);
    for (size_t index = 0; index < count; index++)
        escape_sentence(file, "%s%s",
                        index == 0          ? ""
                        : index + 1 < count ? ", "
                                            : " and ",
                        value_text(json_array_get(names, index)));
}

/* A miscompile that is present, or that was not tried. */
struct shown {
    const json_t *line; /* the first of those that are said in the same words */
    char *places;       /* where those are */
    int rank;           /* failures, then what is present, then what was not tried */
    size_t size;        /* of its group, where it is the first of it */
};

static const char *why_of(const json_t *line)
{
    return field_known_verdict(line) == VERDICT_PASS ? "" : field_known_note(line);
}

static bool is_said_alike(const json_t *left, const json_t *right)
{
    return is_same(field_known_id(left), field_known_id(right)) &&
           field_known_verdict(left) == field_known_verdict(right) &&
           field_known_failure(left) == field_known_failure(right) &&
           is_same(why_of(left), why_of(right));
}

static bool is_grouped(const struct shown *left, const struct shown *right)
{
    return field_known_verdict(left->line) == field_known_verdict(right->line) &&
           is_same(why_of(left->line), why_of(right->line)) && is_same(left->places, right->places);
}

/* " through ptx and ptxas-13.5.37 on cuda:0 and cuda:1, through ptx on cuda:2": where the lines are
 * that are said as the first of them is. To be freed. */
static char *places_of(const struct loaded_lines *known, const json_t *first)
{
    json_t *on = json_object(), *paths; /* of each device */
    const char *device, *before = " ";
    void *next;
    struct written places;
    written_open(&places);
    for (size_t index = 0; index < known->count; index++) {
        const json_t *line = known->lines[index];
        if (!is_said_alike(first, line))
            continue;
        device = field_subject_device(line);
        if (json_object_get(on, device) == NULL)
            json_object_set_new(on, device, json_array());
        json_array_append(json_object_get(on, device), raw_subject_path(line));
    }
    while (json_object_size(on) > 0) { /* those with the paths of the first one left */
        json_t *alike = json_incref(json_object_iter_value(json_object_iter(on)));
        json_t *devices = json_array();
        json_object_foreach_safe(on, next, device, paths) {
            if (!json_equal(alike, paths))
                continue;
            json_array_append_new(devices, json_string(device));
            json_object_del(on, device);
        }
        fprintf(places.file, "%sthrough ", before);
        put_names(places.file, alike);
        fputs(" on ", places.file);
        put_names(places.file, devices);
        before = ", ";
        json_decref(alike);
        json_decref(devices);
    }
    json_decref(on);
    return written_close(&places);
}

/* "FAIL through ptx on cuda:0 (the list marks this version as right): abs_s16, neg_s16": those of
 * the group that begins with `first`. */
static void put_group(FILE *file, const struct shown *first, const struct shown *end)
{
    const enum verdict verdict = field_known_verdict(first->line);
    char name[FAILURE_KNOWN_BYTES];
    const char *before = ": ";
    if (verdict == VERDICT_SKIP)
        fputs(" not tried", file);
    else if (verdict != VERDICT_PASS)
        fprintf(file, " %s", verdict < VERDICT_COUNT ? verdict_name(verdict) : "no verdict");
    fputs(first->places, file);
    if (why_of(first->line)[0])
        escape_sentence(file, " (%s)", why_of(first->line));
    for (const struct shown *it = first; it < end; it++) {
        if (!is_grouped(first, it))
            continue;
        escape_sentence(file, "%s%s", before, known_name(it->line, name));
        before = ", ";
    }
}

void known_words(FILE *file, const struct loaded_lines *known, bool names_all)
{
    struct shown *all = heap_take(known->count + 1, sizeof *all), *end = all, *first, *it;
    uint64_t present = 0, untried = 0, unnamed = 0;
    size_t groups = 0;
    for (size_t index = 0; index < known->count; index++) {
        const json_t *line = known->lines[index];
        const enum verdict verdict = field_known_verdict(line);
        if (!field_known_present(line) && verdict != VERDICT_SKIP)
            continue;
        for (it = all; it < end && !is_said_alike(it->line, line); it++)
            ;
        if (it < end)
            continue;
        *end = (struct shown){.line = line,
                              .places = places_of(known, line),
                              .rank = verdict == VERDICT_SKIP ? 2 : verdict == VERDICT_PASS};
        for (it = all; !is_grouped(it, end); it++)
            ;
        it->size++;
        groups += it == end && end->rank < 2;
        /* One of two words is one miscompile. */
        for (it = all; it < end &&
                       (it->rank == 2 || !is_same(field_known_id(it->line), field_known_id(line)));)
            it++;
        present += it == end && end->rank < 2;
        untried += end->rank == 2;
        unnamed += end->rank > 0;
        end++;
    }
    if (known->count > 0)
        fprintf(file, "%s in this stack", NUMBER_COUNT(present, "known miscompile"));
    do { /* the next group: the least rank, and the largest of those */
        first = NULL;
        for (it = all; it < end; it++)
            if (it->size > 0 && (first == NULL || it->rank < first->rank ||
                                 (it->rank == first->rank && it->size > first->size)))
                first = it;
        if (first == NULL || (first->rank > 0 && !names_all))
            break;
        fputc(groups == 1 && first->rank == 1 ? ',' : ';', file);
        put_group(file, first, end);
        first->size = 0;
    } while (first);
    if (untried > 0 && !names_all)
        fprintf(file, "; %s not tried", NUMBER_WHOLE(untried));
    if (unnamed > 0 && !names_all)
        fputs("; -v names them", file);
    for (it = all; it < end; it++)
        free(it->places);
    free(all);
}

void known_number(FILE *file, const struct loaded_lines *known)
{
    json_t *present = json_object(), *failed = json_object(), *untried = json_object();
    for (size_t index = 0; index < known->count; index++) {
        const json_t *line = known->lines[index];
        const enum verdict verdict = field_known_verdict(line);
        const char *id = field_known_id(line);
        if (verdict == VERDICT_SKIP)
            json_object_set_new_nocheck(untried, id, json_true());
        else if (field_known_present(line))
            json_object_set_new_nocheck(present, id, json_true());
        if (verdict != VERDICT_SKIP && field_known_present(line) && verdict != VERDICT_PASS)
            json_object_set_new_nocheck(failed, id, json_true());
    }
    fputs(NUMBER_COUNT(json_object_size(present), "known miscompile"), file);
    fputs(" in this stack", file);
    if (json_object_size(failed))
        fprintf(file, ", %s of them not as listed", NUMBER_WHOLE(json_object_size(failed)));
    if (json_object_size(untried))
        fprintf(file, "; %s not tried everywhere", NUMBER_WHOLE(json_object_size(untried)));
    json_decref(present);
    json_decref(failed);
    json_decref(untried);
}

void known_table(struct table *ret, const struct loaded_lines *known)
{
    json_t *said = json_object();
    table_open(ret, "known miscompile|verdict|where|note|program|public reference");
    for (size_t index = 0; index < known->count; index++) {
        const json_t *line = known->lines[index];
        const char *verdict = value_text(raw_known_verdict(line));
        char name[FAILURE_KNOWN_BYTES], key[FAILURE_TEXT_BYTES];
        snprintf(key, sizeof key, "%s %.16s %.300s", known_name(line, name), verdict, why_of(line));
        if ((!field_known_present(line) && field_known_verdict(line) != VERDICT_SKIP) ||
            json_object_get(said, key))
            continue;
        json_object_set_new_nocheck(said, key, json_true());
        char *places = places_of(known, line);
        TABLE_TEXTS(ret, name, verdict, places + (places[0] == ' '), why_of(line),
                    field_known_program(line), field_known_reference(line));
        free(places);
    }
    json_decref(said);
}
