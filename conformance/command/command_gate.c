/* `assay gate`: whether this stack may go into service, against a baseline. */
#include "conformance/base/verdict.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/gate/gate.h"

static int gate_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_gate, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    return gate_run(&options);
}

const struct command command_gate = {
    .name = "gate",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "look at bits, machine code, programs and speed, and compare with a baseline",
    .launches = true,
    .run = gate_main,
};
