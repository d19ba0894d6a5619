/* Failures in words, and the look-ups for them (failure.h). Clause: report.failure.told. */
#include "conformance/report/failure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/finding.h"
#include "conformance/record/record_fields.h"
#include "fuzz/case.h"

static bool is_same(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

const char *failure_row(const struct line_bits *row)
{
    return row->reason[0] ? row->reason : row->layer;
}

bool failure_fails(const struct line *line)
{
    const struct line_program *program = LINE_AS(program, line);
    const struct line_finding *finding = LINE_AS(finding, line);
    enum verdict verdicts[LINE_VERDICTS_MAX];
    const bool is_judged = line->kind == RECORD_known || line_kind(line->kind).is_measured;
    const size_t count = is_judged ? line_verdicts(line, verdicts) : 0;
    if (program)
        return program->known[0] == 0 && verdict_is_failure(program->verdict);
    for (size_t index = 0; index < count; index++)
        if (verdict_is_failure(verdicts[index]))
            return true;
    return finding && verdict_is_failure(finding->finding);
}

/* Its word, "" of none. */
static const char *word_of(enum verdict verdict)
{
    return verdict < VERDICT_COUNT ? verdict_name(verdict) : "";
}

static void write_kernel(const struct line *line, char *ret)
{
    const struct line_bench *it = LINE_AS(bench, line);
    const char *const loss = NUMBER_LOSS(it->floor->found_loss);
    snprintf(ret, FAILURE_TEXT_BYTES,
             "%.64s %.31s, %.64s, %.16s: %s GB/s, floor %s GB/s (%.4f of its ceiling, %s floor "
             "%.4f%s%s)",
             it->subject.kernel, it->subject.path, it->shaped.shape, it->shaped.regime,
             NUMBER_SHORT(spread_of(it->gbps).median), NUMBER_SHORT(loaded_floor_gbps(it)),
             spread_of(it->fraction_of_ceiling).median,
             it->floor->measured ? "measured" : "derived", it->floor->limit,
             loss[0] ? ", finds " : "", loss);
}

/* The copies' verdicts, where the record has them. */
static void write_sweep(const struct line *line, char *ret)
{
    const struct line_sweep *it = LINE_AS(sweep, line);
    char copies[80] = "";
    if (it->memcpy_verdict.is_there)
        snprintf(copies, sizeof copies, "; driver's copy %.16s, copy kernel %.16s",
                 word_of(it->memcpy_verdict.verdict),
                 it->copy_verdict.is_there ? word_of(it->copy_verdict.verdict) : "");
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s %.31s, %.16s %llu: %.16s, %s GB/s%s",
             it->subject.kernel, it->subject.path, it->figure, (unsigned long long)it->at,
             word_of(it->result.verdict), NUMBER_SHORT(spread_of(it->gbps).median), copies);
}

static void write_ceiling(const struct line *line, char *ret)
{
    const struct line_ceiling *it = LINE_AS(ceiling, line);
    snprintf(ret, FAILURE_TEXT_BYTES,
             "copies for %.64s, %.16s: driver's copy %.16s, copy kernel "
             "%.16s",
             it->shape, it->regime, word_of(it->memcpy_verdict), word_of(it->copy_verdict));
}

static void write_peak(const struct line *line, char *ret)
{
    const struct line_peak *it = LINE_AS(peak, line);
    snprintf(ret, FAILURE_TEXT_BYTES,
             "best copy%s%.8s: %s GB/s, %.4f of the derived peak of %s GB/s, floor %.4f",
             it->regime[0] ? ", " : "", it->regime, NUMBER_SHORT(spread_of(it->gbps).median),
             spread_of(it->fraction_of_peak).median, NUMBER_SHORT(it->derived_gbps),
             it->floor->limit);
}

static void write_latency(const struct line *line, char *ret)
{
    const struct line_latency *it = LINE_AS(latency, line);
    snprintf(ret, FAILURE_TEXT_BYTES, "host call %.64s: %s us, at most %s us", it->call,
             NUMBER_SHORT(spread_of(it->us).median), NUMBER_SHORT(it->ceiling->limit));
}

static void write_relation(const struct line *line, char *ret)
{
    const struct line_relation *it = LINE_AS(relation, line);
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s (%.32s) is %s times as fast as %.64s (%.32s)",
             it->subject.kernel, it->shape, NUMBER_SHORT(spread_of(it->ratio).median), it->against,
             it->against_shape);
}

/* Its note or, if all is well, each figure and its budget. */
static void write_codegen(const struct line *line, char *ret)
{
    const struct line_codegen *it = LINE_AS(codegen, line);
    const struct {
        const char *name;
        struct maybe_count got, most;
    } figures[] = {{"registers", it->made.registers, line_budget(it, BUDGET_REGISTERS)},
                   {"local", it->made.local_bytes, line_budget(it, BUDGET_LOCAL)},
                   {"shared", it->made.shared_bytes, line_budget(it, BUDGET_SHARED)},
                   {"code", it->made.code_bytes, line_budget(it, BUDGET_CODE)}};
    const char *before = ": ";
    snprintf(ret, FAILURE_TEXT_BYTES, "%.96s through %.32s for %.16s", it->function,
             it->subject.path, it->subject.device);
    if (it->note[0])
        text_join(ret, FAILURE_TEXT_BYTES, ": ", "%.200s", it->note);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        if (!figures[index].got.is_there || it->note[0])
            continue;
        text_join(ret, FAILURE_TEXT_BYTES, before, "%s %llu", figures[index].name,
                  (unsigned long long)figures[index].got.count);
        if (figures[index].most.is_there)
            text_join(ret, FAILURE_TEXT_BYTES, "/", "%llu",
                      (unsigned long long)figures[index].most.count);
        before = ", ";
    }
}

static const char *known_name(const struct line_known *it, char ret_name[FAILURE_KNOWN_BYTES])
{
    const enum verdict verdict = it->failure.verdict;
    const bool is_named =
        it->failure.is_there && verdict < VERDICT_COUNT && verdict != VERDICT_FAIL;
    snprintf(ret_name, FAILURE_KNOWN_BYTES, "%.48s%s%s%s", it->id, is_named ? " (" : "",
             is_named ? verdict_name(verdict) : "", is_named ? ")" : "");
    return ret_name;
}

static void write_known(const struct line *line, char *ret)
{
    const struct line_known *it = LINE_AS(known, line);
    char name[FAILURE_KNOWN_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "known miscompile %s through %.31s on %.16s%s%.200s",
             known_name(it, name), it->path, it->device, it->note[0] ? ": " : "", it->note);
}

/* Of a kind without a writer of its own: "aat/tiled sass, square dram: watts 350.5 W". */
static void write_figures(const struct line *line, char *ret)
{
    const struct line_view view = line_view(line);
    struct line_figure figures[LINE_FIGURES_MAX];
    const size_t count = line_figures(line, figures);
    char keys[128];
    snprintf(ret, FAILURE_TEXT_BYTES, "%.32s", line_kind(line->kind).noun);
    if (view.kernel[0])
        text_join(ret, FAILURE_TEXT_BYTES, " of ", "%.64s %.31s", view.kernel, view.path);
    if (line_keys(line, keys, sizeof keys)[0])
        text_join(ret, FAILURE_TEXT_BYTES, ", ", "%s", keys);
    for (size_t index = 0; index < count; index++)
        text_join(ret, FAILURE_TEXT_BYTES, index ? ", " : ": ", "%.32s %s %.16s",
                  figures[index].field->name, NUMBER_SHORT(line_figure_value(&figures[index])),
                  figures[index].field->unit);
}

void failure_text(const struct line *line, char ret_text[FAILURE_TEXT_BYTES])
{
    static void (*const writers[RECORD_KIND_COUNT])(const struct line *line, char *ret) = {
        [RECORD_bench] = write_kernel,      [RECORD_ceiling] = write_ceiling,
        [RECORD_peak] = write_peak,         [RECORD_latency] = write_latency,
        [RECORD_relation] = write_relation, [RECORD_sweep] = write_sweep,
        [RECORD_codegen] = write_codegen,   [RECORD_known] = write_known,
    };
    ret_text[0] = 0;
    if (writers[line->kind])
        writers[line->kind](line, ret_text);
    else if (line_kind(line->kind).is_measured)
        write_figures(line, ret_text);
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
static struct named_operand find_operand(const struct line_finding *finding)
{
    struct named_operand ret = {.name = finding->fault.operand, .is_matrix = true};
    struct fuzz_case test_case;
    struct case_error error;
    ret.element_bytes = strlen(finding->fault.expected) / 2;
    if (finding->fault.ulp.is_there)
        ret.format = format_with_distance(ret.element_bytes);
    if (!case_parse(finding->case_text, &test_case, &error))
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

void failure_place(const struct line_finding *finding, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *place = finding->fault.place;
    const struct named_operand operand = find_operand(finding);
    long long row = finding->fault.row;
    long long column = finding->fault.column;
    long long distance = finding->fault.distance_bytes;
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

/* What was expected, or what was got: an element in its format, any other bytes as they are; after
 * the value that was got, its distance from the expected one. "" without a value. */
static const char *format_bits(const struct line_finding *finding, bool is_got,
                               char ret_text[FAILURE_TEXT_BYTES])
{
    const char *bits = is_got ? finding->fault.got : finding->fault.expected;
    const struct named_operand operand = find_operand(finding);
    unsigned char element[FORMAT_BYTES_MAX];
    char words[FORMAT_TEXT_BYTES], distance[64] = "";
    ret_text[0] = 0;
    if (bits[0] == 0)
        return ret_text;
    const bool is_element = is_same(finding->fault.place, place_name(PLACE_ELEMENT));
    snprintf(words, sizeof words, "%.64s", bits);
    if (operand.format && (is_element || is_same(finding->fault.place, place_name(PLACE_INPUT))) &&
        format_digits_read(operand.format, operand.element_bytes, bits, element))
        format_text(operand.format, operand.element_bytes, element, words);
    if (finding->fault.ulp.is_there && is_got && is_element)
        snprintf(distance, sizeof distance, "  (%s %s away)",
                 NUMBER_WHOLE(finding->fault.ulp.count),
                 operand.format && operand.format->distance_unit ? operand.format->distance_unit
                                                                 : "ulp");
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s%s%s", words, distance,
             is_got && finding->fault.unwritten ? "  (the poison: never written)" : "");
    return ret_text;
}

void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES])
{
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s, %s, %s, %s",
             NUMBER_COUNT(elements, "wrong element"), NUMBER_COUNT(gap_bytes, "gap byte"),
             NUMBER_COUNT(guard_bytes, "guard byte"), NUMBER_COUNT(inputs, "input"));
}

void failure_subject(const struct line_subject *subject, char ret_text[FAILURE_TEXT_BYTES])
{
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%.128s%s%.32s on %.64s", subject->kernel,
             subject->path[0] ? " through " : "", subject->path, subject->device);
}

void failure_report(void *context, const struct line_finding *finding, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES];
    for (size_t index = 0; index < finding->after.count; index++)
        put(context, "after", finding->after.each[index]);
    put(context, "case", finding->case_text);
    put(context, "clause", finding->fault.clause);
    failure_place(finding, text);
    put(context, "place", text);
    put(context, "expected", format_bits(finding, false, text));
    put(context, "got", format_bits(finding, true, text));
    /* Everything that is wrong in the allocation; "" where nothing was compared. */
    text[0] = 0;
    if (finding->fault.wrong_elements.is_there)
        failure_total(finding->fault.wrong_elements.count, finding->fault.wrong_gap_bytes,
                      finding->fault.wrong_guard_bytes, finding->fault.wrong_inputs, text);
    put(context, "total", text);
    put(context, "note", finding->fault.note);
}

/* "3 times out of 5" */
static const char *times_of(uint64_t failures, uint64_t tries, char ret_text[FAILURE_TEXT_BYTES])
{
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s out of %s", NUMBER_COUNT(failures, "time"),
             NUMBER_WHOLE(tries));
    return ret_text;
}

void failure_report_reduced(void *context, const struct line_reduced *it, failure_put *put)
{
    const size_t after = it->after.count;
    const uint64_t in_sequence = it->after_failures.count;
    const bool passing = it->verdict.is_there && it->verdict.verdict == VERDICT_INCONCLUSIVE;
    const bool always =
        after > 0 ? in_sequence > 0 : it->repeats > 0 && it->failures == it->repeats;
    char text[2 * FAILURE_TEXT_BYTES], times[FAILURE_TEXT_BYTES], words[FAILURE_TEXT_BYTES];
    /* Tries without a verdict on the kernel. */
    snprintf(words, sizeof words, "%s of %s were inconclusive%s%.300s",
             NUMBER_WHOLE(it->inconclusive), NUMBER_COUNT(it->inconclusive + it->repeats, "try"),
             it->inconclusive_note[0] ? ": " : "", it->inconclusive_note);
    put(context, "retried", it->inconclusive ? words : "");
    put(context, "layer", it->layer);
    if (after > 0 && it->repeats > 0) {
        snprintf(text, sizeof text, "alone it failed 0 times out of %s; after the %s before it, %s",
                 NUMBER_WHOLE(it->repeats), NUMBER_COUNT(after, "case"),
                 times_of(in_sequence, it->after_repeats.count, times));
        put(context, in_sequence ? "sequence" : "flaky", text);
    } else if (it->failures < it->repeats) {
        snprintf(text, sizeof text, "run again alone, it failed %s%s",
                 times_of(it->failures, it->repeats, times),
                 passing ? ": INCONCLUSIVE, perhaps the machine was busy" : "");
        put(context, "flaky", text);
    }
    if (!always)
        return;
    snprintf(text, sizeof text, "in %s%s; it failed %s", NUMBER_COUNT(it->tried, "try"),
             it->complete ? "" : " (the time limit was reached)",
             after > 0 ? times_of(in_sequence, it->after_repeats.count, times)
                       : times_of(it->failures, it->repeats, times));
    put(context, "reduced", text);
}

void failure_pair(void *context, const char *name, const char *text)
{
    FILE *file = context;
    if (text[0] == 0)
        return;
    size_t letters = escape_line(file, name, 32);
    fprintf(file, "%*s ", letters < 9 ? (int)(9 - letters) : 0, "");
    escape_line(file, text, ESCAPE_LETTERS_MAX);
    fputc('\n', file);
}

/* Every failure of a record, for whoever shows it. */

bool failure_is_shown(const struct loaded_lines *lines, size_t index)
{
    const struct line *line = lines->each[index];
    return failure_fails(line) &&
           (line->kind != RECORD_program || failure_program_is_first(lines, index));
}

enum verdict failure_verdict(const struct loaded_record *record, const struct line_finding *finding,
                             const struct line_reduced **ret_reduced)
{
    const struct loaded_lines *all = &record->kinds[RECORD_reduced];
    *ret_reduced = NULL;
    for (size_t at = 0; at < all->count && *ret_reduced == NULL; at++) {
        const struct line_reduced *it = LINE_AS(reduced, all->each[at]);
        if (is_same(it->from, finding->case_text) &&
            line_is_of_subject(&it->subject, &finding->subject))
            *ret_reduced = it;
    }
    const bool is_gone = *ret_reduced && (*ret_reduced)->verdict.is_there &&
                         (*ret_reduced)->verdict.verdict == VERDICT_INCONCLUSIVE;
    return finding->finding == VERDICT_TIMEOUT && is_gone ? VERDICT_INCONCLUSIVE : finding->finding;
}

/* Generated programs in words. Clauses: program_runs.finding.printed,
 * program_runs.report.findings. */

/* Both have become the same instructions. */
static bool is_alike(const struct line *one, const struct line *other)
{
    const struct line_program *left = LINE_AS(program, one), *right = LINE_AS(program, other);
    return left->reduced[0] && right->reduced[0] && left->verdict == right->verdict &&
           is_same(left->pattern, right->pattern);
}

bool failure_program_is_first(const struct loaded_lines *programs, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (is_alike(programs->each[before], programs->each[index]))
            return false;
    return true;
}

/* "9 programs: ptx 9, ptxas-12.6.20 7". */
static void put_seen(void *context, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    char text[FAILURE_TEXT_BYTES] = "";
    char all[FAILURE_TEXT_BYTES + NUMBER_COUNT_BYTES + 4];
    json_t *seen = json_object(), *times;
    const char *path;
    uint64_t count = 0, last = UINT64_MAX;
    for (size_t at = index; at < programs->count; at++) {
        const struct line_program *line = LINE_AS(program, programs->each[at]);
        if (!is_alike(programs->each[index], &line->line))
            continue;
        count += line->number != last;
        last = line->number;
        path = line->path;
        times = json_object_get(seen, path);
        json_object_set_new(seen, path, json_integer(json_integer_value(times) + 1));
    }
    json_object_foreach(seen, path, times) {
        text_join(text, sizeof text, ", ", "%.31s %lld", path,
                  (long long)json_integer_value(times));
    }
    json_decref(seen);
    snprintf(all, sizeof all, "%s: %s", NUMBER_COUNT(count, "program"), text);
    put(context, "seen in", count ? all : "");
}

void failure_program(void *context, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    const struct line_program *line = LINE_AS(program, programs->each[index]);
    const char *reduced = line->reduced, *again = line->again;
    char text[FAILURE_TEXT_BYTES];
    put(context, "program", reduced[0] ? reduced : line->program);
    snprintf(text, sizeof text, "%.64s on %.32s", line->path, line->device);
    put(context, "through", text);
    put(context, "clause", line->clause);
    put(context, "place", line->place);
    char words[FAILURE_TEXT_BYTES];
    snprintf(words, sizeof words, "0x%016" PRIx64, line->expected.count);
    put(context, "expected", line->expected.is_there ? words : "");
    snprintf(words, sizeof words, "0x%016" PRIx64 "%s", line->got.count,
             line->unwritten ? "  (the poison: never written)" : "");
    put(context, "got", line->got.is_there ? words : "");
    snprintf(words, sizeof words, "%s of %s", NUMBER_WHOLE(line->wrong_words),
             NUMBER_COUNT(line->words.count, "word"));
    put(context, "total", line->wrong_words ? words : "");
    put(context, "note", line->note);
    put(context, "found by",
        line->search ? "a search: no run or gate has this program unless it is asked for" : "");
    snprintf(text, sizeof text, "%.64s, a known miscompile whose trigger it has", line->like);
    put(context, "like", line->like[0] ? text : "");
    snprintf(text, sizeof text, "by itself in its module: %.400s", again);
    put(context, "again", again[0] ? text : "");
    put(context, "pattern", line->pattern);
    put_seen(context, programs, index, put);
    put(context, "layer", line->layer);
    put(context, "from", reduced[0] ? line->program : "");
    put(context, "replay", line->replay);
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
    const struct line_known *line; /* the first of those that are said in the same words */
    char *places;                  /* where those are */
    int rank;                      /* failures, then what is present, then what was not tried */
    size_t size;                   /* of its group, where it is the first of it */
};

static const char *why_of(const struct line_known *line)
{
    return line->verdict == VERDICT_PASS ? "" : line->note;
}

static bool is_said_alike(const struct line_known *left, const struct line_known *right)
{
    return is_same(left->id, right->id) && left->verdict == right->verdict &&
           left->failure.is_there == right->failure.is_there &&
           left->failure.verdict == right->failure.verdict && is_same(why_of(left), why_of(right));
}

static bool is_grouped(const struct shown *left, const struct shown *right)
{
    return left->line->verdict == right->line->verdict &&
           is_same(why_of(left->line), why_of(right->line)) && is_same(left->places, right->places);
}

/* " through ptx and ptxas-13.5.37 on cuda:0 and cuda:1, through ptx on cuda:2": where the lines are
 * that are said as the first of them is. To be freed. */
static char *places_of(const struct loaded_lines *known, const struct line_known *first)
{
    json_t *on = json_object(), *paths; /* of each device */
    const char *device, *before = " ";
    void *next;
    struct written places;
    written_open(&places);
    for (size_t index = 0; index < known->count; index++) {
        const struct line_known *line = LINE_AS(known, known->each[index]);
        if (!is_said_alike(first, line))
            continue;
        device = line->device;
        if (json_object_get(on, device) == NULL)
            json_object_set_new(on, device, json_array());
        json_array_append_new(json_object_get(on, device), json_string(line->path));
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
    const enum verdict verdict = first->line->verdict;
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
        const struct line_known *line = LINE_AS(known, known->each[index]);
        const enum verdict verdict = line->verdict;
        if (!line->present && verdict != VERDICT_SKIP)
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
        for (it = all; it < end && (it->rank == 2 || !is_same(it->line->id, line->id));)
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
        const struct line_known *line = LINE_AS(known, known->each[index]);
        const enum verdict verdict = line->verdict;
        const char *id = line->id;
        if (verdict == VERDICT_SKIP)
            json_object_set_new_nocheck(untried, id, json_true());
        else if (line->present)
            json_object_set_new_nocheck(present, id, json_true());
        if (verdict != VERDICT_SKIP && line->present && verdict != VERDICT_PASS)
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
        const struct line_known *line = LINE_AS(known, known->each[index]);
        const char *verdict = word_of(line->verdict);
        char name[FAILURE_KNOWN_BYTES], key[FAILURE_TEXT_BYTES];
        snprintf(key, sizeof key, "%s %.16s %.300s", known_name(line, name), verdict, why_of(line));
        if ((!line->present && line->verdict != VERDICT_SKIP) || json_object_get(said, key))
            continue;
        json_object_set_new_nocheck(said, key, json_true());
        char *places = places_of(known, line);
        TABLE_TEXTS(ret, name, verdict, places + (places[0] == ' '), why_of(line), line->program,
                    line->reference);
        free(places);
    }
    json_decref(said);
}
