/* `assay floors`: the records of benches into a floor file. Clauses: bandwidth.floor.kind,
 * bandwidth.floor.sound. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/speed/floors_make.h"
#include "conformance/record/limit_file.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/base/file.h"
#include "conformance/base/verdict.h"

static int complain(int status, const char *why)
{
    fprintf(stderr, "assay floors: %s\n", why);
    return status;
}

static int write_floors(const json_t *root, const char *path)
{
    struct reason reason;
    size_t bytes = 0;
    char *text = limit_file_text(root, &bytes);
    if (text == NULL)
        return complain(EXIT_STATUS_HARNESS, "no memory for the floors");
    bool written = file_replace(path, text, bytes, &reason);
    free(text);
    return written ? EXIT_STATUS_PASS : complain(reason_exit_status(&reason), reason.text);
}

static int make_floors(const struct options *options, const struct floors *floors)
{
    struct floor_measurements measurements = {.accept_slow = options->accept_slow,
                                              .calls_only = options->host_calls};
    struct reason reason;
    json_t *root = NULL;
    int index = 0, status = EXIT_STATUS_USAGE;
    while (index < options->pattern_count &&
           floors_measure(&measurements, options->patterns[index], &reason))
        index++;
    if (index == options->pattern_count)
        root = floors_make(floors, &measurements, &reason);
    if (root)
        status = write_floors(root, options->record ? options->record : "-");
    else
        complain(status, reason.text);
    json_decref(root);
    floors_measurements_free(&measurements);
    return status;
}

static int floors_main(int argc, char **argv)
{
    struct options options;
    struct floors floors;
    struct reason reason;
    if (!options_read(&command_floors, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    /* The file of --floors is brought up to date in its place, whole or not at all. */
    for (int index = 0; index < options.pattern_count; index++)
        if (!options_output_is_free("floors", options.record, options.patterns[index]))
            return EXIT_STATUS_USAGE;
    if (!floors_open(options.floors, &floors, &reason))
        return complain(EXIT_STATUS_USAGE, reason.text);
    int status = make_floors(&options, &floors);
    floors_close(&floors);
    return status;
}

const struct command command_floors = {
    .name = "floors",
    .words = "RECORD...",
    .words_min = 1,
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "make floors from the records of benches",
    .run = floors_main,
};
