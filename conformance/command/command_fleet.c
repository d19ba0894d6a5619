/* `assay fleet`: the records of many machines at once, offline. Clauses: fleet.exit.status,
 * fleet.input.base, fleet.output.whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/fleet/fleet_judge.h"
#include "conformance/fleet/fleet_paths.h"
#include "conformance/fleet/fleet_read.h"
#include "conformance/fleet/fleet_write.h"
#include "conformance/record/record_fields.h"

static bool add_paths(struct fleet_paths *paths, const char *const *words, int count,
                      struct reason *ret_reason)
{
    bool good = true;
    for (int index = 0; good && index < count; index++)
        good = fleet_paths_add(paths, words[index], ret_reason);
    return good;
}

/* The output must be none of the files. */
static bool is_free(const struct options *options, const struct fleet_paths *paths)
{
    bool is_one = true;
    for (size_t index = 0; is_one && options->record && index < paths->count; index++)
        is_one = options_output_is_free("fleet", options->record, paths->each[index]);
    return is_one;
}

static int write_fleet(const struct command *command, const struct options *options,
                       const struct fleet *fleet)
{
    struct written written;
    written_open(&written);
    struct report report = {.file = written.file, .is_quiet = command_is_quiet(options)};
    fleet_write(&report, command_format(options), fleet);
    return command_output(command, options, &written,
                          (int)verdict_exit_status(fleet_verdict_of(fleet->verdict)));
}

/* A base that is not there, or not whole, is bad input: every machine would be compared with less.
 */
static bool is_base_whole(const struct fleet_table *table, struct reason *ret_reason)
{
    bool is_whole = true;
    for (size_t index = 0; is_whole && index < table->file_count; index++) {
        const struct fleet_file *file = &table->files[index];
        if (file->state == FLEET_FILE_UNREAD || file->state == FLEET_FILE_CUT)
            is_whole = reason_set(ret_reason, REASON_INPUT, "%s: %s", file->path, file->reason);
    }
    return is_whole;
}

/* Reads, judges and writes. */
static int show(const struct command *command, const struct options *options,
                const struct fleet_paths *bases, const struct fleet_paths *paths)
{
    struct fleet_table table;
    struct fleet fleet;
    struct reason reason;
    int status;
    fleet_table_open(&table);
    if (bases->count > 0)
        fleet_read(&table, bases->each, bases->count, true);
    if (!is_base_whole(&table, &reason)) {
        status = command_complain(command, (int)reason_exit_status(&reason), reason.text);
    } else {
        fleet_read(&table, paths->each, paths->count, false);
        fleet_judge(&fleet, &table);
        status = write_fleet(command, options, &fleet);
        fleet_judged_close(&fleet);
    }
    fleet_table_close(&table);
    return status;
}

int command_fleet(const struct command *command, struct options *options)
{
    struct fleet_paths bases = {.each = NULL}, paths = {.each = NULL};
    struct reason reason;
    int status = EXIT_STATUS_USAGE;
    if (!add_paths(&bases, options->bases.names, options->bases.count, &reason) ||
        !add_paths(&paths, options->patterns, options->pattern_count, &reason)) {
        status = command_complain(command, (int)reason_exit_status(&reason), reason.text);
    } else if (is_free(options, &bases) && is_free(options, &paths)) {
        status = show(command, options, &bases, &paths);
    }
    fleet_paths_close(&bases);
    fleet_paths_close(&paths);
    return status;
}
