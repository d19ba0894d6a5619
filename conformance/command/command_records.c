/* `assay floors`, `report`, `compare` and `merge`: what is made of records, offline. The status of
 * the last three is that of the verdict. Clauses: compare.exit.status, compare.input.two,
 * compare.output.whole, report.exit.status, report.output.whole, bandwidth.floor.kind,
 * bandwidth.floor.sound. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/compare/comparison.h"
#include "conformance/fleet/fleet_paths.h"
#include "conformance/merge/merge.h"
#include "conformance/record/limit_file.h"
#include "conformance/report/reporter.h"
#include "conformance/report/terminal.h"
#include "conformance/speed/floors.h"

int command_floors(const struct command *command, struct options *options)
{
    struct floors floors;
    struct reason reason;
    /* The file of --floors is brought up to date in its place, whole or not at all. */
    for (int index = 0; index < options->pattern_count; index++)
        if (!options_output_is_free("floors", options->record, options->patterns[index]))
            return EXIT_STATUS_USAGE;
    if (!floors_open(options->floors, &floors, &reason))
        return command_complain(command, EXIT_STATUS_USAGE, reason.text);
    struct floor_measurements measurements = {.accept_slow = options->accept_slow,
                                              .calls_only = options->host_calls};
    json_t *root = NULL;
    int index = 0;
    while (index < options->pattern_count &&
           floors_measure(&measurements, options->patterns[index], &reason))
        index++;
    if (index == options->pattern_count)
        root = floors_make(&floors, &measurements, &reason);
    floors_measurements_free(&measurements);
    floors_close(&floors);
    if (root == NULL)
        return command_complain(command, EXIT_STATUS_USAGE, reason.text);
    size_t bytes = 0;
    char *text = limit_file_text(root, &bytes);
    json_decref(root);
    const bool written =
        file_replace(options->record ? options->record : "-", text, bytes, &reason);
    free(text);
    return written ? EXIT_STATUS_PASS
                   : command_complain(command, (int)reason_exit_status(&reason), reason.text);
}

/* Loads every record on the line and returns what `use` returns of them; or bad usage or input: a
 * line has said what. */
static int with_records(const struct command *command, const struct options *options,
                        int (*use)(const struct command *command, struct loaded *loaded,
                                   const struct options *options))
{
    struct loaded *loaded = heap_take(1, sizeof *loaded);
    struct reason reason;
    int status = EXIT_STATUS_PASS;
    for (int index = 0; status == EXIT_STATUS_PASS && index < options->pattern_count; index++) {
        const char *path = options->patterns[index];
        if (!options_output_is_free(command->name, options->record, path))
            status = EXIT_STATUS_USAGE;
        else if (!loaded_add(loaded, path, &reason))
            status = command_complain(command, (int)reason_exit_status(&reason), reason.text);
    }
    if (status == EXIT_STATUS_PASS)
        status = use(command, loaded, options);
    loaded_close(loaded);
    free(loaded);
    return status;
}

/* Several files are compared with each other, as `compare` does. */
static int write_report(const struct command *command, struct loaded *loaded,
                        const struct options *options)
{
    const char *path = options->record;
    const enum output_format format =
        path && !options->given.format ? FORMAT_PAGE : (enum output_format)options->format;
    struct report report = {.unicode = path != NULL || terminal_unicode(),
                            .is_quiet = options->quiet};
    struct document document;
    struct written written;
    comparison_of_files(loaded);
    loaded->names_known = options->verbose && format != FORMAT_PAGE; /* it has them at its end */
    written_open(&written);
    report.file = written.file;
    document_open(&document, loaded);
    reporters[format]->end(&report, &document);
    const int status = (int)verdict_exit_status(document.verdict);
    document_close(&document);
    return command_output(command, options, &written, status);
}

int command_report(const struct command *command, struct options *options)
{
    const bool is_page = !options->given.format || options->format == FORMAT_PAGE;
    if (options->record && is_page && !command_is_page(options->record))
        return command_complain(command, EXIT_STATUS_USAGE,
                                "-o: a page's name ends in .html or .htm; for another format name "
                                "it, such as --format junit");
    return with_records(command, options, write_report);
}

static int write_comparison(const struct command *command, struct loaded *loaded,
                            const struct options *options)
{
    struct written written;
    written_open(&written);
    struct report report = {.file = written.file, .is_quiet = command_is_quiet(options)};
    const enum change change = comparison_report(&report, command_format(options), loaded);
    return command_output(command, options, &written,
                          (int)verdict_exit_status(change_verdict(change)));
}

static int write_merge(const struct command *command, const struct options *options,
                       const struct merge *merge)
{
    struct written written;
    written_open(&written);
    struct report report = {.file = written.file, .is_quiet = command_is_quiet(options)};
    merge_write(&report, command_format(options), merge);
    return command_output(command, options, &written, (int)verdict_exit_status(merge->verdict));
}

int command_merge(const struct command *command, struct options *options)
{
    struct merge *merge = merge_open();
    struct fleet_paths paths = {.each = NULL};
    struct reason reason;
    int status = EXIT_STATUS_USAGE;
    bool good = true, is_free = true;
    for (int index = 0; good && index < options->pattern_count; index++)
        good = fleet_paths_add(&paths, options->patterns[index], &reason);
    for (size_t index = 0; good && is_free && index < paths.count; index++) {
        is_free = options_output_is_free("merge", options->record, paths.each[index]);
        if (is_free)
            merge_add(merge, paths.each[index]);
    }
    if (!good || (is_free && !merge_judge(merge, &reason)))
        command_complain(command, status, reason.text);
    else if (is_free)
        status = write_merge(command, options, merge);
    merge_close(merge);
    fleet_paths_close(&paths);
    return status;
}

int command_compare(const struct command *command, struct options *options)
{
    if (options->pattern_count > 2)
        return command_complain(
            command, EXIT_STATUS_USAGE,
            "it compares two files; for more: assay fleet --baseline BASE NEW...");
    return with_records(command, options, write_comparison);
}
