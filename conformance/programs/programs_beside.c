/* Programs beside kernels (programs_beside.h). Clauses: program_runs.tiers.beside,
 * program_runs.tiers.none. */
#include "conformance/programs/programs_beside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/base/stop.h"
#include "conformance/programs/programs.h"
#include "conformance/programs/programs_tier.h"
#include "conformance/session/tap_lines.h"

bool programs_are_due(const struct options *options)
{
    return programs_of_tier((enum tier)options->tier) > 0 && !options->given.programs &&
           options->cases == 0 && options->resume == NULL && strcmp(options->device, "host") != 0 &&
           programs_left_out(options) == NULL;
}

/* It ends in order when the run does, and with the run when that is killed. */
static void take(const struct programs_beside *beside, const struct options *options,
                 const struct programs_report *report)
{
    struct options own = *options;
    programs_take_tier(&own);
    own.operations = own.tier != TIER_SMOKE;
    own.record = own.record ? beside->record : NULL;
    own.goes_on = true;
    own.exit_zero = false;
    if (dup2(beside->fds[1], STDOUT_FILENO) < 0 || dup2(beside->fds[2], STDERR_FILENO) < 0)
        _exit(EXIT_STATUS_HARNESS);
    const int status = measure_run(&programs_measure, &own, report);
    fflush(NULL);
    _exit(status);
}

void programs_beside_begin(struct programs_beside *ret, const struct options *options,
                           const struct programs_report *report)
{
    *ret = (struct programs_beside){.fds = {-1, -1, -1}};
    ret->is_apart =
        options->tier == TIER_DEEP && options->record && strcmp(options->record, "-") != 0;
    if (ret->is_apart)
        snprintf(ret->record, sizeof ret->record, "%s.programs", options->record);
    if ((!ret->is_apart && (ret->fds[0] = file_anonymous(ret->record)) < 0) ||
        (ret->fds[1] = file_anonymous(ret->output)) < 0 ||
        (ret->fds[2] = file_anonymous(ret->messages)) < 0) {
        fprintf(stderr, "assay run: %s: generated programs are not run\n", strerror(errno));
        return;
    }
    fflush(NULL);
    ret->pid = process_fork(PROCESS_PART);
    if (ret->pid == 0)
        take(ret, options, report);
}

/* True where there is something in the file. Lines of TAP have a number of the whole run's. */
static bool show(const char *path, FILE *output, const struct options *options)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t bytes = 0, count = 0;
    while (file && getline(&line, &bytes, file) > 0) {
        if (strncmp(line, "1..", 3) == 0) /* that there is nothing to do */
            continue;
        if (count++ == 0 && output == stdout && options->format == FORMAT_TEXT)
            printf("\n");
        if (options->format != FORMAT_TAP || output != stdout || !tap_again(line))
            fputs(line, output);
    }
    free(line);
    if (file)
        fclose(file);
    return count > 0;
}

static bool append(const char *from, const char *to)
{
    struct reason reason;
    const bool good = file_append(from, to, &reason);
    if (!good)
        fprintf(stderr, "assay run: %s\n", reason.text);
    return good;
}

static enum verdict verdict_of(int status)
{
    static const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONCLUSIVE,
                                            VERDICT_SKIP};
    for (size_t index = 0; index < sizeof verdicts / sizeof verdicts[0]; index++)
        if ((int)verdict_exit_status(verdicts[index]) == status)
            return verdicts[index];
    return VERDICT_ERROR;
}

/* Both have said what they came to: the last line is of both. */
static int join(const struct options *options, int first, int programs)
{
    const enum verdict left = verdict_of(first), right = verdict_of(programs);
    const enum verdict joined = verdict_join(left, right);
    if (options->format == FORMAT_TEXT)
        printf("\n%s  kernels %s, generated programs %s\n", verdict_name(joined),
               verdict_name(left), verdict_name(right));
    return (int)verdict_exit_status(joined);
}

int programs_beside_end(struct programs_beside *beside, const struct options *options, int status)
{
    const bool is_lost = status == EXIT_STATUS_USAGE || status == EXIT_STATUS_HARNESS;
    const bool is_ended = options->tier == TIER_DEEP && options->time_s <= 0;
    if (beside->pid > 0 && (is_lost || is_ended || stop_is_signalled()))
        kill(beside->pid, SIGTERM);
    const int waited = process_wait(beside->pid);
    const int programs = waited < 0 ? EXIT_STATUS_HARNESS : waited;
    /* Without a GPU they print nothing, and the report of the record says so. */
    if (!is_lost &&
        (show(beside->output, stdout, options) || programs != EXIT_STATUS_NOTHING_RAN)) {
        show(beside->messages, stderr, options);
        const bool good =
            options->record == NULL || beside->is_apart || append(beside->record, options->record);
        status = join(options, status, good ? programs : EXIT_STATUS_HARNESS);
    }
    if (options->format == FORMAT_TAP && !is_lost && tap_has_lines())
        tap_plan();
    for (size_t index = 0; index < sizeof beside->fds / sizeof beside->fds[0]; index++)
        if (beside->fds[index] >= 0)
            close(beside->fds[index]);
    fflush(stdout);
    return status;
}
