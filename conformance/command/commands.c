/* The table of commands (commands.h). */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"

/* Name, words beside options, the fewest and the most of them, summary, whether kernels are
 * launched, function. */
const struct command commands[] = {
    {"run", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX, "check kernels against the golden model", true,
     command_run},
    {"replay", "'CASE' [PATTERN...]", 1, OPTIONS_PATTERNS_MAX, "check one case again", true,
     command_run},
    {"mutants", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX,
     "show that deliberately wrong kernels are caught", true, command_mutants},
    {"bench", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX, "measure kernels against their floors", true,
     command_bench},
    {"codegen", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX,
     "check registers, memory and code against budgets; needs no GPU", true, command_codegen},
    {"gate", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX,
     "check bits, machine code, programs and speed, and compare with a baseline", true,
     command_gate},
    {"floors", "RECORD...", 1, OPTIONS_PATTERNS_MAX, "make floors from the records of benches",
     false, command_floors},
    {"report", "RECORD...", 1, OPTIONS_PATTERNS_MAX, "summarize records; -o FILE.html: as a page",
     false, command_report},
    {"compare", "BASE NEW...", 2, OPTIONS_PATTERNS_MAX,
     "compare records, before and after an upgrade", false, command_compare},
    {"list", "[PATTERN...]", 0, OPTIONS_PATTERNS_MAX, "show kernels, algorithms and fills", false,
     command_list},
    {"info", "", 0, 0, "show the build and the devices", false, command_info},
    {"help", "[COMMAND]", 0, 1, "show this text, or the options of one command in full", false,
     command_help},
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
