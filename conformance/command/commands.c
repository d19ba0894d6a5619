/* The list of commands, and what they share (commands.h). Clause: runner.device.path. */
#include "conformance/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/reason.h"
#include "conformance/base/verdict.h"
#include "conformance/command/read_options.h"
#include "conformance/work/device.h"

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

int command_end(const char *name, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "assay %s: standard output could not be written\n", name);
    return EXIT_STATUS_HARNESS;
}

int command_status(const struct options *options, int status)
{
    bool reached_verdict = status == EXIT_STATUS_FAIL || status == EXIT_STATUS_INCONCLUSIVE ||
                           status == EXIT_STATUS_NOTHING_RAN;
    return options->exit_zero && reached_verdict ? EXIT_STATUS_PASS : status;
}

int command_nothing(const char *name, const struct options *options, const char *why)
{
    if (options->format == FORMAT_TAP) {
        printf("1..0 # SKIP %s\n", why);
        return command_end(name, EXIT_STATUS_NOTHING_RAN);
    }
    fprintf(stderr, "assay %s: %s\n", name, why);
    return EXIT_STATUS_NOTHING_RAN;
}

bool command_output_is_free(const char *name, const char *output, const char *input)
{
    if (output == NULL || input == NULL || !file_same(output, input))
        return true;
    fprintf(stderr, "assay %s: -o %s: the command reads that file: name another file\n", name,
            output);
    return false;
}

bool command_has_path(const char *name, const struct options *options, int ordinal,
                      const char *line, int *ret_status)
{
    const char *path = path_name(options_first_path(options));
    bool is_named = false;
    for (int other = 0; other < PATH_HOST; other++)
        is_named = is_named || !options->paths[other];
    struct reason reason;
    if (!is_named || ordinal != DEVICE_ORDINAL_HOST)
        return true;
    if (strcmp(options->device, "host") == 0) {
        fprintf(stderr,
                "assay %s: --path %s is a path of a GPU, which --device host is not: leave one of "
                "them out\n",
                name, path);
        *ret_status = EXIT_STATUS_USAGE;
        return false;
    }
    reason_set(&reason, REASON_INPUT, "--path %s is a path of a GPU, and nothing is run on %s",
               path, line);
    *ret_status = command_nothing(name, options, reason.text);
    return false;
}
