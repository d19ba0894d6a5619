/* One verdict over all parts of a gate and the comparison (gate.h). Clauses: gate.verdict.whole,
 * gate.baseline.made, gate.baseline.seed, gate.baseline.read, gate.file.held,
 * shard.gate.whole, shard.gate.baseline. */
#include "conformance/gate/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/gate/gate_baseline.h"
#include "conformance/gate/gate_parts.h"
#include "conformance/gate/gate_shown.h"
#include "conformance/record/record.h"
#include "conformance/session/parts.h"
#include "conformance/supervise/probe.h"

/* Any would do, and a fixed one makes the cases of any two gates the same (gate.baseline.seed). */
enum { GATE_SEED = 1 };

struct gate {
    const struct options *options;
    double began_s;
    struct probe_choice chosen;
    struct parts *parts;
    struct session_part *part_of[GATE_PARTS];   /* NULL: it is not due */
    struct loaded_reader reader_of[GATE_PARTS]; /* of its record */
    struct loaded old, all;                     /* BASE, NEW */
    struct gate_shown shown;
    struct bench_known known;
    enum verdict verdict;
    char why[ASSESSMENT_REASON_BYTES + 64];
    char awaits[ASSESSMENT_REASON_BYTES +
                64]; /* why a shard does not pass, if nothing else; or "" */
};

/* Joins the verdict of one part of the answer; the reason is that of the worst. */
static void join(struct gate *gate, enum verdict verdict, const char *what, const char *found)
{
    const enum verdict joined = verdict_join(gate->verdict, verdict);
    if (verdict != VERDICT_PASS && (joined != gate->verdict || gate->why[0] == 0))
        snprintf(gate->why, sizeof gate->why, "%.60s: %.511s", what, found);
    gate->verdict = joined;
}

/* The number of GPUs of the parts: 0 on the host device, and if no GPU can be used. */
static int gate_gpus(const struct gate *gate)
{
    const struct probe_choice *it = &gate->chosen;
    return it->is_made && device_kind(&it->devices[0])->is_gpu ? probe_gpus(it) : 0;
}

static int complain(int status, const char *why)
{
    error_line("gate", "%s", why);
    return status;
}

/* Failures of generated programs and skipped checks that the baseline has as well are the stack's,
 * and no change. */
static void leave_out_known(struct gate *gate, const struct loaded_record *record,
                            struct assessment *it)
{
    const bool is_due = gate->options->baseline && !gate->options->strict;
    const size_t failed = is_due ? gate_failed_before(&gate->old, record, &it->verdict) : 0;
    const size_t skipped = is_due && failed == 0 ? gate_skipped_before(&gate->old, record) : 0;
    char skips[sizeof it->reason];
    if (failed > 0)
        snprintf(it->reason, sizeof it->reason, "%s, as in the baseline%s",
                 NUMBER_COUNT(failed, "failure"),
                 it->verdict == VERDICT_PASS ? "" : "; others are undecided");
    if (skipped > 0) {
        snprintf(skips, sizeof skips, "as in the baseline, %.450s", it->reason);
        memcpy(it->reason, skips, sizeof it->reason);
        it->verdict = VERDICT_PASS;
    }
    gate->shown.in_baseline = failed + skipped;
}

/* Keeps a line of a part's record, as it arrives. */
static void take_line(void *context, const struct session_part *part,
                      const struct record_entry *entry)
{
    struct gate *gate = context;
    int index = 0;
    while (gate->part_of[index] != part)
        index++;
    loaded_line(&gate->reader_of[index], entry);
}

/* Shows the result of a part that has left a record. If it ended otherwise than the record says,
 * the record is not believed. */
static void show_part(struct gate *gate, int index, enum exit_status status)
{
    const struct gate_part *part = &gate_parts[index];
    struct loaded_record *record = gate->reader_of[index].record;
    struct assessment assessment;
    loaded_settle(record);
    assess_record(record, &assessment);
    const enum verdict own = assessment.verdict;
    leave_out_known(gate, record, &assessment);
    gate_shown_stack(&gate->shown, &gate->all);
    gate_shown_record(&gate->shown, part->name, part->noun, record, &assessment);
    const bool awaits_merge = assess_shard(record, &assessment);
    if (awaits_merge && gate->awaits[0] == 0)
        snprintf(gate->awaits, sizeof gate->awaits, "%s: %s", part->name, record->summary->reason);
    join(gate, assessment.verdict, part->name,
         assessment.reason[0] ? assessment.reason : verdict_name(assessment.verdict));
    if (status != verdict_exit_status(own))
        join(gate, VERDICT_ERROR, part->name,
             status == EXIT_STATUS_HARNESS ? "it ended before its record was whole"
                                           : "its exit status is not what its record says");
}

/* A part without a record had nothing to check, and has printed why. False if it has no such
 * reason. */
static bool show_nothing(struct gate *gate, int index, enum exit_status status, int *ret_status)
{
    const char *why = gate->part_of[index]->why;
    if (stop_is_signalled())
        return false;
    if (status != EXIT_STATUS_NOTHING_RAN) {
        *ret_status = complain(EXIT_STATUS_HARNESS, "a part left no record");
        return false;
    }
    char words[FINDING_NOTE_BYTES + 32];
    snprintf(words, sizeof words, "nothing was checked%s%s", why[0] ? ": " : "", why);
    gate_shown_part(&gate->shown, gate_parts[index].name, VERDICT_SKIP, words, words);
    join(gate, VERDICT_SKIP, gate_parts[index].name, words);
    return true;
}

static bool end_part(struct gate *gate, int index, int *ret_status)
{
    gate_shown_wait(gate_parts[index].name);
    const enum exit_status status = parts_end(gate->parts, gate->part_of[index]);
    *ret_status = gate->parts->error[0] ? EXIT_STATUS_HARNESS
                  : stop_is_signalled() ? EXIT_STATUS_INCONCLUSIVE
                                        : (int)status;
    if (status == EXIT_STATUS_USAGE)
        return false;
    bool goes_on = true;
    if (gate->part_of[index]->has_record)
        show_part(gate, index, status);
    else
        goes_on = show_nothing(gate, index, status, ret_status);
    /* After these no later part says anything of the stack. */
    return goes_on && !stop_is_signalled() && *ret_status != EXIT_STATUS_HARNESS;
}

/* Adds the parts that are due. */
static void add_parts(struct gate *gate)
{
    const struct options *options = gate->options;
    const int gpus = gate_gpus(gate);
    enum verdict verdict;
    for (int index = 0; index < GATE_PARTS; index++) {
        const struct gate_part *row = &gate_parts[index];
        if (gate_part_why_not(row, options, gpus, &verdict)[0])
            continue;
        struct session_part *part = parts_add(gate->parts, row->name, row->measure, options);
        struct options *own = &part->options;
        part->is_timed = row->is_timed;
        own->leaves_candidates = gpus == 0;
        own->keeps_only = true;
        own->format = FORMAT_TEXT;
        row->adjust(own, &gate->chosen.devices[0]);
        if (index > 0)
            own->gaps = NULL; /* the first part's record says it of all */
        gate->part_of[index] = part;
        gate->reader_of[index] = (struct loaded_reader){
            .loaded = &gate->all, .path = options->record ? options->record : "this gate"};
    }
    gate->all.file_count = 1;
    gate->all.names_known = options->verbose;
    gate->parts->take = take_line;
    gate->parts->context = gate;
    gate->parts->are_at_once = options->ptxas.count == 0 && options->nvrtc.count == 0 &&
                               !probe_is_exclusive(&gate->chosen);
}

/* Shows the parts in their order. False when the gate ends here: the status is why. */
static bool run_parts(struct gate *gate, int *ret_status)
{
    add_parts(gate);
    parts_begin(gate->parts);
    for (int index = 0; index < GATE_PARTS; index++) {
        const struct gate_part *row = &gate_parts[index];
        enum verdict verdict;
        const char *why_not = gate_part_why_not(row, gate->options, gate_gpus(gate), &verdict);
        if (gate->part_of[index]) {
            if (!end_part(gate, index, ret_status))
                return false;
            continue;
        }
        gate_shown_part(&gate->shown, row->name, verdict, why_not, why_not);
        if (verdict != VERDICT_DECLINED)
            join(gate, verdict, row->name, why_not);
    }
    *ret_status = EXIT_STATUS_NOTHING_RAN;
    return gate->all.count > 0;
}

/* Shows what failed, and what has changed since the baseline, as it was when the gate began. */
static void show(struct gate *gate)
{
    static const enum verdict verdicts[CHANGE_COUNT] = {
        [CHANGE_SAME] = VERDICT_PASS,
        [CHANGE_BETTER] = VERDICT_PASS,
        [CHANGE_NOT_COMPARABLE] = VERDICT_INCONCLUSIVE,
        [CHANGE_REGRESSED] = VERDICT_FAIL,
    };
    gate_shown_found(&gate->shown);
    if (gate->options->baseline == NULL)
        return;
    loaded_lend(&gate->all, &gate->old);
    const enum change change = gate_shown_comparison(&gate->shown, &gate->old);
    loaded_return(&gate->all, &gate->old);
    join(gate, verdicts[change], "compared with the baseline", change_name(change));
    if (gate->why[0] == 0)
        snprintf(gate->why, sizeof gate->why, "%s", gate_shown_agreed(change));
}

/* The cases of the baseline are those to run again. */
static bool read_baseline(struct options *options, struct loaded *old)
{
    struct reason reason;
    char text[SHARD_TEXT_BYTES];
    if (options->shard.count > 0)
        return error_line("gate",
                          "--shard conflicts with --baseline, which has the cases of a whole gate");
    if (!options_output_is_free("gate", options->record, options->baseline))
        return false;
    if (!loaded_add(old, options->baseline, &reason))
        return error_line("gate", "%s", reason.text);
    for (size_t index = 0; index < old->count; index++) {
        const struct shard shard = loaded_shard(&old->records[index]);
        if (shard.count > 0)
            return error_line("gate", "--baseline %s: this is %s; a baseline is a whole gate",
                              options->baseline, shard_text(&shard, text));
    }
    if (!options->given.seed)
        options->seed = old->records[0].header->seed;
    return true;
}

static const char no_record[] = "the record cannot be written";

/* A gate that ends before its last part compares nothing, and says why it ended. */
static void end_early(struct gate *gate, int status)
{
    static const char what[] = "the gate ended before its last part";
    gate->shown.is_cut = true;
    if (status == EXIT_STATUS_NOTHING_RAN) /* a GPU that no driver gives any more */
        join(gate, VERDICT_FAIL, change_name(CHANGE_REGRESSED),
             "nothing in the baseline was checked");
    else if (gate->parts->error[0])
        join(gate, VERDICT_ERROR, no_record, gate->parts->error);
    else if (stop_is_signalled())
        join(gate, VERDICT_INCONCLUSIVE, what, "interrupted");
    else if (gate->verdict != VERDICT_ERROR)
        snprintf(gate->why, sizeof gate->why, "%s", what);
    if (status == EXIT_STATUS_HARNESS)
        gate->verdict = VERDICT_ERROR;
    const char *between = "; not checked: ";
    for (int index = gate->shown.part_count; index < GATE_PARTS; index++) {
        struct session_part *part = gate->part_of[index];
        if (part && part->verdict != VERDICT_COUNT) {
            show_part(gate, index, (enum exit_status)part->watch.ended);
            continue;
        }
        text_join(gate->why, sizeof gate->why, between, "%s", gate_parts[index].name);
        between = ", ";
    }
    gate_shown_found(&gate->shown);
}

/* Ends the gate's file with the verdict, unless the last record was cut short, and shows it.
 * Returns the exit status. */
static int end(struct gate *gate)
{
    struct zone zone = {.blocks = NULL};
    const double seconds = clock_now_s() - gate->began_s;
    const struct line *line =
        gate_shown_line(&gate->shown, gate->verdict, gate->why, seconds, &zone);
    if (gate->all.count > 0 && loaded_complete(&gate->all))
        parts_write(gate->parts, line);
    if (gate->parts->error[0]) {
        gate->shown.is_cut = true; /* it makes no baseline */
        gate->shown.awaits_merge = false;
        join(gate, VERDICT_ERROR, no_record, gate->parts->error);
        line = gate_shown_line(&gate->shown, gate->verdict, gate->why, seconds, &zone);
    }
    const bool is_shown = gate_shown_end(&gate->shown, LINE_AS(gate, line));
    zone_free(&zone);
    return is_shown ? (int)verdict_exit_status(gate->verdict)
                    : complain(EXIT_STATUS_HARNESS, "cannot write standard output");
}

static int carry_out(struct gate *gate)
{
    int status = EXIT_STATUS_HARNESS;
    const struct probe_choice *devices = &gate->chosen;
    const bool is_lame = !devices->is_made && devices->status == EXIT_STATUS_HARNESS;
    if (is_lame && stop_is_signalled())
        status = EXIT_STATUS_INCONCLUSIVE;
    else if (is_lame)
        join(gate, VERDICT_ERROR, "no part", devices->line);
    else if (!devices->is_made) {
        session_no_choice("", devices);
        if (!devices->has_none || gate->options->baseline == NULL)
            return (int)devices->status;
        status = EXIT_STATUS_NOTHING_RAN;
    }
    gate_shown_begin(&gate->shown, devices->line, gate_gpus(gate));
    const bool is_whole = devices->is_made && run_parts(gate, &status);
    parts_abandon(gate->parts);
    if (!is_whole && (status == EXIT_STATUS_USAGE ||
                      (status == EXIT_STATUS_NOTHING_RAN && gate->options->baseline == NULL)))
        return status;
    if (is_whole)
        show(gate);
    else
        end_early(gate, status);
    if (gate->awaits[0] && gate->verdict == VERDICT_PASS) {
        gate->shown.awaits_merge = !gate->shown.is_cut;
        gate->verdict = VERDICT_INCONCLUSIVE;
        memcpy(gate->why, gate->awaits, sizeof gate->why);
    }
    return end(gate);
}

/* A gate's record is a regular file: it is to be read again as the next one's baseline. */
static bool output_is_file(const char *path, struct reason *ret_reason)
{
    struct stat status;
    return path == NULL || stat(path, &status) != 0 || S_ISREG(status.st_mode) ||
           reason_set(ret_reason, REASON_INPUT, "%s: not a regular file", path);
}

static int begin(struct gate *gate)
{
    const struct options *options = gate->options;
    struct reason reason;
    gate->parts = output_is_file(options->record, &reason)
                      ? parts_open("gate", options, false, &gate->chosen, gate_part_names, &reason)
                      : NULL;
    if (gate->parts == NULL)
        return complain((int)reason_exit_status(&reason), reason.text);
    stop_catch_signals();
    session_choose("gate", options, &gate->chosen);
    const int status = carry_out(gate);
    return parts_close(gate->parts) ? status : EXIT_STATUS_HARNESS;
}

int gate_run(const struct options *options)
{
    struct options own = *options;
    struct gate *gate = heap_take(1, sizeof *gate);
    *gate = (struct gate){.options = &own,
                          .began_s = clock_now_s(),
                          .shown = {.options = &own},
                          .verdict = VERDICT_DECLINED};
    own.seed = own.given.seed ? own.seed : GATE_SEED;
    int status = EXIT_STATUS_USAGE;
    if (strchr(own.device, '+'))
        error_line("gate", "--device %s: a gate takes GPUs, and no set of them", own.device);
    else if (own.baseline == NULL || read_baseline(&own, &gate->old)) {
        gate->known = gate_known(&gate->old);
        own.known = own.baseline ? &gate->known : NULL;
        status = begin(gate);
    }
    gate_shown_close(&gate->shown);
    loaded_close(&gate->old);
    loaded_close(&gate->all);
    free(gate);
    return status;
}
