/* The table of commands (commands.h). */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"

const struct command commands[] = {
    {
        .name = "run",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "check kernels against the golden model",
        .launches = true,
        .run = command_run,
    },
    {
        .name = "replay",
        .words = "'CASE' [PATTERN...]",
        .words_min = 1,
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "check one case again",
        .launches = true,
        .run = command_run,
    },
    {
        .name = "mutants",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "show that kernels that are wrong on purpose are caught",
        .launches = true,
        .run = command_mutants,
    },
    {
        .name = "bench",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "measure kernels against their floors",
        .launches = true,
        .run = command_bench,
    },
    {
        .name = "codegen",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "hold registers, memory and code to their budgets; needs no GPU",
        .launches = true,
        .run = command_codegen,
    },
    {
        .name = "gate",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "check bits, machine code, programs and speed, and compare with a baseline",
        .launches = true,
        .run = command_gate,
    },
    {
        .name = "floors",
        .words = "RECORD...",
        .words_min = 1,
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "make floors from the records of benches",
        .run = command_floors,
    },
    {
        .name = "report",
        .words = "RECORD...",
        .words_min = 1,
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "summarize records; -o FILE.html: as a page",
        .run = command_report,
    },
    {
        .name = "compare",
        .words = "BASE NEW...",
        .words_min = 2,
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "compare records, before and after an upgrade",
        .run = command_compare,
    },
    {
        .name = "list",
        .words = "[PATTERN...]",
        .words_max = OPTIONS_PATTERNS_MAX,
        .summary = "show kernels, algorithms and fills",
        .run = command_list,
    },
    {
        .name = "info",
        .words = "",
        .summary = "show the build and the devices",
        .run = command_info,
    },
    {
        .name = "help",
        .words = "[COMMAND]",
        .words_max = 1,
        .summary = "show this text, or the options of one command in full",
        .run = command_help,
    },
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };
const int command_count = COMMAND_COUNT;

const struct command *command_find(const char *name)
{
    for (int index = 0; index < COMMAND_COUNT; index++)
        if (strcmp(commands[index].name, name) == 0)
            return &commands[index];
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
        spelling_try(&spelling, commands[index].name);
    fprintf(stderr, "%s: unknown command '%s'%s `assay help` lists them\n", who, name,
            spelling_hint(&spelling, "", hint)[0] ? hint : ";");
    return NULL;
}

int command_complain(const struct command *command, int status, const char *why)
{
    fprintf(stderr, "assay %s: %s\n", command->name, why);
    return status;
}
