/* `assay codegen`: the measure of machine code. */
#include "conformance/codegen/codegen.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/report/report_codegen.h"

static int codegen_main(int argc, char **argv)
{
    static const struct codegen_report *const reports[] = {[FORMAT_TEXT] = &codegen_report_text,
                                                           [FORMAT_TAP] = &codegen_report_tap,
                                                           [FORMAT_JSON] = NULL};
    struct options options;
    if (!options_read(&command_codegen, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    return measure_run(&codegen_measure, &options, reports[options.format]);
}

const struct command command_codegen = {
    .name = "codegen",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "hold registers, memory and code to their budgets; needs no GPU",
    .launches = true,
    .run = codegen_main,
};
