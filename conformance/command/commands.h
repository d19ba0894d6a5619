/* The commands of the program, a file each, and what they have in common. */
#ifndef ASSAY_CONFORMANCE_COMMAND_COMMANDS_H
#define ASSAY_CONFORMANCE_COMMAND_COMMANDS_H

#include "conformance/command/command.h"
#include "conformance/session/options.h"

extern const struct command command_run, command_replay, command_mutants, command_bench,
    command_codegen, command_gate, command_floors, command_report, command_compare, command_list,
    command_info, command_help;

/* All of them, in the order of the help. */
extern const struct command *const commands[];
extern const int command_count;

/* NULL if there is none of that name. */
const struct command *command_find(const char *name);

/* The same for a word that a user typed: without a command of that name a line on stderr says so,
 * and which command may have been meant. `who` begins the line: "assay". */
const struct command *command_of_user(const char *who, const char *name);

#endif
