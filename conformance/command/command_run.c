/* `assay run` and `assay replay`: the measure of bits. */
#include "conformance/bits/bits.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/programs/programs.h"
#include "conformance/report/report.h"
#include "conformance/report/report_programs.h"

/* Generated programs are a measure of their own. */
static int measure_programs(const struct measure *measure, struct options *options)
{
    static const struct programs_report *const reports[] = {[FORMAT_TEXT] = &programs_report_text,
                                                            [FORMAT_TAP] = &programs_report_tap,
                                                            [FORMAT_JSON] = NULL};
    return measure_run(measure, options, reports[options->format]);
}

static int measure_bits(const struct command *command, const struct measure *measure, int argc,
                        char **argv)
{
    static const struct run_report *const reports[] = {
        [FORMAT_TEXT] = &run_report_text, [FORMAT_TAP] = &run_report_tap, [FORMAT_JSON] = NULL};
    struct options options;
    if (!options_read(command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    if (options.programs)
        return measure_programs(&programs_measure, &options);
    if (measure == &bits_measure_replay && programs_is_case(options.patterns[0]))
        return measure_programs(&programs_measure_replay, &options);
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
