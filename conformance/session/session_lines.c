/* The lines that every record has, one function each (session.h, spec/record.schema.json). */
#include "conformance/session/session.h"

#include <string.h>
#include <time.h>

#include "conformance/base/build_info.h"
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

/* Path, version and size of each library that was loaded. */
static void add_libraries(json_t *line, const struct session *session)
{
    static const struct {
        void (*put_path)(json_t *line, const char *path);
        void (*put_version)(json_t *line, const char *version);
        void (*put_bytes)(json_t *line, uint64_t bytes);
    } fields[LIBRARY_COUNT] = {
        [LIBRARY_CUDA] = {put_header_libcuda, put_header_libcuda_version, put_header_libcuda_bytes},
        [LIBRARY_JIT] = {put_header_jit, put_header_jit_version, put_header_jit_bytes},
        [LIBRARY_NVML] = {put_header_nvml, put_header_nvml_version, put_header_nvml_bytes},
    };
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const struct library_file *it = &session->stack.libraries[library];
        if (it->path[0] == 0)
            continue;
        fields[library].put_path(line, it->path);
        fields[library].put_version(line, it->version);
        fields[library].put_bytes(line, it->bytes);
    }
}

json_t *session_header(const struct session *session)
{
    json_t *line = json_object(), *kernel_names = json_array(), *devices = json_array();
    json_t *paths = session->path_names ? json_incref(session->path_names) : json_array();
    char now[SESSION_TIME_BYTES];
    /* FNV-1a over the lines of the corpus: runs over the same can be compared. */
    uint64_t corpus = TEXT_FNV1A;
    for (uint64_t index = 0; index < session->plan.corpus_count; index++) {
        const struct corpus_case *it = &session->plan.corpus[index];
        char text[CASE_TEXT_BYTES + 8];
        size_t bytes = (size_t)sprintf(text, "%s", it->leads ? "after " : "");
        bytes += case_format(&it->test_case, text + bytes, CASE_TEXT_BYTES);
        corpus = text_fnv1a(corpus, text, bytes + 1);
    }
    /* Paths through which some device looks at some kernel. */
    for (int path = 0; path < path_count() && !session->path_names; path++) {
        bool has = false;
        for (int index = path; index < subject_count(session->device_count); index += path_count())
            has = has || session_has(session, subject_at(index));
        if (has)
            json_array_append_new(paths, json_string(path_name(path)));
    }
    for (int id = 0; id < catalog_count(); id++) {
        char name[CATALOG_NAME_BYTES];
        if (session->plan.selected[id])
            json_array_append_new(kernel_names, json_string(catalog_name(id, name)));
    }
    for (int device = 0; device < session->device_count; device++)
        json_array_append_new(devices, json_string(session->devices[device].label));
    /* The host, as far as it says what it is. */
    const struct host_machine machine = host_machine_read();
    const struct host_system host = host_system_read();
    const struct host_identity own = host_identity_read();
    /* The caller's variables that reach the driver, or were kept from it. */
    struct environment_variable it = {.rule = NULL};
    json_t *kept = json_array(), *cleared = json_array();
    while (environment_next(&it)) {
        const enum environment_deed deed = it.rule->deed;
        bool is_kept = deed == ENVIRONMENT_RECORDED || deed == ENVIRONMENT_HIDES;
        json_array_append_new(is_kept ? kept : cleared, json_string(it.text));
    }
#define OF_header , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_header
    if (session->options->part != NULL) {
        json_t *parts = json_array();
        for (const char *const *name = session->options->parts; *name; name++)
            json_array_append_new(parts, json_string(*name));
        put_header_parts(line, parts);
    }
    add_libraries(line, session);
    return line;
}

/* For which architecture the PTX of a path is, and which of the selected kernels have another:
 * their instructions are of a later one than the lowest. */
static void add_ptx(json_t *device, const struct device_info *info, const bool *selected)
{
    const int capability = info->limits.compute_capability;
    char name[CATALOG_NAME_BYTES], text[32], key[PATH_KEY_BYTES];
    json_t *others = json_array();
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        /* The first unit of a path that has PTX, or NULL. */
        const struct image *all = it->images ? it->images->units.images : images;
        const int count = it->images ? it->images->units.image_count : image_count;
        int index = 0;
        while (index < count && all[index].ptx_count == 0)
            index++;
        if (it->source->target == NULL || !path_fits(path, info) || index == count)
            continue;
        const int target = it->source->target(&all[index], capability);
        snprintf(text, sizeof text, "compute_%d", target);
        json_object_set_new(device, path_key(path, key), json_string(text));
        for (int id = 0; id < catalog_count(); id++) {
            const struct image *image = catalog_path_image(catalog_kernel(id)->unit, path);
            if (!selected[id] || image == NULL || image->ptx_count == 0 ||
                it->source->target(image, capability) == target)
                continue;
            json_t *kernel = json_object();
            snprintf(text, sizeof text, "compute_%d", it->source->target(image, capability));
            put_kernel_ptx_kernel(kernel, catalog_name(id, name));
            put_kernel_ptx_path(kernel, path_name(path));
            put_kernel_ptx_ptx(kernel, text);
            json_array_append_new(others, kernel);
        }
    }
    if (json_array_size(others) > 0)
        put_device_kernels(device, others);
    else
        json_decref(others);
}

json_t *session_device_line(const struct session *session, const struct session_device *it)
{
    const struct device_info *info = &it->info;
    char driver[24], capability[16], filter_text[64] = "";
    snprintf(driver, sizeof driver, "%d.%d", info->driver_version / 1000,
             info->driver_version % 1000 / 10);
    snprintf(capability, sizeof capability, "%d.%d", info->limits.compute_capability / 10,
             info->limits.compute_capability % 10);
    const struct golden_filter *filter = gpu_row_filter(info);
    if (filter)
        snprintf(filter_text, sizeof filter_text, "%d, %d, %d, %s", filter->coordinate_bits,
                 filter->weight_bits, filter->sum_bits, filter->halves_down ? "down" : "up");
    json_t *line = json_object();
    put_device_memory_bytes(line, info->memory_bytes);
    put_device_multiprocessors(line, (uint64_t)info->limits.multiprocessor_count);
#define OF_device , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_device
    /* NVML's data on it. */
    static const struct {
        void (*count)(json_t *device, uint64_t value);
        void (*is_on)(json_t *device, const char *text);
        void (*watts)(json_t *device, double value);
    } rows[BOARD_VALUE_COUNT] = {
        [BOARD_ECC] = {.is_on = put_device_ecc},
        [BOARD_MIG] = {.is_on = put_device_mig},
        [BOARD_PCIE_GENERATION] = {.count = put_device_pcie_generation},
        [BOARD_PCIE_GENERATION_MAX] = {.count = put_device_pcie_generation_max},
        [BOARD_PCIE_WIDTH] = {.count = put_device_pcie_width},
        [BOARD_PCIE_WIDTH_MAX] = {.count = put_device_pcie_width_max},
        [BOARD_POWER_LIMIT] = {.watts = put_device_power_limit_w},
        [BOARD_POWER_LIMIT_DEFAULT] = {.watts = put_device_power_limit_default_w},
        [BOARD_APPLICATION_SM_MHZ] = {.count = put_device_application_sm_mhz},
        [BOARD_APPLICATION_MEMORY_MHZ] = {.count = put_device_application_memory_mhz},
    };
    for (int index = 0; index < BOARD_VALUE_COUNT; index++) {
        if (!(it->board.known >> index & 1))
            continue;
        if (rows[index].count)
            rows[index].count(line, it->board.values[index]);
        else if (rows[index].is_on)
            rows[index].is_on(line, it->board.values[index] ? "on" : "off");
        else
            rows[index].watts(line, it->board.values[index] * 1e-3);
    }
    add_ptx(line, info, session->plan.selected);
    return wrap_device(line);
}

double session_seconds(const struct session *session)
{
    return (session->ended_s > 0 ? session->ended_s : clock_now_s()) - session->began_s;
}

void session_phase(struct outcome *outcome, const char *name, double seconds)
{
    json_t *phase = json_object();
    put_phase_name(phase, name);
    put_phase_seconds(phase, seconds);
    if (outcome->phases == NULL)
        outcome->phases = json_array();
    json_array_append_new(outcome->phases, phase);
}

const char *session_phases_text(const json_t *phases, char ret_text[SESSION_PHASES_BYTES])
{
    size_t index;
    const json_t *phase;
    ret_text[0] = 0;
    json_array_foreach(phases, index, phase) {
        const double seconds = field_phase_seconds(phase);
        if (seconds >= 0.05)
            text_add(ret_text, SESSION_PHASES_BYTES, "%s%s %.1f s",
                     ret_text[0] ? ", " : "seconds of all threads: ", field_phase_name(phase),
                     seconds);
    }
    return ret_text;
}

void session_print_phases(const json_t *phases)
{
    char text[SESSION_PHASES_BYTES];
    if (session_phases_text(phases, text)[0]) {
        printf("time      ");
        escape_wrap(stdout, text, 10, 80);
    }
}

json_t *session_summary(const struct session *session, const struct outcome *outcome)
{
    json_t *line = json_object();
#define OF_summary , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_summary
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict != VERDICT_EMPTY && (verdict == VERDICT_PASS || outcome->counts[verdict] > 0))
            verdict_counts_write(line, (enum verdict)verdict, outcome->counts[verdict]);
    if (outcome->more)
        json_object_update_new(line, outcome->more);
    return wrap_summary(line);
}
