/* `assay help`: what there is to type, from the tables of commands and options. Clauses:
 * runner.help.everywhere, runner.options.table. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/output.h"
#include "conformance/base/verdict.h"
#include "conformance/command/commands.h"
#include "conformance/command/help.h"
#include "conformance/command/read_options.h"

static int help_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_help, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    const struct command *command = NULL;
    if (options.pattern_count > 0) {
        command = command_of_user("assay help", options.patterns[0]);
        if (command == NULL)
            return EXIT_STATUS_USAGE;
    }
    if (options.manual)
        manual_write(stdout);
    else if (options.completion)
        completion_write(stdout);
    else if (command)
        help_write_command(stdout, command);
    else
        help_write(stdout);
    return output_end("help", EXIT_STATUS_PASS);
}

const struct command command_help = {
    .name = "help",
    .words = "[COMMAND]",
    .words_max = 1,
    .summary = "show this text, or the options of one command in full",
    .run = help_main,
};
