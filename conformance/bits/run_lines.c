/* The lines of a run's record, one function each, and the command that runs one check again
 * (run.h, spec/record.schema.json). */
#include "conformance/bits/run.h"

#include <inttypes.h>
#include <string.h>

/* Every kernel that the sequence runs, each once. */
static void add_kernels(const struct sequence *sequence, char *text, size_t bytes)
{
    bool named[CATALOG_COUNT] = {false};
    char name[CATALOG_NAME_BYTES];
    for (int index = 0; index < sequence->count; index++) {
        const struct job *job = &sequence->jobs[index];
        for (int check = 0; check < job->check_count; check++) {
            int id = job->checks[check].kernel;
            if (!named[id])
                text_add(text, bytes, " %s", catalog_name(id, name));
            named[id] = true;
        }
    }
}

void run_replay_command(const struct run *run, const struct run_finding *finding, char *ret_text,
                        size_t text_bytes)
{
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES], label[DEVICE_LABEL_BYTES];
    char units[PATH_OPTION_BYTES], word[SHELL_WORD_BYTES];
    const struct device_info *device = &run->session->devices[finding->subject.device].info;
    const struct path *path = path_row(finding->subject.path);
    snprintf(ret_text, text_bytes, "assay replay --device %s", device_label(device->id, label));
    if (device_kinds[path->kind].has_choice)
        text_add(ret_text, text_bytes, " --path %s%s", path->name,
                 path_option(finding->subject.path, units));
    if (run->session->options->gpu)
        text_add(ret_text, text_bytes, " --gpu %s", shell_word(run->session->options->gpu, word));
    for (int index = 0; finding->needs_history && index < finding->history->count - 1; index++) {
        case_format(&finding->history->jobs[index].test_case, text, sizeof text);
        text_add(ret_text, text_bytes, " --after '%s'", text);
    }
    case_format(finding->retried ? &finding->reduced.smallest : &finding->test_case, text,
                sizeof text);
    text_add(ret_text, text_bytes, " '%s'", text);
    if (finding->needs_history)
        add_kernels(finding->history, ret_text, text_bytes);
    else
        text_add(ret_text, text_bytes, " %s", catalog_name(finding->subject.kernel, name));
}

/* Which kernel, code path and device a line is about. */
static void put_subject(json_t *line, const struct run *run, struct subject subject)
{
    char name[CATALOG_NAME_BYTES];
    put_subject_device(line, run->session->devices[subject.device].label);
    put_subject_kernel(line, catalog_name(subject.kernel, name));
    put_subject_path(line, path_name(subject.path));
}

/* The cases that must run before this one; NULL without any. */
static json_t *cases_before(const struct run_finding *it)
{
    json_t *after = it->needs_history ? json_array() : NULL;
    for (int index = 0; after && index < it->history->count - 1; index++) {
        char text[CASE_TEXT_BYTES];
        case_format(&it->history->jobs[index].test_case, text, sizeof text);
        json_array_append_new(after, json_string(text));
    }
    return after;
}

json_t *record_case(const struct run *run, int device, const struct job *job)
{
    char text[CASE_TEXT_BYTES];
    json_t *line = json_object();
    case_format(&job->test_case, text, sizeof text);
#define OF_case , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_case
    return line;
}

json_t *record_finding(const struct run *run, const struct run_finding *it)
{
    const struct finding *finding = &it->finding;
    char text[CASE_TEXT_BYTES], replay[RUN_REPLAY_BYTES];
    json_t *line = json_object();
    case_format(&it->test_case, text, sizeof text);
    run_replay_command(run, it, replay, sizeof replay);
    put_finding_finding(line, finding->verdict);
    put_finding_case(line, text);
    put_finding_index(line, it->index);
    put_subject(line, run, it->subject);
#define OF_finding , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_finding
    if (finding->place != PLACE_NONE) {
        /* The wrong place, and the error there. */
        const struct operand *operand = &it->test_case.algorithm->operands[finding->operand];
        const size_t unit_bytes = (size_t)finding->unit_bytes;
        char digits[FORMAT_TEXT_BYTES];
        put_finding_operand(line, operand->name);
        put_finding_row(line, finding->row);
        put_finding_column(line, finding->column);
        put_finding_distance_bytes(line, finding->distance_bytes);
        put_finding_unwritten(line, finding->unwritten);
        format_digits(operand->format, unit_bytes, finding->expected, digits);
        put_finding_expected(line, digits);
        format_digits(operand->format, unit_bytes, finding->got, digits);
        put_finding_got(line, digits);
        if ((finding->place == PLACE_ELEMENT || finding->place == PLACE_INPUT) &&
            finding->ulp != FORMAT_NO_DISTANCE)
            put_finding_ulp(line, finding->ulp);
        put_finding_wrong_elements(line, finding->wrong_elements);
        put_finding_wrong_gap_bytes(line, finding->wrong_gap_bytes);
        put_finding_wrong_guard_bytes(line, finding->wrong_guard_bytes);
        put_finding_wrong_inputs(line, finding->wrong_inputs);
    }
    return line;
}

json_t *record_reduced(const struct run *run, const struct run_finding *it)
{
    const struct trial_report *reduced = &it->reduced;
    char smallest[CASE_TEXT_BYTES], from[CASE_TEXT_BYTES], replay[RUN_REPLAY_BYTES];
    json_t *line = json_object();
    case_format(&reduced->smallest, smallest, sizeof smallest);
    case_format(&it->test_case, from, sizeof from);
    run_replay_command(run, it, replay, sizeof replay);
#define OF_reduced , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_reduced
    put_subject(line, run, it->subject);
    return line;
}

/* A row for each kernel and path of the device that had a case; with `all` for each that was asked
 * for. Clause: verdicts.row.unchecked. */
static void append_rows(json_t *rows, const struct run *run, const struct tally_table *table,
                        int device, bool all)
{
    for (int index = subject_count(device); index < subject_count(device + 1); index++) {
        const struct tally *row = &table->rows[index];
        const struct subject subject = subject_at(index);
        const enum verdict word = tally_verdict(row);
        char digest[40], layer[LAYER_BYTES];
        const bool is_idle =
            !tally_checks(row) && !row->counts[VERDICT_DECLINED] && !row->counts[VERDICT_EMPTY];
        if (is_idle && !(all && session_has(run->session, subject)))
            continue;
        const char *reason = run_reason(run, subject, row);
        json_t *line = json_object();
        snprintf(digest, sizeof digest, "%016" PRIx64 "%016" PRIx64, row->digest[1],
                 row->digest[0]);
        put_subject(line, run, subject);
#define OF_row , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_row
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (verdict == VERDICT_PASS || row->counts[verdict])
                verdict_counts_write(line, (enum verdict)verdict, row->counts[verdict]);
        json_array_append_new(rows, line);
    }
}

json_t *record_cases(const struct run *run, int device, json_t *ranges,
                     const struct tally_table *tally)
{
    json_t *line = json_object(), *rows = json_array();
    append_rows(rows, run, tally, device, false);
    put_cases_cases(line, ranges);
    put_cases_device(line, run->session->devices[device].label);
    put_cases_rows(line, rows);
    return line;
}

json_t *record_rows(const struct run *run)
{
    json_t *rows = json_array();
    for (int device = 0; device < run->session->device_count; device++)
        append_rows(rows, run, &run->tally, device, true);
    return rows;
}

json_t *record_coverage(const struct run *run)
{
    json_t *all = json_array();
    for (int device = 0; device < run->session->device_count; device++) {
        const struct session_device *it = &run->session->devices[device];
        json_t *line = json_object();
        uint64_t touched_bytes = 0;
        for (int share = 0; share < PLAN_SHARES_MAX; share++) /* at a time, so none is another's */
            touched_bytes += run->devices[device].shares[share].touched_bytes;
#define OF_coverage , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_coverage
        json_array_append_new(all, line);
    }
    return all;
}
