/* The lines that every record has, one function each (session_lines.h, spec/record.schema.json). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conformance/base/environment.h"
#include "conformance/base/build_info.h"
#include "conformance/session/session_lines.h"
#include "cuda/image.h"

static json_t *word_string(uint64_t word)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, word);
    return json_string(text);
}

json_t *session_time(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

/* FNV-1a over the lines of the corpus: a run can be resumed only over the same. */
static uint64_t corpus_hash(const struct session *session)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t index = 0; index < session->plan.corpus_count; index++) {
        const struct corpus_case *it = &session->plan.corpus[index];
        char text[CASE_TEXT_BYTES + 8];
        size_t bytes = (size_t)sprintf(text, "%s", it->leads ? "after " : "");
        bytes += case_format(&it->test_case, text + bytes, CASE_TEXT_BYTES);
        for (size_t at = 0; at <= bytes; at++)
            hash = (hash ^ (unsigned char)text[at]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Paths through which some device looks at some kernel. */
static json_t *path_names(const struct session *session)
{
    json_t *paths = json_array();
    for (int path = 0; path < path_count(); path++) {
        bool has = false;
        for (int index = path; index < subject_count(session->device_count); index += path_count())
            has = has || session_has(session, subject_at(index));
        if (has)
            json_array_append_new(paths, json_string(path_name(path)));
    }
    return paths;
}

/* The caller's variables that reach the driver, or were kept from it. */
static void add_environment(json_t *line)
{
    struct environment_variable variables[ENVIRONMENT_VARIABLES_MAX];
    size_t count = environment_read(variables);
    json_t *all = json_array(), *cleared = json_array();
    for (size_t index = 0; index < count; index++) {
        enum environment_deed deed = variables[index].rule->deed;
        bool is_kept = deed == ENVIRONMENT_RECORDED || deed == ENVIRONMENT_HIDES;
        json_array_append_new(is_kept ? all : cleared, json_string(variables[index].text));
    }
    json_object_set_new(line, "environment", all);
    json_object_set_new(line, "environment_cleared", cleared);
}

/* Path, version and size of each library that was loaded. */
static void add_libraries(json_t *line, const struct session *session)
{
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const struct library_file *it = &session->libraries[library];
        const char *name = library_name((enum library)library);
        char key[64];
        if (it->path[0] == 0)
            continue;
        json_object_set_new(line, name, json_string(it->path));
        snprintf(key, sizeof key, "%s_version", name);
        json_object_set_new(line, key, json_string(it->version));
        snprintf(key, sizeof key, "%s_bytes", name);
        json_object_set_new(line, key, json_integer((json_int_t)it->bytes));
    }
}

json_t *session_header(const struct session *session)
{
    json_t *line = json_pack("{s:s, s:i, s:s, s:s, s:o, s:s, s:s}", "record", "assay", "version",
                             RECORD_VERSION, "assay", build_version, "commit", build_commit,
                             "started", session_time(), "toolkit", image_toolkit, "tier",
                             tier_name((enum tier)session->options->tier));
    if (line == NULL)
        return NULL;
    json_t *kernel_names = json_array(), *devices = json_array();
    for (int id = 0; id < catalog_count(); id++) {
        char name[CATALOG_NAME_BYTES];
        if (session->plan.selected[id])
            json_array_append_new(kernel_names, json_string(catalog_name(id, name)));
    }
    for (int device = 0; device < session->device_count; device++)
        json_array_append_new(devices, json_string(session->devices[device].label));
    json_object_set_new(line, "seed", word_string(session->options->seed));
    json_object_set_new(line, "corpus", word_string(corpus_hash(session)));
    json_object_set_new(line, "cases_planned", json_integer((json_int_t)session->plan.count));
    json_object_set_new(line, "devices", devices);
    json_object_set_new(line, "paths", path_names(session));
    json_object_set_new(line, "kernels", kernel_names);
    json_object_set_new(line, "devices_chosen", json_string(session->devices_line));
    add_environment(line);
    add_libraries(line, session);
    return line;
}

/* For which architecture the PTX of a path is: every kernel's unit has the same ones. */
static void add_ptx(json_t *device, const struct device_info *info)
{
    char text[32], key[PATH_KEY_BYTES];
    int index = 0;
    while (index < image_count && images[index].ptx_count == 0)
        index++;
    for (int path = 0; index < image_count && path < path_count(); path++) {
        const struct path *it = path_row(path);
        if (it->source->target == NULL || info->ordinal == DEVICE_ORDINAL_HOST)
            continue;
        snprintf(text, sizeof text, "compute_%d",
                 it->source->target(&images[index], info->limits.compute_capability));
        json_object_set_new(device, path_key(path, key), json_string(text));
    }
}

json_t *session_device_line(const struct session_device *it)
{
    const struct device_info *info = &it->info;
    char driver[24], capability[16];
    snprintf(driver, sizeof driver, "%d.%d", info->driver_version / 1000,
             info->driver_version % 1000 / 10);
    snprintf(capability, sizeof capability, "%d.%d", info->limits.compute_capability / 10,
             info->limits.compute_capability % 10);
    json_t *line = json_pack(
        "{s:{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:i}}", "device", "label",
        it->label, "name", info->name, "uuid", info->uuid, "driver", info->driver_release, "cuda",
        driver, "compute_capability", capability, "memory_bytes", (json_int_t)info->memory_bytes,
        "multiprocessors", info->limits.multiprocessor_count, "l2_bytes", info->l2_bytes,
        "memory_clock_khz", info->memory_clock_khz, "memory_bus_bits", info->memory_bus_bits,
        "sm_clock_khz", info->sm_clock_khz);
    add_ptx(json_object_get(line, "device"), info);
    return line;
}

json_t *session_summary(const struct session *session, const uint64_t counts[VERDICT_COUNT],
                        uint64_t cases_done, enum verdict verdict, const char *reason, json_t *rows)
{
    static const struct {
        const char *key;
        enum verdict verdict;
    } counted[] = {{"passed", VERDICT_PASS},
                   {"fail", VERDICT_FAIL},
                   {"crash", VERDICT_CRASH},
                   {"timeout", VERDICT_TIMEOUT},
                   {"inconclusive", VERDICT_INCONCLUSIVE},
                   {"skip", VERDICT_SKIP},
                   {"error", VERDICT_ERROR},
                   {"declined", VERDICT_DECLINED}};
    json_t *summary = json_pack("{s:s, s:s, s:i, s:I}", "verdict", verdict_name(verdict), "reason",
                                reason, "exit_status", (int)verdict_exit_status(verdict),
                                "cases_done", (json_int_t)cases_done);
    for (size_t index = 0; index < sizeof counted / sizeof counted[0]; index++)
        json_object_set_new(summary, counted[index].key,
                            json_integer((json_int_t)counts[counted[index].verdict]));
    json_object_set_new(summary, "seconds", json_real(session_seconds(session)));
    json_object_set_new(summary, "rows", rows);
    return json_pack("{s:o}", "summary", summary);
}
