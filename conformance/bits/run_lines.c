/* The lines of a run's record, one function each, and the command that runs one check again
 * (run.h, spec/record.schema.json). */
#include "conformance/bits/run.h"

#include <inttypes.h>
#include <stdlib.h>
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
static struct line_subject subject_of(struct zone *zone, const struct run *run,
                                      struct subject subject)
{
    char name[CATALOG_NAME_BYTES];
    return (struct line_subject){
        .device = run->session->devices[subject.device].label,
        .kernel = zone_text(zone, catalog_name(subject.kernel, name)),
        .path = path_name(subject.path),
    };
}

static const char *case_of(struct zone *zone, const struct fuzz_case *test_case)
{
    char text[CASE_TEXT_BYTES];
    case_format(test_case, text, sizeof text);
    return zone_text(zone, text);
}

static const char *replay_of(struct zone *zone, const struct run *run, const struct run_finding *it)
{
    char text[RUN_REPLAY_BYTES];
    run_replay_command(run, it, text, sizeof text);
    return zone_text(zone, text);
}

/* The cases that must run before this one. */
static struct texts cases_before(struct zone *zone, const struct run_finding *it)
{
    const int count = it->needs_history && it->history->count > 0 ? it->history->count - 1 : 0;
    const char **each = zone_take(zone, (size_t)count * sizeof *each);
    for (int index = 0; index < count; index++)
        each[index] = case_of(zone, &it->history->jobs[index].test_case);
    return (struct texts){.each = count > 0 ? each : NULL, .count = (size_t)count};
}

static const char *digits_of(struct zone *zone, const struct operand *operand, size_t bytes,
                             const unsigned char *element)
{
    char digits[FORMAT_TEXT_BYTES];
    format_digits(operand->format, bytes, element, digits);
    return zone_text(zone, digits);
}

/* The wrong place of a case, and the error there. */
static struct line_fault fault_of(struct zone *zone, const struct fuzz_case *test_case,
                                  const struct finding *finding)
{
    struct line_fault ret = {.clause = finding->clause,
                             .place = place_name(finding->place),
                             .note = finding->note,
                             .operand = "",
                             .expected = "",
                             .got = ""};
    if (finding->place == PLACE_NONE)
        return ret;
    const struct operand *operand = &test_case->algorithm->operands[finding->operand];
    const size_t unit_bytes = (size_t)finding->unit_bytes;
    const bool is_of_element = finding->place == PLACE_ELEMENT || finding->place == PLACE_INPUT;
    ret.operand = operand->name;
    ret.row = finding->row;
    ret.column = finding->column;
    ret.distance_bytes = finding->distance_bytes;
    ret.unwritten = finding->unwritten;
    ret.expected = digits_of(zone, operand, unit_bytes, finding->expected);
    ret.got = digits_of(zone, operand, unit_bytes, finding->got);
    ret.ulp =
        (struct maybe_count){is_of_element && finding->ulp != FORMAT_NO_DISTANCE, finding->ulp};
    ret.wrong_elements = (struct maybe_count){true, finding->wrong_elements};
    ret.wrong_gap_bytes = finding->wrong_gap_bytes;
    ret.wrong_guard_bytes = finding->wrong_guard_bytes;
    ret.wrong_inputs = finding->wrong_inputs;
    return ret;
}

const struct line *record_finding(const struct run *run, const struct run_finding *it,
                                  struct zone *zone)
{
    return LINE(zone, finding, .finding = it->finding.verdict,
                .case_text = case_of(zone, &it->test_case), .index = it->index,
                .subject = subject_of(zone, run, it->subject),
                .fault = fault_of(zone, &it->test_case, &it->finding),
                .replay = replay_of(zone, run, it), .after = cases_before(zone, it));
}

const struct line *record_reduced(const struct run *run, const struct run_finding *it,
                                  struct zone *zone)
{
    const struct trial_report *reduced = &it->reduced;
    const struct sequence *history = it->needs_history ? it->history : NULL;
    const struct line_fault fault = fault_of(zone, &reduced->smallest, &reduced->finding);
    return LINE(
        zone, reduced, .reduced = case_of(zone, &reduced->smallest),
        .from = case_of(zone, &it->test_case), .subject = subject_of(zone, run, it->subject),
        .repeats = (uint64_t)reduced->repeats, .failures = (uint64_t)reduced->failures,
        .tried = (uint64_t)reduced->shrink.tried, .complete = reduced->shrink.complete,
        .replay = replay_of(zone, run, it), .after = cases_before(zone, it),
        .after_repeats = {history != NULL, history ? (uint64_t)history->repeats : 0},
        .after_failures = {history != NULL, history ? (uint64_t)history->failures : 0},
        .inconclusive = (uint64_t)reduced->inconclusive,
        .inconclusive_note = reduced->inconclusive_note, .layer = it->layer,
        .verdict = {it->passing, VERDICT_INCONCLUSIVE},
        .fault = zone_copy(zone, &fault, sizeof fault), .kept = zone_text(zone, it->corpus_file));
}

/* True if one of the lines has that digest: its ranges are those of all that have it. */
static bool has_digest(const struct result_lines *lines, const char *digest)
{
    for (size_t index = 0; index < lines->count; index++)
        if (strcmp(LINE_AS(bits, lines->each[index])->xxh3_128, digest) == 0)
            return true;
    return false;
}

/* The line of a subject, after those of others. */
static const struct line *bits_line(struct zone *zone, const struct run *run,
                                    struct subject subject, const struct tally *row,
                                    const struct result_lines *before)
{
    const enum verdict word = tally_verdict(row);
    char digest[40], layer[LAYER_BYTES], *ranges = tally_ranges(row);
    snprintf(digest, sizeof digest, "%016" PRIx64 "%016" PRIx64, row->digest[1], row->digest[0]);
    if (has_digest(before, digest))
        ranges[0] = 0;
    const struct line *line = LINE(
        zone, bits, .subject = subject_of(zone, run, subject), .verdict = word,
        .xxh3_128 = zone_text(zone, digest), .counts = line_counts_of(row->counts),
        .reason = word != VERDICT_PASS ? zone_text(zone, run_reason(run, subject, row)) : "",
        .left_out = run_leaves_out(run, subject, row),
        .layer = verdict_is_failure(word) ? zone_text(zone, run_layer(run, subject, layer)) : "",
        .launches = row->launches == row->counts[VERDICT_PASS] ? 0 : row->launches,
        .full_launches = {row->launches > 0, row->full_launches},
        .sms = row->launches ? (uint64_t)tally_sms(row) : 0, .ranges = zone_text(zone, ranges));
    free(ranges);
    return line;
}

/* Each subject that was asked for or had a case. Clause: verdicts.row.unchecked. */
struct result_lines record_bits(const struct run *run, struct zone *zone)
{
    const int subjects = subject_count(run->session->device_count);
    struct result_lines ret = {.each = zone_take(zone, (size_t)subjects * sizeof *ret.each)};
    for (int index = 0; index < subjects; index++) {
        const struct tally *row = &run->tally.rows[index];
        const struct subject subject = subject_at(index);
        const bool is_idle =
            !tally_checks(row) && !row->counts[VERDICT_DECLINED] && !row->counts[VERDICT_EMPTY];
        if (is_idle && !session_has(run->session, subject))
            continue;
        const struct line *line = bits_line(zone, run, subject, row, &ret);
        ret.each[ret.count++] = line;
    }
    return ret;
}

struct result_lines record_coverage(const struct run *run, struct zone *zone)
{
    const size_t count = (size_t)run->session->device_count;
    struct result_lines ret = {zone_take(zone, count * sizeof *ret.each), count};
    for (size_t device = 0; device < count; device++) {
        const struct session_device *it = &run->session->devices[device];
        uint64_t touched_bytes = 0;
        for (int share = 0; share < PLAN_SHARES_MAX; share++) /* at a time, so none is another's */
            touched_bytes += run->devices[device].shares[share].touched_bytes;
        ret.each[device] =
            LINE(zone, coverage, .device = it->label,
                 .sms = (uint64_t)it->info.limits.multiprocessor_count,
                 .memory_bytes = it->info.memory_bytes, .touched_bytes = touched_bytes);
    }
    return ret;
}

const struct line *record_cases(const struct run *run, int device, struct zone *zone)
{
    return LINE(zone, cases, .device = run->session->devices[device].label,
                .finished = run->devices[device].finished,
                .checks = run->devices[device].checks_done);
}
