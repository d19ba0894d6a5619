/* The list of commands, and what they share (commands.h). */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/verdict.h"

const struct command *const commands[] = {
    &command_run,    &command_replay, &command_mutants, &command_bench, &command_floors,
    &command_report, &command_list,   &command_info,    &command_help,
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

int command_status(const struct options *options, int status)
{
    bool reached_verdict = status == EXIT_STATUS_FAIL || status == EXIT_STATUS_INCONCLUSIVE ||
                           status == EXIT_STATUS_NOTHING_RAN;
    return options->exit_zero && reached_verdict ? EXIT_STATUS_PASS : status;
}

bool command_output_is_free(const char *name, const char *output, const char *input)
{
    if (output == NULL || input == NULL || !file_same(output, input))
        return true;
    fprintf(stderr, "assay %s: -o %s: the command reads that file: name another file\n", name,
            output);
    return false;
}
