/* The lines of a run's record, one function each (run_lines.h, spec/record.schema.json). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/bits/coverage.h"
#include "conformance/bits/run_lines.h"
#include "conformance/bits/outcome.h"
#include "conformance/bits/replay_command.h"
#include "conformance/session/session_lines.h"

json_t *record_case(const struct run *run, int device, unsigned long long index, const char *text,
                    int checks)
{
    return json_pack("{s:s, s:I, s:s, s:i}", "case", text, "index", (json_int_t)index, "device",
                     run->session->devices[device].label, "checks", checks);
}

/* What must run before the case, where something must. */
static void add_after(json_t *line, const struct run_finding *it)
{
    if (line == NULL || !it->needs_history)
        return;
    json_t *after = json_array();
    for (int index = 0; index < it->history->count - 1; index++) {
        char text[CASE_TEXT_BYTES];
        case_format(&it->history->jobs[index].test_case, text, sizeof text);
        json_array_append_new(after, json_string(text));
    }
    json_object_set_new(line, "after", after);
}

json_t *record_finding(const struct run *run, const struct run_finding *it)
{
    const struct finding *finding = &it->finding;
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES], replay[RUN_REPLAY_BYTES];
    case_format(&it->test_case, text, sizeof text);
    run_replay_command(run, it, replay, sizeof replay);
    json_t *line =
        json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "finding",
                  verdict_name(finding->verdict), "case", text, "index", (json_int_t)it->index,
                  "device", run->session->devices[it->subject.device].label, "kernel",
                  catalog_name(it->subject.kernel, name), "path", path_name(it->subject.path),
                  "clause", finding->clause, "place", place_name(finding->place), "note",
                  finding->note, "replay", replay);
    add_after(line, it);
    if (line == NULL || finding->place == PLACE_NONE)
        return line;
    const struct operand *operand = &it->test_case.algorithm->operands[finding->operand];
    const size_t unit_bytes = (size_t)finding->unit_bytes;
    char digits[FORMAT_TEXT_BYTES];
    json_object_set_new(line, "operand", json_string(operand->name));
    json_object_set_new(line, "row", json_integer(finding->row));
    json_object_set_new(line, "column", json_integer(finding->column));
    json_object_set_new(line, "distance_bytes", json_integer(finding->distance_bytes));
    json_object_set_new(line, "unwritten", json_boolean(finding->unwritten));
    format_digits(operand->format, unit_bytes, finding->expected, digits);
    json_object_set_new(line, "expected", json_string(digits));
    format_digits(operand->format, unit_bytes, finding->got, digits);
    json_object_set_new(line, "got", json_string(digits));
    if (place_is_element(finding->place) && finding->ulp != FORMAT_NO_DISTANCE)
        json_object_set_new(line, "ulp", json_integer((json_int_t)finding->ulp));
    json_object_set_new(line, "wrong_elements", json_integer((json_int_t)finding->wrong_elements));
    json_object_set_new(line, "wrong_gap_bytes",
                        json_integer((json_int_t)finding->wrong_gap_bytes));
    json_object_set_new(line, "wrong_guard_bytes",
                        json_integer((json_int_t)finding->wrong_guard_bytes));
    json_object_set_new(line, "wrong_inputs", json_integer((json_int_t)finding->wrong_inputs));
    return line;
}

json_t *record_reduced(const struct run *run, const struct run_finding *it)
{
    char text[CASE_TEXT_BYTES], smallest[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES];
    char replay[RUN_REPLAY_BYTES];
    case_format(&it->test_case, text, sizeof text);
    case_format(&it->reduced.smallest, smallest, sizeof smallest);
    run_replay_command(run, it, replay, sizeof replay);
    json_t *line =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:b, s:s}", "reduced", smallest, "from",
                  text, "device", run->session->devices[it->subject.device].label, "kernel",
                  catalog_name(it->subject.kernel, name), "path", path_name(it->subject.path),
                  "repeats", it->reduced.repeats, "failures", it->reduced.failures, "tried",
                  (json_int_t)it->reduced.shrink.tried, "complete", it->reduced.shrink.complete,
                  "replay", replay);
    add_after(line, it);
    if (line && it->needs_history) {
        json_object_set_new(line, "after_repeats", json_integer(it->history->repeats));
        json_object_set_new(line, "after_failures", json_integer(it->history->failures));
    }
    if (line && it->reduced.inconclusive > 0)
        json_object_set_new(line, "untold", json_integer(it->reduced.inconclusive));
    if (line && it->reduced.inconclusive_note[0])
        json_object_set_new(line, "untold_note", json_string(it->reduced.inconclusive_note));
    if (line && it->passing)
        json_object_set_new(line, "verdict", json_string(verdict_name(VERDICT_INCONCLUSIVE)));
    return line;
}

static json_t *row_object(const struct run *run, const struct tally *row, struct subject subject)
{
    char name[CATALOG_NAME_BYTES], digest[40];
    snprintf(digest, sizeof digest, "%016" PRIx64 "%016" PRIx64, row->digest[1], row->digest[0]);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s}", "device",
                               run->session->devices[subject.device].label, "kernel",
                               catalog_name(subject.kernel, name), "path", path_name(subject.path),
                               "verdict", verdict_name(tally_verdict(row)), "xxh3_128", digest);
    for (int verdict = 0; object && verdict < VERDICT_COUNT; verdict++) {
        char key[16];
        snprintf(key, sizeof key, "%s", verdict_name((enum verdict)verdict));
        for (char *letter = key; *letter; letter++)
            *letter = (char)(*letter | 0x20);
        if (verdict == VERDICT_PASS || row->counts[verdict])
            json_object_set_new(object, verdict == VERDICT_PASS ? "passed" : key,
                                json_integer((json_int_t)row->counts[verdict]));
    }
    if (object && row->launches) {
        json_object_set_new(object, "launches", json_integer((json_int_t)row->launches));
        json_object_set_new(object, "full_launches", json_integer((json_int_t)row->full_launches));
        if (tally_sms(row))
            json_object_set_new(object, "sms", json_integer(tally_sms(row)));
    }
    if (object && row->reason[0])
        json_object_set_new(object, "reason", json_string(row->reason));
    return object;
}

static void append_rows(json_t *rows, const struct run *run, const struct tally_table *table,
                        int device)
{
    for (int index = subject_count(device); index < subject_count(device + 1); index++) {
        const struct tally *row = &table->rows[index];
        if (tally_checks(row) || row->counts[VERDICT_DECLINED] || row->counts[VERDICT_EMPTY])
            json_array_append_new(rows, row_object(run, row, subject_at(index)));
    }
}

json_t *record_cases(const struct run *run, int device, json_t *ranges,
                     const struct tally_table *tally)
{
    json_t *rows = json_array();
    append_rows(rows, run, tally, device);
    return json_pack("{s:o, s:s, s:o}", "cases", ranges, "device",
                     run->session->devices[device].label, "rows", rows);
}

json_t *record_resumed(const struct run *run)
{
    return json_pack("{s:o, s:I}", "resumed", session_time(), "cases_done",
                     (json_int_t)run->resumed_cases);
}

static json_t *coverage_object(const struct run *run, int device)
{
    const struct coverage coverage = coverage_of_run(run, device);
    return json_pack("{s:s, s:i, s:I, s:I}", "device", coverage.device, "sms", coverage.sms,
                     "memory_bytes", (json_int_t)coverage.memory_bytes, "touched_bytes",
                     (json_int_t)coverage.touched_bytes);
}

json_t *record_summary(const struct run *run)
{
    uint64_t counts[VERDICT_COUNT], cases_done = 0;
    tally_total(&run->tally, counts);
    char reason[FINDING_NOTE_BYTES];
    run_reason(run, reason, sizeof reason);
    json_t *rows = json_array(), *coverage = json_array();
    for (int device = 0; device < run->session->device_count; device++) {
        json_array_append_new(coverage, coverage_object(run, device));
        cases_done += run->devices[device].cases_done;
        append_rows(rows, run, &run->tally, device);
    }
    json_t *line =
        session_summary(run->session, counts, cases_done, run_verdict(run), reason, rows);
    json_t *summary = json_object_get(line, "summary");
    json_object_set_new(summary, "empty", json_integer((json_int_t)counts[VERDICT_EMPTY]));
    json_object_set_new(summary, "coverage", coverage);
    return line;
}
