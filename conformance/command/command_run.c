/* `assay run` and `replay`: the bits of kernels, and of generated programs. Clauses:
 * program_runs.tiers.concurrent, program_runs.tiers.deep, program_runs.tiers.joined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/bits/run.h"
#include "conformance/command/commands.h"
#include "conformance/command/gaps_made.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs.h"
#include "conformance/report/live.h"
#include "conformance/session/parts.h"

/* False, with a line, for an option that would change nothing: one of generated programs where
 * kernels run, or the other way round. */
static bool options_fit(const struct command *command, const struct options *options,
                        bool runs_programs)
{
    const struct {
        bool is_given, is_of_programs;
        const char *name;
    } rows[] = {{options->strict, true, "strict"},
                {options->verbose, true, "verbose"},
                {options->known_list != NULL, true, "known"},
                {options->triggers, true, "triggers"},
                {options->artifacts != NULL, true, "artifacts"},
                {options->cases > 0, false, "cases"},
                {options->after.count > 0, false, "after"},
                {options->corpus != NULL, false, "corpus"}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        if (!rows[index].is_given || rows[index].is_of_programs == runs_programs ||
            (rows[index].is_of_programs && programs_are_due(options)))
            continue;
        return error_line(command->name, "--%s applies only to %s", rows[index].name,
                          runs_programs ? "kernels" : "generated programs");
    }
    return true;
}

/* The parts of a run. */
enum { KERNELS, PROGRAMS, RUN_PARTS };
static const char *const part_names[] = {[KERNELS] = "kernels", [PROGRAMS] = "programs", NULL};

/* The result of a part. */
struct ended {
    enum verdict verdict;
    const char *why;
    bool awaits_merge; /* a shard's, of which nothing is undecided */
};

/* A part that had nothing to check, or that ended otherwise than its record says, has no verdict of
 * its own. */
static struct ended ended_of(const struct session_part *part, enum exit_status status)
{
    struct ended ret = {part->verdict, part->why, part->awaits_merge};
    if (status == EXIT_STATUS_NOTHING_RAN && !part->has_record)
        ret.verdict = VERDICT_SKIP;
    else if (part->verdict == VERDICT_COUNT)
        ret = (struct ended){VERDICT_ERROR, "it ended before its record was whole", false};
    else if (status != verdict_exit_status(part->verdict))
        ret = (struct ended){VERDICT_ERROR, "its exit status is not what its record says", false};
    return ret;
}

/* The verdict of both. A shard awaits its merge if each of its parts passes or does. */
static enum verdict join_parts(const struct ended ended[RUN_PARTS], bool *ret_awaits_merge)
{
    enum verdict joined = VERDICT_DECLINED, without = VERDICT_DECLINED;
    for (int part = 0; part < RUN_PARTS; part++) {
        const bool awaits_merge = ended[part].awaits_merge;
        joined = verdict_join(joined, ended[part].verdict);
        without = verdict_join(without, awaits_merge ? VERDICT_PASS : ended[part].verdict);
    }
    *ret_awaits_merge = joined == VERDICT_INCONCLUSIVE && without == VERDICT_PASS;
    return verdict_of_whole(joined);
}

/* The line of both parts. */
static const struct line *joined_line(const struct parts *parts, enum verdict joined,
                                      bool awaits_merge, const struct ended ended[RUN_PARTS],
                                      double seconds, struct zone *zone)
{
    struct line_gate_part *each = zone_take(zone, RUN_PARTS * sizeof *each);
    const char *reason = "";
    for (int part = 0; part < RUN_PARTS; part++) {
        each[part] = (struct line_gate_part){
            .part = part_names[part], .verdict = ended[part].verdict, .note = ended[part].why};
        if (reason[0] == 0 && ended[part].verdict == joined)
            reason = ended[part].why;
    }
    if (parts->error[0]) {
        char *why = zone_take(zone, FINDING_NOTE_BYTES);
        snprintf(why, FINDING_NOTE_BYTES, "the record cannot be written: %.200s", parts->error);
        joined = VERDICT_ERROR;
        reason = why;
    }
    return LINE(zone, gate, .verdict = joined, .reason = reason,
                .exit_status = verdict_exit_status(joined), .awaits_merge = awaits_merge,
                .seconds = seconds, .parts = {each, RUN_PARTS});
}

/* Ends the file with the verdict of both, and shows it. */
static enum verdict write_joined(struct parts *parts, struct live *live,
                                 const struct ended ended[RUN_PARTS], double seconds)
{
    struct zone zone = {.blocks = NULL};
    bool awaits_merge;
    const enum verdict joined = join_parts(ended, &awaits_merge);
    const struct session_sink *sink = live_sink(live);
    if (parts->each[KERNELS].has_record || parts->each[PROGRAMS].has_record)
        parts_write(parts, joined_line(parts, joined, awaits_merge, ended, seconds, &zone));
    if (sink) /* again: the file may have failed */
        sink->line(sink->context, joined_line(parts, joined, awaits_merge, ended, seconds, &zone));
    zone_free(&zone);
    return parts->error[0] ? VERDICT_ERROR : joined;
}

/* Shows the lines of both parts, in their order. */
static void take_line(void *live, const struct session_part *part, const struct record_entry *entry)
{
    (void)part;
    live_entry(live, entry);
}

static void take_progress(void *live, const struct session_progress *progress)
{
    const struct session_sink *sink = live_sink(live);
    if (sink)
        sink->progress(sink->context, progress);
}

/* Kernels and programs at once. */
static int run_both(const struct command *command, struct options *options,
                    const struct probe_choice *chosen)
{
    struct reason reason;
    struct ended ended[RUN_PARTS];
    enum exit_status status[RUN_PARTS];
    const double began_s = clock_now_s();
    struct parts *parts = parts_open(command->name, options, options->format == FORMAT_JSON, chosen,
                                     part_names, &reason);
    if (parts == NULL) {
        error_line(command->name, "%s", reason.text);
        return EXIT_STATUS_USAGE;
    }
    struct live *live = live_of(command->name, options, NULL);
    stop_catch_signals();
    parts->are_at_once = !probe_is_exclusive(chosen);
    parts->take = take_line;
    parts->progress = take_progress;
    parts->context = live;
    struct session_part *bits = parts_add(parts, part_names[KERNELS], &bits_measure, options);
    struct session_part *programs =
        parts_add(parts, part_names[PROGRAMS], &programs_measure, options);
    bits->options.gaps = gaps_line; /* of both, once */
    programs_take_tier(&programs->options);
    programs->options.operations = options->tier != TIER_SMOKE;
    parts_begin(parts);
    status[KERNELS] = parts_end(parts, bits);
    if (status[KERNELS] == EXIT_STATUS_USAGE) {
        parts_abandon(parts);
        return live_end(live, parts_close(parts) ? EXIT_STATUS_USAGE : EXIT_STATUS_HARNESS);
    }
    if (options->tier == TIER_DEEP && options->time_s <= 0) /* they are endless */
        parts_stop(programs);
    status[PROGRAMS] = parts_end(parts, programs);
    ended[KERNELS] = ended_of(bits, status[KERNELS]);
    ended[PROGRAMS] = ended_of(programs, status[PROGRAMS]);
    const enum verdict joined = write_joined(parts, live, ended, clock_now_s() - began_s);
    return live_end(live,
                    parts_close(parts) ? (int)verdict_exit_status(joined) : EXIT_STATUS_HARNESS);
}

/* One measure, alone. */
static int run_one(const struct command *command, const struct measure *measure,
                   struct options *options)
{
    struct live *live = live_of(command->name, options, NULL);
    return live_end(live, measure_run(measure, options, live_sink(live)));
}

int command_run(const struct command *command, struct options *options)
{
    const bool runs_programs = options->programs > 0 || options->operations;
    if (!options_fit(command, options, runs_programs))
        return EXIT_STATUS_USAGE;
    if (options->shard.count > 0 && options->tier == TIER_DEEP) {
        error_line(command->name,
                   "--shard divides a plan that ends: it conflicts with --tier deep");
        return EXIT_STATUS_USAGE;
    }
    if (options->shard.count > 0 && !options->given.seed)
        options->seed = SHARD_SEED;
    if (runs_programs) /* a measure of their own */
        return run_one(command, &programs_measure, options);
    if (!programs_are_due(options)) {
        options->gaps = gaps_line;
        return run_one(command, &bits_measure, options);
    }
    /* Kernels and programs have the same devices, chosen once. */
    struct probe_choice *chosen = heap_take(1, sizeof *chosen);
    session_choose(command->name, options, chosen);
    int status;
    if (chosen->is_made && !device_kind(&chosen->devices[0])->is_emulated) {
        status =
            output_end(command->name, options_status(options, run_both(command, options, chosen)));
    } else {
        options->gaps = gaps_line;
        options->chosen = chosen;
        status = run_one(command, &bits_measure, options);
        options->chosen = NULL;
    }
    free(chosen);
    return status;
}

int command_replay(const struct command *command, struct options *options)
{
    const bool is_program = program_text_is(options->patterns[0]);
    if (!options_fit(command, options, is_program))
        return EXIT_STATUS_USAGE;
    return is_program ? run_one(command, &programs_measure_replay, options)
                      : run_one(command, &bits_measure_replay, options);
}
