/* `assay run`, `replay`, `bench`, `codegen` and `gate`: what is asked of the stack. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/compare/comparison.h"
#include "conformance/command/commands.h"
#include "conformance/gate/gate.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs.h"
#include "conformance/report/gaps.h"
#include "conformance/report/report.h"
#include "conformance/speed/bench.h"

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

int command_run(const struct command *command, struct options *options)
{
    const bool runs_programs = options->programs > 0 || options->operations;
    if (!options_fit(command, options, runs_programs))
        return EXIT_STATUS_USAGE;
    if (!programs_are_due(options))
        options->gaps = gaps_line;
    if (runs_programs) /* a measure of their own */
        return measure_run(&programs_measure, options, report_programs[options->format]);
    if (!programs_are_due(options))
        return measure_run(&bits_measure, options, report_run[options->format]);
    /* Kernels and programs have the same devices, chosen once. */
    struct probe_choice *chosen = heap_take(1, sizeof *chosen);
    session_choose(command->name, options, chosen);
    options->chosen = chosen;
    struct options own = *options;
    own.gaps = gaps_line; /* of both, once */
    int status;
    if (!chosen->is_made || device_kind(&chosen->devices[0])->is_emulated) {
        status = measure_run(&bits_measure, &own, report_run[own.format]);
    } else {
        struct programs_concurrent concurrent;
        struct token opened;
        char why[FINDING_NOTE_BYTES] = "";
        const bool is_after = probe_is_exclusive(chosen); /* the GPU opens for one at a time */
        /* Workers of programs start again and again: meanwhile those of the kernels took 24 s to
         * open four GPUs. */
        const bool waits = !is_after && token_open(&opened);
        own.goes_on = true;
        own.exit_zero = false;
        own.why = why;
        own.opened = options->token = waits ? &opened : NULL;
        if (!is_after)
            programs_concurrent_begin(&concurrent, options, report_programs[options->format]);
        options->token = NULL;
        status = measure_run(&bits_measure, &own, report_run[own.format]);
        if (waits)
            token_close(&opened);
        if (is_after)
            programs_concurrent_begin(&concurrent, options, report_programs[options->format]);
        status =
            options_status(options, programs_concurrent_end(&concurrent, options, status, why));
    }
    options->chosen = NULL;
    free(chosen);
    return status;
}

int command_replay(const struct command *command, struct options *options)
{
    const bool is_program = program_text_is(options->patterns[0]);
    if (!options_fit(command, options, is_program))
        return EXIT_STATUS_USAGE;
    return is_program
               ? measure_run(&programs_measure_replay, options, report_programs[options->format])
               : measure_run(&bits_measure_replay, options, report_run[options->format]);
}

int command_bench(const struct command *command, struct options *options)
{
    (void)command;
    return measure_run(&speed_measure, options, report_bench[options->format]);
}

int command_codegen(const struct command *command, struct options *options)
{
    const struct session_report *shown = report_codegen[options->format];
    struct session_report report = shown ? *shown : (struct session_report){.begin = NULL};
    (void)command;
    report.compare = comparison_against;
    return measure_run(&codegen_measure, options, &report);
}

int command_gate(const struct command *command, struct options *options)
{
    (void)command;
    options->gaps = gaps_line;
    return gate_run(options);
}
