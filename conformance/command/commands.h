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

/* What a command that wrote to standard output ends with: `status`, or the harness's failure,
 * reported in a line, where that could not be written. */
int command_end(const char *name, int status);

/* What main returns for a command that came to `status`: 0 in place of 1, 3 and 77 where
 * --exit-zero asks for it, as the lines say the verdict. */
int command_status(const struct options *options, int status);

/* What a command ends with that has nothing to run: one line has said why. */
int command_nothing(const char *name, const struct options *options, const char *why);

/* False where `output` is the file `input` too, which it would overwrite: one line has said so
 * (runner.output.input). Either may be NULL. */
bool command_output_is_free(const char *name, const char *output, const char *input);

/* False where the options name one code path of a GPU, and the device, of which `line` tells, is
 * the host device (runner.device.path): one line has said why, and *ret_status is what the command
 * ends with. */
bool command_has_path(const char *name, const struct options *options, int ordinal,
                      const char *line, int *ret_status);

#endif
