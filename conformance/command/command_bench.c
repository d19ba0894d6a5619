/* `assay bench`: the measure of speed. */
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/report/report_bench.h"
#include "conformance/speed/speed.h"

static int bench_main(int argc, char **argv)
{
    static const struct bench_report *const reports[] = {
        [FORMAT_TEXT] = &bench_report_text, [FORMAT_TAP] = &bench_report_tap, [FORMAT_JSON] = NULL};
    struct options options;
    if (!options_read(&command_bench, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    return measure_run(&speed_measure, &options, reports[options.format]);
}

const struct command command_bench = {
    .name = "bench",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "measure kernels against their floors",
    .launches = true,
    .run = bench_main,
};
