/* The measure of generated programs, options into rows, and its run in parallel with one of kernels
 * (programs.h). Clauses: program_runs.paths.text, program_runs.count.whole,
 * program_runs.host.compiles, program_runs.tiers.concurrent, program_runs.tiers.none. */
#include "conformance/programs/programs.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"

enum { WORKERS_MAX = 64 };

static void name_lists(const struct known_list *list, const char *file, struct session *session)
{
    const char *name = file ? strrchr(file, '/') : NULL;
    char rows[NUMBER_COUNT_BYTES];
    text_join(session->known_list, sizeof session->known_list, "; ", "built in, %s, 0x%016" PRIx64,
              number_count((uint64_t)(list->count - list->own_count), "row", rows),
              list->table_digest);
    if (file)
        text_join(session->known_list, sizeof session->known_list, "; ", "%.80s, %s, 0x%016" PRIx64,
                  name ? name + 1 : file, number_count((uint64_t)list->own_count, "row", rows),
                  list->digest);
}

static bool open_all(struct programs *programs, struct session *session)
{
    struct reason reason;
    const char *file = session->options->known_list;
    if (!known_open(file, &programs->known, &reason)) {
        fprintf(stderr, "assay %s: --known %s: %s\n", session->command, file ? file : "",
                reason.text);
        return false;
    }
    name_lists(&programs->known, file, session);
    const char *artifacts = session->options->artifacts;
    const int folder = artifacts ? file_open_folder(artifacts, true, &reason) : -1;
    if (artifacts && folder < 0) {
        fprintf(stderr, "assay %s: --artifacts %s\n", session->command, reason.text);
        return false;
    }
    if (artifacts)
        close(folder);
    programs->session = session;
    session->plan.paths = session->options->paths;
    return pthread_mutex_init(&programs->lock, NULL) == 0 &&
           pthread_cond_init(&programs->changed, NULL) == 0;
}

static bool open_programs(void *state, struct session *session, struct options *options)
{
    struct programs *programs = state;
    programs->operation_count = options->operations ? operation_programs() : 0;
    programs->planned = options->programs + (uint64_t)programs->operation_count;
    programs->count = shard_size(&options->shard, programs->planned);
    session->plan.shard = options->shard;
    programs->is_endless = options->part && options->tier == TIER_DEEP;
    if (options->pattern_count > 0) {
        fprintf(stderr, "assay run: --programs and --operations run no kernels: leave out %s\n",
                options->patterns[0]);
        return false;
    }
    return open_all(programs, session);
}

static bool open_replay(void *state, struct session *session, struct options *options)
{
    struct programs *programs = state;
    struct program_case test_case;
    struct program program;
    struct reason reason;
    const bool good = program_text_make(options->patterns[0], &test_case, &program, &reason);
    programs->planned = programs->count = 1;
    programs->line = options->patterns[0];
    if (!good)
        fprintf(stderr, "assay replay: %s\n", reason.text);
    else if (options->pattern_count > 1)
        fprintf(stderr, "assay replay: a program belongs to no kernel: leave out %s\n",
                options->patterns[1]);
    return good && options->pattern_count == 1 && open_all(programs, session);
}

static void add_row(struct programs *programs, int device, int path, bool only_compiles)
{
    const struct device_info *info = &programs->session->devices[device].info;
    HEAP_ROOM(programs->rows, programs->row_count + programs->try_count);
    struct programs_row *it = &programs->rows[programs->row_count + programs->try_count];
    *it = (struct programs_row){.device = device,
                                .path = path,
                                .only_compiles = only_compiles,
                                .planned = programs->is_endless ? 0 : programs->count,
                                .compute_capability = device_kind(info)->is_gpu
                                                          ? info->limits.compute_capability
                                                          : PROGRAMS_HOST_ARCH};
}

/* Through which paths the device is given texts: where it cannot run what a compiler makes, that is
 * compiled and not run. */
static void add_device(struct programs *programs, int device)
{
    const struct session *session = programs->session;
    const struct device_info *info = &session->devices[device].info;
    const char *names = session->options->given.paths ? session->options->paths : NULL;
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        const bool runs = path_fits(path, info);
        if (!programs_take_path(it) || !(runs || it->tool) || !path_is_among(path, names))
            continue;
        add_row(programs, device, path, !runs);
        programs->row_count++;
    }
}

/* A path of a GPU that is named is not left out in silence without a GPU. */
static bool are_paths_taken(const struct programs *programs, int *ret_status)
{
    const struct session *session = programs->session;
    bool compiles = false;
    for (size_t row = 0; row < programs->row_count; row++)
        compiles = compiles || programs->rows[row].only_compiles;
    if (!compiles &&
        !session_has_path(session, &session->devices[0].info, session->devices_line, ret_status))
        return false;
    if (programs->row_count > 0)
        return true;
    *ret_status = session_nothing(session, "none of the requested code paths takes programs");
    return false;
}

int programs_workers(int cores, int gpus)
{
    enum { OF_A_GPU = 16 };
    return gpus > 0 && cores > OF_A_GPU * gpus ? OF_A_GPU * gpus : cores;
}

/* A worker has some 64 programs at least, which take as long as its start. A GPU that opens for one
 * process at a time has one. */
static int count_workers(const struct programs *programs)
{
    const struct session *session = programs->session;
    const int gpus = session_is_emulated(session) ? 0 : session->device_count;
    const uint64_t known = programs->line ? 0 : (uint64_t)programs->known.count;
    const uint64_t jobs = (programs->count + known + 63) / 64 * programs->row_count;
    uint64_t count = session->options->jobs > 0
                         ? (uint64_t)session->options->jobs * (uint64_t)session->device_count
                         : (uint64_t)programs_workers(host_cores(), gpus);
    count = count < WORKERS_MAX ? count : WORKERS_MAX;
    count = count < jobs ? count : jobs;
    count = session_is_exclusive(session) ? 1 : count;
    return (int)(count > (uint64_t)session->device_count ? count : (uint64_t)session->device_count);
}

/* Whatever devices there are: what they cannot run is compiled. */
static bool choose_devices(void *state, int *ret_status)
{
    (void)state, (void)ret_status;
    return true;
}

static bool plan_programs(void *state, int *ret_status)
{
    struct programs *programs = state;
    struct session *session = programs->session;
    for (int device = 0; device < session->device_count; device++)
        add_device(programs, device);
    if (!are_paths_taken(programs, ret_status))
        return false;
    /* Rows at level 0, which failures alone are tried through. */
    for (size_t row = 0; row < programs->row_count; row++) {
        const int path = path_with_options(programs->rows[row].path, "-O0");
        bool has_row = false;
        for (size_t other = 0; other < programs->row_count + programs->try_count; other++)
            has_row = has_row || (programs->rows[other].device == programs->rows[row].device &&
                                  programs->rows[other].path == path);
        if (path < 0 || has_row)
            continue;
        add_row(programs, programs->rows[row].device, path, programs->rows[row].only_compiles);
        programs->try_count++;
    }
    programs_open_operations(programs);
    programs_choose_known(programs);
    session->plan.count = programs->planned;
    /* The names of the rows' paths, each once, for the header. */
    const char **names = zone_take(&session->zone, (size_t)path_count() * sizeof *names);
    session->path_names.each = names;
    for (int path = 0; path < path_count(); path++) {
        size_t row = 0;
        while (row < programs->row_count && programs->rows[row].path != path)
            row++;
        if (row < programs->row_count)
            names[session->path_names.count++] = path_name(path);
    }
    programs->clients =
        clients_open(count_workers(programs), session->device_count, session_open_client, session);
    return true;
}

static void take_programs(void *state)
{
    struct programs *programs = state;
    struct session *session = programs->session;
    struct reason reason;
    programs_plan_known(programs);
    programs_take_all(programs);
    programs_try_all(programs);
    programs_check_late(programs);
    programs_take_known(programs);
    programs_group(programs);
    /* A planned program without a result counts, whatever the reason. */
    for (size_t index = 0; index < programs->row_count; index++) {
        struct programs_row *row = &programs->rows[index];
        uint64_t done = row->known;
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            done += row->counts[verdict];
        if (done > row->planned)
            programs_count(row, VERDICT_ERROR, done - row->planned,
                           "more programs were counted than there are");
        else if (done < row->planned)
            programs_count(row, VERDICT_INCONCLUSIVE, row->planned - done, "it did not run");
        if (!row->only_compiles &&
            row->compared !=
                row->counts[VERDICT_PASS] + row->counts[VERDICT_FAIL] + row->known_wrong &&
            row->counts[VERDICT_ERROR] + row->counts[VERDICT_INCONCLUSIVE] == 0)
            programs_count(row, VERDICT_ERROR, 1, "not every program was compared");
    }
    /* If they cannot be written, a line says so, and the verdict stays. */
    if (session->options->artifacts && programs->finding_count &&
        !programs_write_artifacts(programs, &reason))
        fprintf(stderr, "assay %s: --artifacts: %s\n", session->command, reason.text);
    for (int device = 0; device < session->device_count; device++)
        session_write_device(session, device);
    for (size_t index = 0; index < programs->finding_count; index++)
        session_write_line(
            session, programs_finding_line(programs, &programs->findings[index], &session->zone));
    for (size_t index = 0; index < programs->check_count; index++)
        session_write_line(session,
                           programs_known_line(programs, &programs->checks[index], &session->zone));
    for (size_t row = 0; row < programs->row_count; row++) {
        const struct line *operations_line =
            programs_operations_line(programs, (int)row, &session->zone);
        if (operations_line)
            session_write_line(session, operations_line);
        session_write_line(session,
                           programs_row_line(programs, &programs->rows[row], &session->zone));
    }
    session_output_works(session);
    clients_close(programs->clients); /* how they end is part of the verdict */
    programs->clients = NULL;
}

/* The reason is that of the worst verdict so far; wrong programs, which are printed, need none. */
static void explain(struct outcome *ret, enum verdict *explained, enum verdict verdict,
                    const char *what, const char *why)
{
    if (verdict == VERDICT_PASS || !verdict_is_worse(verdict, *explained))
        return;
    *explained = verdict;
    snprintf(ret->reason, sizeof ret->reason, "%.80s%s%.160s", what, why[0] ? ": " : "", why);
}

static void judge_programs(const void *state, struct outcome *ret)
{
    static const char *const stages[PROGRAM_STAGES] = {"interpreting", "compiling", "loading",
                                                       "running"};
    const struct programs *programs = state;
    enum verdict explained = VERDICT_PASS;
    bool has_run = false;
    for (size_t row = 0; row < programs->row_count; row++)
        has_run = has_run || !programs->rows[row].only_compiles;
    ret->cases_done = programs->count;
    ret->findings_left_out = programs->findings_left_out;
    for (size_t index = 0; index < programs->row_count; index++) {
        const struct programs_row *row = &programs->rows[index];
        const enum verdict verdict = programs_row_verdict(row);
        const bool has_reason = row->why[0] && !verdict_is_failure(verdict);
        ret->cases_done = row->planned < ret->cases_done ? row->planned : ret->cases_done;
        for (int count = 0; count < VERDICT_COUNT; count++)
            ret->counts[count] += row->counts[count];
        explain(ret, &explained, verdict, has_reason ? path_name(row->path) : "",
                has_reason ? row->why : "");
    }
    for (int stage = 0; stage < PROGRAM_STAGES; stage++) {
        double seconds = 0;
        for (size_t row = 0; row < programs->row_count; row++)
            seconds += programs->rows[row].stage_s[stage];
        session_phase(ret, stages[stage], seconds);
    }
    /* A shard may have no program at all. */
    ret->verdict = shard_is_part(&programs->session->plan.shard) && programs->count == 0
                       ? VERDICT_PASS
                       : verdict_of_counts(ret->counts);
    /* A known miscompile counts where it is one too many, and where it could not be looked at. One
     * that is never tried is said after the verdict. */
    char what[80];
    for (size_t index = 0; index < programs->check_count; index++) {
        const struct programs_known *it = &programs->checks[index];
        if (it->finding.verdict == VERDICT_SKIP)
            continue;
        ret->verdict = verdict_join(ret->verdict, it->finding.verdict);
        snprintf(what, sizeof what, "known miscompile %.48s", it->known->id);
        explain(ret, &explained, it->finding.verdict, what, it->finding.note);
    }
    if (programs_search(programs) && verdict_is_failure(ret->verdict) && ret->reason[0] == 0)
        snprintf(ret->reason, sizeof ret->reason,
                 "a search with seed %" PRIu64 " found unlisted miscompiles",
                 programs->session->options->seed);
    if (programs->session->out_of_time && programs->is_endless) {
        const uint64_t least = programs_of_tier(TIER_STANDARD);
        const bool is_short = ret->cases_done < least;
        snprintf(ret->reason, sizeof ret->reason, "--time ended it after %" PRIu64 " programs%s",
                 ret->cases_done, is_short ? ", fewer than in tier standard" : "");
        ret->verdict = is_short ? verdict_join(ret->verdict, VERDICT_INCONCLUSIVE) : ret->verdict;
    }
    if (programs->session->out_of_time && !programs->is_endless)
        snprintf(ret->reason, sizeof ret->reason, "cut short by --time");
    if (!has_run) { /* compiling proves that compilers end, and no more */
        ret->verdict = verdict_join(ret->verdict, VERDICT_INCONCLUSIVE);
        if (ret->reason[0] == 0)
            snprintf(ret->reason, sizeof ret->reason, "programs were compiled, and none ran");
    }
}

static void close_programs(void *state)
{
    struct programs *programs = state;
    clients_close(programs->clients);
    for (size_t index = 0; index < programs->finding_count; index++) {
        free(programs->findings[index].line);
        free(programs->findings[index].reduced);
    }
    free(programs->findings);
    free(programs->split);
    free(programs->broken);
    free(programs->rows);
    free(programs->checks);
    free(programs->operations);
    known_close(&programs->known);
}

/* They differ in where the programs come from. */
#define PROGRAMS_MEASURE(name, opener)                                                             \
    {                                                                                              \
        .command = (name), .state_bytes = sizeof(struct programs), .open = (opener),               \
        .devices = choose_devices, .plan = plan_programs, .take = take_programs,                   \
        .judge = judge_programs, .close = close_programs                                           \
    }
const struct measure programs_measure = PROGRAMS_MEASURE("run", open_programs),
                     programs_measure_replay = PROGRAMS_MEASURE("replay", open_replay);

bool programs_are_due(const struct options *options)
{
    return programs_of_tier((enum tier)options->tier) > 0 && !options->given.programs &&
           options->cases == 0 && strcmp(options->device, "host") != 0 &&
           programs_left_out(options) == NULL;
}
