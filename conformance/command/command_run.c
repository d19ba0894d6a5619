/* `assay run` and `assay replay`: the measure of bits. */
#include "conformance/bits/bits.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/report/report.h"

static int measure_bits(const struct command *command, const struct measure *measure, int argc,
                        char **argv)
{
    static const struct run_report *const reports[] = {
        [FORMAT_TEXT] = &run_report_text, [FORMAT_TAP] = &run_report_tap, [FORMAT_JSON] = NULL};
    struct options options;
    if (!options_read(command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
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
