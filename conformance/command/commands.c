/* The table of commands (commands.h). */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/host.h"
#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"

#define COMMAND(id, ...) {#id, __VA_ARGS__},
const struct command commands[] = {
#include "conformance/command/commands.def"
};
#undef COMMAND
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
    error_line(command->name, "%s", why);
    return status;
}

enum output_format command_format(const struct options *options)
{
    const bool is_page = !options->given.format && options->record &&
                         strrchr(options->record, '.') && command_is_page(options->record);
    return is_page ? FORMAT_PAGE : (enum output_format)options->format;
}

bool command_is_quiet(const struct options *options)
{
    return options->quiet && options->record == NULL;
}

int command_output(const struct command *command, const struct options *options,
                   struct written *written, int status)
{
    struct reason reason;
    char *text = written_close(written);
    if (options->record && !file_replace(options->record, text, written->bytes, &reason))
        status = command_complain(command, (int)reason_exit_status(&reason), reason.text);
    else if (!options->record) {
        fwrite(text, 1, written->bytes, stdout);
        status = output_end(command->name, status);
    }
    free(text);
    return status;
}

bool command_is_page(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash + 1 : path, '.');
    return dot == NULL || strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0;
}
