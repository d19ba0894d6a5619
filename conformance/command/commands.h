/* The commands of the program, a file each, and what they have in common. */
#ifndef ASSAY_CONFORMANCE_COMMAND_COMMANDS_H
#define ASSAY_CONFORMANCE_COMMAND_COMMANDS_H

#include "conformance/command/command.h"
#include "conformance/session/options.h"

extern const struct command command_run, command_replay, command_mutants, command_bench,
    command_floors, command_report, command_list, command_info, command_help;

/* All of them, in the order of the help. */
extern const struct command *const commands[];
extern const int command_count;

/* NULL where there is none of that name. */
const struct command *command_find(const char *name);

/* What main returns for a command that came to `status`: 0 in place of 1, 3 and 77 where
 * --exit-zero asks for it, as the lines say the verdict. */
int command_status(const struct options *options, int status);

/* False where `output` is the file `input` too, which it would overwrite: one line has said so
 * (runner.output.input). Either may be NULL. */
bool command_output_is_free(const char *name, const char *output, const char *input);

#endif
