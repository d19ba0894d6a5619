/* The list of commands, and what they share (commands.h). */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/spelling.h"

const struct command *const commands[] = {
    &command_run,     &command_replay, &command_mutants, &command_bench,
    &command_codegen, &command_gate,   &command_floors,  &command_report,
    &command_compare, &command_list,   &command_info,    &command_help,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };
const int command_count = COMMAND_COUNT;

const struct command *command_find(const char *name)
{
    for (int index = 0; index < COMMAND_COUNT; index++)
        if (strcmp(commands[index]->name, name) == 0)
            return commands[index];
    return NULL;
}

const struct command *command_of_user(const char *who, const char *name)
{
    const struct command *command = command_find(name);
    char hint[SPELLING_HINT_BYTES];
    struct spelling spelling;
    if (command)
        return command;
    spelling_begin(&spelling, name);
    for (int index = 0; index < COMMAND_COUNT; index++)
        spelling_try(&spelling, commands[index]->name);
    fprintf(stderr, "%s: unknown command '%s'%s `assay help` lists them\n", who, name,
            spelling_hint(&spelling, "", hint)[0] ? hint : ";");
    return NULL;
}
