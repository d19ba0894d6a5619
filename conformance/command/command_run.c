/* `assay run` and `assay replay`: the measure of bits. */
#include <stdio.h>

#include "conformance/bits/bits.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs.h"
#include "conformance/report/report.h"
#include "conformance/report/report_programs.h"

static const struct programs_report *const programs_reports[] = {
    [FORMAT_TEXT] = &programs_report_text,
    [FORMAT_TAP] = &programs_report_tap,
    [FORMAT_JSON] = NULL};

/* Kernels, and programs beside them. */
static int measure_both(const struct measure *measure, const struct options *options,
                        const struct run_report *report)
{
    struct programs_beside beside;
    struct options own = *options;
    own.goes_on = true;
    own.exit_zero = false;
    programs_beside_begin(&beside, options, programs_reports[options->format]);
    const int status = measure_run(measure, &own, report);
    return options_status(options, programs_beside_end(&beside, options, status));
}

/* Generated programs are a measure of their own. */
static int measure_programs(const struct measure *measure, struct options *options)
{
    return measure_run(measure, options, programs_reports[options->format]);
}

/* False, with a line, for an option that would change nothing: one of generated programs where
 * kernels run, or the other way round. */
static bool options_fit(const struct command *command, const struct options *options,
                        bool runs_programs)
{
    const struct {
        bool is_given, is_of_programs;
        const char *name;
    } rows[] = {
        {options->strict, true, "strict"},     {options->known_list != NULL, true, "known"},
        {options->triggers, true, "triggers"}, {options->artifacts != NULL, true, "artifacts"},
        {options->cases > 0, false, "cases"},  {options->resume != NULL, false, "resume"}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        if (!rows[index].is_given || rows[index].is_of_programs == runs_programs ||
            (rows[index].is_of_programs && programs_are_due(options)))
            continue;
        fprintf(stderr, "assay %s: --%s applies only to %s\n", command->name, rows[index].name,
                runs_programs ? "kernels" : "generated programs");
        return false;
    }
    return true;
}

static int measure_bits(const struct command *command, const struct measure *measure, int argc,
                        char **argv)
{
    static const struct run_report *const reports[] = {
        [FORMAT_TEXT] = &run_report_text, [FORMAT_TAP] = &run_report_tap, [FORMAT_JSON] = NULL};
    struct options options;
    if (!options_read(command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    const bool is_replay = measure == &bits_measure_replay;
    const bool runs_programs = options.programs > 0 || options.operations ||
                               (is_replay && program_text_is(options.patterns[0]));
    if (!options_fit(command, &options, runs_programs))
        return EXIT_STATUS_USAGE;
    if (runs_programs)
        return measure_programs(is_replay ? &programs_measure_replay : &programs_measure, &options);
    if (!is_replay && programs_are_due(&options))
        return measure_both(measure, &options, reports[options.format]);
    return measure_run(measure, &options, reports[options.format]);
}

static int run_main(int argc, char **argv)
{
    return measure_bits(&command_run, &bits_measure, argc, argv);
}

const struct command command_run = {
    .name = "run",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "check kernels against the golden model",
    .launches = true,
    .run = run_main,
};

static int replay_main(int argc, char **argv)
{
    return measure_bits(&command_replay, &bits_measure_replay, argc, argv);
}

const struct command command_replay = {
    .name = "replay",
    .words = "'CASE' [PATTERN...]",
    .words_min = 1,
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "check one case again",
    .launches = true,
    .run = replay_main,
};
