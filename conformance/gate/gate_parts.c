/* Taking the parts of a gate (gate_parts.h). Clauses: gate.parts.apart, gate.parts.quick,
 * gate.parts.exclusive. */
#include "conformance/gate/gate_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/stop.h"
#include "conformance/bits/bits.h"
#include "conformance/codegen/codegen.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/programs.h"
#include "conformance/programs/programs_tier.h"
#include "conformance/session/measure.h"
#include "conformance/speed/speed.h"
#include "conformance/supervise/probe.h"

static void adjust_bits(struct options *options)
{
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
}

static void adjust_programs(struct options *options)
{
    adjust_bits(options);
    programs_take_tier(options);
}

/* Names the paths that a part takes, where the user has named none. */
static void name_paths(struct options *options, bool (*takes)(const struct path *path))
{
    static char names[PATH_NAMES_BYTES];
    size_t used = 0;
    for (int path = 0; path < path_count() && !options->given.paths; path++)
        if (takes(path_row(path)) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? "," : "",
                                     path_name(path));
    if (!options->given.paths)
        options->paths = names;
    options->given.paths = true;
}

/* Budgets hold for the highest level of a compiler. */
static bool has_budgets(const struct path *path)
{
    const bool is_highest =
        path->options == NULL || path->options[0] == 0 || strcmp(path->options, "-O3") == 0;
    return path->source->is_fatbin || (path->source->is_cubin && is_highest);
}

/* The host device has no machine code: then the program's own is read. */
static void adjust_code(struct options *options)
{
    if (options->ptxas.count > 0 || options->nvrtc.count > 0)
        name_paths(options, has_budgets);
    if (strcmp(options->device, "host") != 0)
        return;
    options->device = "auto";
    options->given.device = false;
    options->cubins = true;
}

static bool is_compiled(const struct path *path)
{
    return path->source->is_fatbin;
}

/* Compilers that run beside this program are looked at for bits and code; the driver's compiler
 * mostly makes of PTX what ptxas made before. The time goes to machine code that is there. */
static void adjust_speed(struct options *options)
{
    options->is_brief = true;
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
    name_paths(options, is_compiled);
}

const struct gate_part gate_parts[] = {
    {"bits", "check", false, false, NULL, adjust_bits, &bits_measure},
    {"code", "function", false, true, NULL, adjust_code, &codegen_measure},
    {"programs", "program", true, false, programs_left_out, adjust_programs, &programs_measure},
    {"speed", "speed", true, false, NULL, adjust_speed, &speed_measure},
};
const int gate_part_count = sizeof gate_parts / sizeof gate_parts[0];

/* What a measure leaves behind in its process is gone with it. It ends in order when the gate is
 * asked to end, and with the gate when that is killed. */
static void take(const struct gate_part *part, const struct options *options, const char *record,
                 bool appends)
{
    struct options own = *options;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    part->adjust(&own);
    own.record = record;
    own.appends = appends;
    own.format = FORMAT_NONE;
    const int status = measure_run(part->measure, &own, NULL);
    fflush(NULL);
    _exit(status);
}

pid_t gate_part_begin(const struct gate_part *part, const struct options *options,
                      const char *record, bool appends)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        take(part, options, record, appends);
    return child;
}

enum exit_status gate_part_end(const struct gate_part *part, pid_t child)
{
    int status;
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return EXIT_STATUS_HARNESS;
        if (stop_is_signalled())
            kill(child, SIGTERM);
    }
    if (child > 0 && WIFEXITED(status))
        return (enum exit_status)WEXITSTATUS(status);
    fprintf(stderr, "assay gate: the part %s %s\n", part->name,
            child < 0 ? strerror(errno) : "was killed");
    return EXIT_STATUS_HARNESS;
}

void gate_beside_begin(struct gate_beside *ret, const struct options *options)
{
    *ret = (struct gate_beside){.part = NULL};
    if (options->ptxas.count > 0 || options->nvrtc.count > 0 || probe_is_exclusive())
        return;
    for (int index = 0; index < gate_part_count; index++)
        if (gate_parts[index].runs_beside)
            ret->part = &gate_parts[index];
    snprintf(ret->record, sizeof ret->record, "/tmp/assay-gate-XXXXXX");
    const int file = ret->part ? mkstemp(ret->record) : -1;
    if (file < 0)
        ret->part = NULL; /* it has its turn */
    else
        close(file);
    if (ret->part)
        ret->pid = gate_part_begin(ret->part, options, ret->record, false);
}

enum exit_status gate_beside_end(struct gate_beside *beside, const char *record)
{
    const struct gate_part *part = beside->part;
    enum exit_status status = gate_part_end(part, beside->pid);
    struct reason reason;
    if (!file_append(beside->record, record, &reason)) {
        fprintf(stderr, "assay gate: the part %s cannot be written: %s\n", part->name, reason.text);
        status = EXIT_STATUS_HARNESS;
    }
    unlink(beside->record);
    beside->part = NULL;
    return status;
}

void gate_beside_abandon(struct gate_beside *beside)
{
    int status;
    if (beside->part == NULL)
        return;
    if (beside->pid > 0 && kill(beside->pid, SIGTERM) == 0)
        while (waitpid(beside->pid, &status, 0) < 0 && errno == EINTR)
            continue;
    unlink(beside->record);
    beside->part = NULL;
}
