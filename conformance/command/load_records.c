/* Loads the records that a command names (load_records.h). */
#include "conformance/command/load_records.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/base/reason.h"
#include "conformance/base/verdict.h"
#include "conformance/command/read_options.h"

int load_complain(const struct command *command, int status, const char *why)
{
    fprintf(stderr, "assay %s: %s\n", command->name, why);
    return status;
}

static int load_all(const struct command *command, const struct options *options,
                    struct loaded *ret)
{
    struct reason reason;
    for (int index = 0; index < options->pattern_count; index++) {
        const char *path = options->patterns[index];
        if (!options_output_is_free(command->name, options->record, path))
            return EXIT_STATUS_USAGE;
        if (!loaded_add(ret, path, &reason))
            return load_complain(command, ret->failed ? EXIT_STATUS_HARNESS : EXIT_STATUS_USAGE,
                                 reason.text);
    }
    return EXIT_STATUS_PASS;
}

int load_records(const struct command *command, int argc, char **argv,
                 int (*use)(const struct loaded *loaded, const struct options *options))
{
    struct options options;
    if (!options_read(command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return load_complain(command, EXIT_STATUS_HARNESS, "no memory");
    int status = load_all(command, &options, loaded);
    if (status == EXIT_STATUS_PASS)
        status = use(loaded, &options);
    loaded_close(loaded);
    free(loaded);
    return status;
}
