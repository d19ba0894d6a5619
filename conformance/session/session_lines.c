/* The lines that every record has, one function each (session.h, spec/record.schema.json). */
#include "conformance/session/session.h"

#include <string.h>
#include <time.h>

#include "conformance/base/build_info.h"
#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"

static void add_file(const char *option, const char *file, char text[PATH_OPTION_BYTES])
{
    char word[SHELL_WORD_BYTES];
    text_add(text, PATH_OPTION_BYTES, " --%s %s", option, shell_word(file, word));
}

const char *path_option(int path, char ret_text[PATH_OPTION_BYTES])
{
    const struct path *it = path_row(path);
    ret_text[0] = 0;
    if (it->images)
        add_file("images", it->images->file, ret_text);
    if (it->tool)
        add_file(it->source->compiler->name, it->tool, ret_text);
    if (it->tool && it->options)
        text_add(ret_text, PATH_OPTION_BYTES, " --opt %s", it->options + strlen("-O"));
    return ret_text;
}

const char *limit_options(const char *gpu, const char *name, const char *file,
                          char ret_text[LIMIT_OPTIONS_BYTES])
{
    char word[SHELL_WORD_BYTES];
    ret_text[0] = 0;
    if (gpu)
        text_add(ret_text, LIMIT_OPTIONS_BYTES, " --gpu %s", shell_word(gpu, word));
    if (file && file != gpu)
        text_add(ret_text, LIMIT_OPTIONS_BYTES, " --%s %s", name, shell_word(file, word));
    return ret_text;
}

const char *session_time(char ret_text[SESSION_TIME_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(ret_text, SESSION_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return ret_text;
}

/* FNV-1a over the lines of the corpus: runs over the same can be compared. */
static uint64_t corpus_digest(const struct plan *plan)
{
    uint64_t digest = TEXT_FNV1A;
    for (uint64_t index = 0; index < plan->corpus_count; index++) {
        const struct corpus_case *it = &plan->corpus[index];
        char text[CASE_TEXT_BYTES + 8];
        size_t bytes = (size_t)sprintf(text, "%s", it->leads ? "after " : "");
        bytes += case_format(&it->test_case, text + bytes, CASE_TEXT_BYTES);
        digest = text_fnv1a(digest, text, bytes + 1);
    }
    return digest;
}

/* Paths through which some device looks at some kernel. */
static struct texts path_names(const struct session *session, struct zone *zone)
{
    const char **each = zone_take(zone, (size_t)path_count() * sizeof *each);
    struct texts ret = {.each = each};
    for (int path = 0; path < path_count(); path++) {
        bool has = false;
        for (int index = path; index < subject_count(session->device_count); index += path_count())
            has = has || session_has(session, subject_at(index));
        if (has)
            each[ret.count++] = path_name(path);
    }
    return ret;
}

static struct texts kernel_names(const struct session *session, struct zone *zone)
{
    const char **each = zone_take(zone, (size_t)catalog_count() * sizeof *each);
    struct texts ret = {.each = each};
    for (int id = 0; id < catalog_count(); id++) {
        char name[CATALOG_NAME_BYTES];
        if (session->plan.selected[id])
            each[ret.count++] = zone_text(zone, catalog_name(id, name));
    }
    return ret;
}

static struct texts device_labels(const struct session *session, struct zone *zone)
{
    const char **each = zone_take(zone, (size_t)session->device_count * sizeof *each);
    for (int device = 0; device < session->device_count; device++)
        each[device] = session->devices[device].label;
    return (struct texts){each, (size_t)session->device_count};
}

/* In a gate its parts, of which the record is one. */
static struct texts part_names(const struct options *options)
{
    struct texts ret = {.each = options->part ? options->parts : NULL};
    while (ret.each && ret.each[ret.count])
        ret.count++;
    return ret;
}

/* The caller's variables that reach the driver, or those that were kept from it. */
static struct texts variables(struct zone *zone, bool reach_it)
{
    struct environment_variable it = {.rule = NULL};
    size_t count = 0;
    while (environment_next(&it))
        count++;
    const char **each = zone_take(zone, count * sizeof *each);
    struct texts ret = {.each = each};
    it = (struct environment_variable){.rule = NULL};
    while (environment_next(&it)) {
        const enum environment_deed deed = it.rule->deed;
        const bool is_kept = deed == ENVIRONMENT_RECORDED || deed == ENVIRONMENT_HIDES;
        if (is_kept == reach_it)
            each[ret.count++] = zone_text(zone, it.text);
    }
    return ret;
}

/* Of the environment; "" without it. */
static const char *variable(struct zone *zone, const char *name)
{
    const char *value = getenv(name);
    return value ? zone_text(zone, value) : "";
}

const struct line *session_header(const struct session *session, struct zone *zone)
{
    const struct options *options = session->options;
    const struct library_file *cuda = &session->stack.libraries[LIBRARY_CUDA],
                              *jit = &session->stack.libraries[LIBRARY_JIT],
                              *nvml = &session->stack.libraries[LIBRARY_NVML];
    const struct line_compiler_file *compilers;
    const struct line_image_file *files;
    char now[SESSION_TIME_BYTES];
    /* The host, as far as it says what it is. */
    const struct host_machine machine = host_machine_read();
    const struct host_system host = host_system_read();
    const struct host_identity own = host_identity_read();
    const size_t compiler_count = candidates_lines(zone, &compilers),
                 file_count = images_lines(zone, &files);
    return LINE(zone, header, .record = "assay", .version = RECORD_VERSION, .assay = build_version,
                .commit = build_commit, .started = zone_text(zone, session_time(now)),
                .seed = options->seed, .known_list = session->known_list,
                .corpus = corpus_digest(&session->plan), .budgets = session->budgets,
                .tier = tier_name((enum tier)options->tier), .cases_planned = session->plan.count,
                .cases_corpus = session->plan.corpus_count, .repeats = session->repeats,
                .samples = session->samples, .against = options->against,
                .shard = session->plan.shard.number, .shards = session->plan.shard.count,
                .shard_same = session->plan.shard.is_same, .bytes = options->bytes,
                .devices = device_labels(session, zone), .toolkit = image_toolkit,
                .paths = session->path_names.each ? session->path_names : path_names(session, zone),
                .kernels = kernel_names(session, zone), .devices_chosen = session->devices_line,
                .host = zone_text(zone, own.name), .machine = zone_text(zone, own.machine),
                .booted = zone_text(zone, own.booted), .os = zone_text(zone, host.kernel),
                .libc = zone_text(zone, host.libc), .cpu = zone_text(zone, machine.cpu),
                .hypervisor = zone_text(zone, machine.hypervisor),
                .container = zone_text(zone, host.container), .job = variable(zone, "SLURM_JOB_ID"),
                .cluster = variable(zone, "SLURM_CLUSTER_NAME"),
                .compilers = {compilers, compiler_count}, .images = {files, file_count},
                .command = options->parts_of ? options->parts_of : session->command,
                .part = options->part, .parts = part_names(options),
                .environment = variables(zone, true), .environment_cleared = variables(zone, false),
                .libcuda = cuda->path, .libcuda_version = cuda->version,
                .libcuda_bytes = cuda->bytes, .jit = jit->path, .jit_version = jit->version,
                .jit_bytes = jit->bytes, .nvml = nvml->path, .nvml_version = nvml->version,
                .nvml_bytes = nvml->bytes);
}

/* The first unit of a path that has PTX; NULL without one. */
static const struct image *first_with_ptx(const struct path *path)
{
    const struct image *all = path->images ? path->images->units.images : images;
    const int count = path->images ? path->images->units.image_count : image_count;
    int index = 0;
    while (index < count && all[index].ptx_count == 0)
        index++;
    return index < count ? &all[index] : NULL;
}

static const char *ptx_text(struct zone *zone, int target)
{
    char text[32];
    snprintf(text, sizeof text, "compute_%d", target);
    return zone_text(zone, text);
}

/* Which of the selected kernels have PTX of another architecture than `target` on the path: their
 * instructions are of a later one than the lowest. */
static size_t add_kernels(const struct session *session, int path, int capability, int target,
                          struct line_kernel_ptx *each, struct zone *zone)
{
    const struct source *source = path_row(path)->source;
    size_t count = 0;
    for (int id = 0; id < catalog_count(); id++) {
        const struct image *image = catalog_path_image(catalog_kernel(id)->unit, path);
        char name[CATALOG_NAME_BYTES];
        if (!session->plan.selected[id] || image == NULL || image->ptx_count == 0 ||
            source->target(image, capability) == target)
            continue;
        each[count++] =
            (struct line_kernel_ptx){.kernel = zone_text(zone, catalog_name(id, name)),
                                     .path = path_name(path),
                                     .ptx = ptx_text(zone, source->target(image, capability))};
    }
    return count;
}

/* Adds for which architecture the PTX of each path is, and which kernels have another. */
static void add_ptx(struct line_device *device, const struct session *session,
                    const struct device_info *info, struct zone *zone)
{
    const int capability = info->limits.compute_capability;
    const size_t paths = (size_t)path_count(), most = paths * (size_t)catalog_count();
    struct line_path_ptx *each = zone_take(zone, paths * sizeof *each);
    struct line_kernel_ptx *others = zone_take(zone, most * sizeof *others);
    device->ptx.each = each;
    device->kernels.each = others;
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        const struct image *first = first_with_ptx(it);
        if (it->source->target == NULL || !path_fits(path, info) || first == NULL)
            continue;
        const int target = it->source->target(first, capability);
        each[device->ptx.count++] =
            (struct line_path_ptx){.path = path_name(path), .ptx = ptx_text(zone, target)};
        device->kernels.count +=
            add_kernels(session, path, capability, target, others + device->kernels.count, zone);
    }
}

/* A value of the board, or 0 where NVML does not say. */
static uint64_t board_value(const struct board *board, int value)
{
    return board->known >> value & 1 ? board->values[value] : 0;
}

static const char *board_switch(const struct board *board, int value)
{
    return !(board->known >> value & 1) ? "" : board->values[value] ? "on" : "off";
}

const struct line *session_device_line(const struct session *session,
                                       const struct session_device *it, struct zone *zone)
{
    const struct device_info *info = &it->info;
    const struct board *board = &it->board;
    char driver[24], capability[16], filter_text[64] = "";
    snprintf(driver, sizeof driver, "%d.%d", info->driver_version / 1000,
             info->driver_version % 1000 / 10);
    snprintf(capability, sizeof capability, "%d.%d", info->limits.compute_capability / 10,
             info->limits.compute_capability % 10);
    const struct golden_filter *filter = gpu_row_filter(info);
    if (filter)
        snprintf(filter_text, sizeof filter_text, "%d, %d, %d, %s", filter->coordinate_bits,
                 filter->weight_bits, filter->sum_bits, filter->halves_down ? "down" : "up");
    struct line_device device = {
        .line = {RECORD_device},
        .label = it->label,
        .name = zone_text(zone, info->name),
        .uuid = zone_text(zone, info->uuid),
        .pci = zone_text(zone, info->pci),
        .driver = zone_text(zone, info->driver_release),
        .cuda = zone_text(zone, driver),
        .compute_capability = zone_text(zone, capability),
        .memory_bytes = info->memory_bytes,
        .multiprocessors = (uint64_t)info->limits.multiprocessor_count,
        .l2_bytes = (uint64_t)info->l2_bytes,
        .memory_clock_khz = (uint64_t)info->memory_clock_khz,
        .memory_bus_bits = (uint64_t)info->memory_bus_bits,
        .sm_clock_khz = (uint64_t)info->sm_clock_khz,
        .vbios = board->vbios,
        .serial = board->serial,
        .ecc = board_switch(board, BOARD_ECC),
        .mig = board_switch(board, BOARD_MIG),
        .pcie_generation = board_value(board, BOARD_PCIE_GENERATION),
        .pcie_generation_max = board_value(board, BOARD_PCIE_GENERATION_MAX),
        .pcie_width = board_value(board, BOARD_PCIE_WIDTH),
        .pcie_width_max = board_value(board, BOARD_PCIE_WIDTH_MAX),
        .power_limit_w = (double)board_value(board, BOARD_POWER_LIMIT) * 1e-3,
        .power_limit_default_w = (double)board_value(board, BOARD_POWER_LIMIT_DEFAULT) * 1e-3,
        .application_sm_mhz = board_value(board, BOARD_APPLICATION_SM_MHZ),
        .application_memory_mhz = board_value(board, BOARD_APPLICATION_MEMORY_MHZ),
        .filter = zone_text(zone, filter_text),
    };
    add_ptx(&device, session, info, zone);
    return line_new(zone, &device.line);
}

double session_seconds(const struct session *session)
{
    return (session->ended_s > 0 ? session->ended_s : clock_now_s()) - session->began_s;
}

void session_phase(struct outcome *outcome, const char *name, double seconds)
{
    HEAP_ROOM(outcome->phases, outcome->phase_count);
    outcome->phases[outcome->phase_count++] = (struct line_phase){.name = name, .seconds = seconds};
}

const char *session_phases_text(const struct line_phase *phases, size_t count,
                                char ret_text[SESSION_PHASES_BYTES])
{
    ret_text[0] = 0;
    for (const struct line_phase *it = phases; it < phases + count; it++)
        if (it->seconds >= 0.05)
            text_add(ret_text, SESSION_PHASES_BYTES, "%s%s %.1f s",
                     ret_text[0] ? ", " : "seconds of all threads: ", it->name, it->seconds);
    return ret_text;
}

const struct line *session_summary(const struct session *session, const struct outcome *outcome,
                                   struct zone *zone)
{
    const size_t phases_bytes = outcome->phase_count * sizeof *outcome->phases,
                 unmeasured_bytes = outcome->unmeasured_count * sizeof *outcome->unmeasured;
    return LINE(zone, summary, .verdict = outcome->verdict,
                .reason = zone_text(zone, outcome->reason), .is_whole = outcome->is_whole,
                .exit_status = verdict_exit_status(outcome->verdict),
                .awaits_merge = outcome->awaits_merge, .cases_done = outcome->cases_done,
                .counts = line_counts_of(outcome->counts), .seconds = session_seconds(session),
                .against = outcome->against.file
                               ? zone_copy(zone, &outcome->against, sizeof outcome->against)
                               : NULL,
                .occupancy = outcome->occupancy.functions
                                 ? zone_copy(zone, &outcome->occupancy, sizeof outcome->occupancy)
                                 : NULL,
                .phases = {zone_copy(zone, outcome->phases, phases_bytes), outcome->phase_count},
                .compiled = (uint64_t)session->compiled_count,
                .compiled_cached = {.is_there = session->compiled_count > 0,
                                    .count = (uint64_t)session->compiled_cached},
                .unmeasured = {zone_copy(zone, outcome->unmeasured, unmeasured_bytes),
                               outcome->unmeasured_count},
                .untried = outcome->untried, .findings_left_out = outcome->findings_left_out);
}
