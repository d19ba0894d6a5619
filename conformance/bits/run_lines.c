/* The lines of a run's record, one function each (run_lines.h, spec/record.schema.json). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conformance/bits/coverage.h"
#include "conformance/bits/run_lines.h"
#include "conformance/base/build_info.h"
#include "conformance/bits/run.h"
#include "conformance/base/environment.h"
#include "cuda/image.h"

static json_t *word_string(uint64_t word)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, word);
    return json_string(text);
}

static json_t *time_string(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

/* FNV-1a over the lines of the corpus: a run can be resumed only over the same. */
static uint64_t corpus_hash(const struct run *run)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t index = 0; index < run->plan.corpus_count; index++) {
        const struct corpus_case *it = &run->plan.corpus[index];
        char text[CASE_TEXT_BYTES + 8];
        size_t bytes = (size_t)sprintf(text, "%s", it->leads ? "after " : "");
        bytes += case_format(&it->test_case, text + bytes, CASE_TEXT_BYTES);
        for (size_t at = 0; at <= bytes; at++)
            hash = (hash ^ (unsigned char)text[at]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Paths through which some device looks at some kernel. */
static json_t *path_names(const struct run *run)
{
    json_t *paths = json_array();
    for (int path = 0; path < PATH_COUNT; path++) {
        bool has = false;
        for (int device = 0; device < run->device_count; device++)
            for (int id = 0; id < catalog_count(); id++)
                has = has || run_has(run, device, id, path);
        if (has)
            json_array_append_new(paths, json_string(path_name((enum path)path)));
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
static void add_libraries(json_t *line, const struct run *run)
{
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const struct library_file *it = &run->libraries[library];
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

json_t *record_header(const struct run *run)
{
    json_t *line = json_pack("{s:s, s:i, s:s, s:s, s:o, s:s, s:s}", "record", "assay", "version",
                             RECORD_VERSION, "assay", build_version, "commit", build_commit,
                             "started", time_string(), "toolkit", image_toolkit, "tier",
                             tier_name((enum tier)run->options->tier));
    if (line == NULL)
        return NULL;
    json_t *kernel_names = json_array(), *devices = json_array();
    for (int id = 0; id < catalog_count(); id++) {
        char name[CATALOG_NAME_BYTES];
        if (run->plan.selected[id])
            json_array_append_new(kernel_names, json_string(catalog_name(id, name)));
    }
    for (int device = 0; device < run->device_count; device++)
        json_array_append_new(devices, json_string(run->devices[device].label));
    json_object_set_new(line, "seed", word_string(run->options->seed));
    json_object_set_new(line, "corpus", word_string(corpus_hash(run)));
    json_object_set_new(line, "cases_planned", json_integer((json_int_t)run->plan.count));
    json_object_set_new(line, "devices", devices);
    json_object_set_new(line, "paths", path_names(run));
    json_object_set_new(line, "kernels", kernel_names);
    json_object_set_new(line, "devices_chosen", json_string(run->devices_line));
    add_environment(line);
    add_libraries(line, run);
    return line;
}

/* Which PTX the paths of the driver's compiler have: every kernel's unit has the same ones. */
static void add_ptx(json_t *device, const struct device_info *info)
{
    char text[32];
    for (int index = 0; device && index < image_count; index++) {
        const struct image *image = &images[index];
        const struct image_ptx *highest = image_highest_ptx(image, info->limits.compute_capability);
        if (highest == NULL || info->ordinal == DEVICE_ORDINAL_HOST)
            continue;
        snprintf(text, sizeof text, "compute_%d", highest->compute_capability);
        json_object_set_new(device, "ptx", json_string(text));
        snprintf(text, sizeof text, "compute_%d", image->ptx->compute_capability);
        json_object_set_new(device, "ptx_lowest", json_string(text));
        return;
    }
}

json_t *record_device(const struct run *run, int device)
{
    const struct run_device *it = &run->devices[device];
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

json_t *record_case(const struct run *run, int device, unsigned long long index, const char *text,
                    int checks)
{
    return json_pack("{s:s, s:I, s:s, s:i}", "case", text, "index", (json_int_t)index, "device",
                     run->devices[device].label, "checks", checks);
}

/* What must run before the case, where something must. */
static void add_after(json_t *line, const struct run_finding *it)
{
    if (line == NULL || !it->needs_history)
        return;
    json_t *after = json_array();
    for (int index = 0; index < it->history->count - 1; index++) {
        char text[CASE_TEXT_BYTES];
        case_format(&it->history->jobs[index].test_case, text, sizeof text);
        json_array_append_new(after, json_string(text));
    }
    json_object_set_new(line, "after", after);
}

json_t *record_finding(const struct run *run, const struct run_finding *it)
{
    const struct finding *finding = &it->finding;
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES], replay[RUN_REPLAY_BYTES];
    case_format(&it->test_case, text, sizeof text);
    run_replay_command(run, it, replay, sizeof replay);
    json_t *line = json_pack(
        "{s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "finding",
        verdict_name(finding->verdict), "case", text, "index", (json_int_t)it->index, "device",
        run->devices[it->device].label, "kernel", catalog_name(it->check.kernel, name), "path",
        path_name((enum path)it->check.path), "clause", finding->clause, "place",
        place_name(finding->place), "note", finding->note, "replay", replay);
    add_after(line, it);
    if (line == NULL || finding->place == PLACE_NONE)
        return line;
    const struct operand *operand = &it->test_case.algorithm->operands[finding->operand];
    const size_t unit_bytes = (size_t)finding->unit_bytes;
    char digits[FORMAT_TEXT_BYTES];
    json_object_set_new(line, "operand", json_string(operand->name));
    json_object_set_new(line, "row", json_integer(finding->row));
    json_object_set_new(line, "column", json_integer(finding->column));
    json_object_set_new(line, "distance_bytes", json_integer(finding->distance_bytes));
    json_object_set_new(line, "unwritten", json_boolean(finding->unwritten));
    format_digits(operand->format, unit_bytes, finding->expected, digits);
    json_object_set_new(line, "expected", json_string(digits));
    format_digits(operand->format, unit_bytes, finding->got, digits);
    json_object_set_new(line, "got", json_string(digits));
    if (place_is_element(finding->place) && finding->ulp != FORMAT_NO_DISTANCE)
        json_object_set_new(line, "ulp", json_integer((json_int_t)finding->ulp));
    json_object_set_new(line, "wrong_elements", json_integer((json_int_t)finding->wrong_elements));
    json_object_set_new(line, "wrong_gap_bytes",
                        json_integer((json_int_t)finding->wrong_gap_bytes));
    json_object_set_new(line, "wrong_guard_bytes",
                        json_integer((json_int_t)finding->wrong_guard_bytes));
    json_object_set_new(line, "wrong_inputs", json_integer((json_int_t)finding->wrong_inputs));
    return line;
}

json_t *record_reduced(const struct run *run, const struct run_finding *it)
{
    char text[CASE_TEXT_BYTES], smallest[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES];
    char replay[RUN_REPLAY_BYTES];
    case_format(&it->test_case, text, sizeof text);
    case_format(&it->reduced.smallest, smallest, sizeof smallest);
    run_replay_command(run, it, replay, sizeof replay);
    json_t *line = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:b, s:s}", "reduced", smallest, "from", text,
        "device", run->devices[it->device].label, "kernel", catalog_name(it->check.kernel, name),
        "path", path_name((enum path)it->check.path), "repeats", it->reduced.repeats, "failures",
        it->reduced.failures, "tried", (json_int_t)it->reduced.shrink.tried, "complete",
        it->reduced.shrink.complete, "replay", replay);
    add_after(line, it);
    if (line && it->needs_history) {
        json_object_set_new(line, "after_repeats", json_integer(it->history->repeats));
        json_object_set_new(line, "after_failures", json_integer(it->history->failures));
    }
    if (line && it->reduced.untold > 0)
        json_object_set_new(line, "untold", json_integer(it->reduced.untold));
    if (line && it->reduced.untold_note[0])
        json_object_set_new(line, "untold_note", json_string(it->reduced.untold_note));
    if (line && it->passing)
        json_object_set_new(line, "verdict", json_string(verdict_name(VERDICT_INCONCLUSIVE)));
    return line;
}

static json_t *row_object(const struct run *run, const struct tally_table *table, int device,
                          int id, int path)
{
    const struct tally *row = tally_row(table, device, id, path);
    char name[CATALOG_NAME_BYTES], digest[40];
    snprintf(digest, sizeof digest, "%016" PRIx64 "%016" PRIx64, row->digest[1], row->digest[0]);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s}", "device", run->devices[device].label,
                               "kernel", catalog_name(id, name), "path", path_name((enum path)path),
                               "verdict", verdict_name(tally_verdict(row)), "xxh3_128", digest);
    for (int verdict = 0; object && verdict < VERDICT_COUNT; verdict++) {
        char key[16];
        snprintf(key, sizeof key, "%s", verdict_name((enum verdict)verdict));
        for (char *letter = key; *letter; letter++)
            *letter = (char)(*letter | 0x20);
        if (verdict == VERDICT_PASS || row->counts[verdict])
            json_object_set_new(object, verdict == VERDICT_PASS ? "passed" : key,
                                json_integer((json_int_t)row->counts[verdict]));
    }
    if (object && row->launches) {
        json_object_set_new(object, "launches", json_integer((json_int_t)row->launches));
        json_object_set_new(object, "full_launches", json_integer((json_int_t)row->full_launches));
        if (tally_sms(row))
            json_object_set_new(object, "sms", json_integer(tally_sms(row)));
    }
    if (object && row->reason[0])
        json_object_set_new(object, "reason", json_string(row->reason));
    return object;
}

static void append_rows(json_t *rows, const struct run *run, const struct tally_table *table,
                        int device)
{
    for (int id = 0; id < catalog_count(); id++) {
        for (int path = 0; path < PATH_COUNT; path++) {
            const struct tally *row = tally_row(table, device, id, path);
            if (tally_checks(row) || row->counts[VERDICT_DECLINED] || row->counts[VERDICT_EMPTY])
                json_array_append_new(rows, row_object(run, table, device, id, path));
        }
    }
}

json_t *record_cases(const struct run *run, int device, json_t *ranges,
                     const struct tally_table *tally)
{
    json_t *rows = json_array();
    append_rows(rows, run, tally, device);
    return json_pack("{s:o, s:s, s:o}", "cases", ranges, "device", run->devices[device].label,
                     "rows", rows);
}

json_t *record_resumed(const struct run *run)
{
    return json_pack("{s:o, s:I}", "resumed", time_string(), "cases_done",
                     (json_int_t)run->resumed_cases);
}

static json_t *coverage_object(const struct run *run, int device)
{
    const struct coverage coverage = coverage_of_run(run, device);
    return json_pack("{s:s, s:i, s:I, s:I}", "device", coverage.device, "sms", coverage.sms,
                     "memory_bytes", (json_int_t)coverage.memory_bytes, "touched_bytes",
                     (json_int_t)coverage.touched_bytes);
}

json_t *record_summary(const struct run *run)
{
    uint64_t counts[VERDICT_COUNT], cases_done = 0;
    tally_total(&run->tally, counts);
    char reason[FINDING_NOTE_BYTES];
    run_reason(run, reason, sizeof reason);
    json_t *rows = json_array(), *coverage = json_array();
    for (int device = 0; device < run->device_count; device++) {
        json_array_append_new(coverage, coverage_object(run, device));
        cases_done += run->devices[device].cases_done;
        append_rows(rows, run, &run->tally, device);
    }
    return json_pack(
        "{s:{s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o}}",
        "summary", "verdict", verdict_name(run_verdict(run)), "reason", reason, "exit_status",
        (int)run_exit_status(run), "cases_done", (json_int_t)cases_done, "passed",
        (json_int_t)counts[VERDICT_PASS], "fail", (json_int_t)counts[VERDICT_FAIL], "crash",
        (json_int_t)counts[VERDICT_CRASH], "timeout", (json_int_t)counts[VERDICT_TIMEOUT],
        "inconclusive", (json_int_t)counts[VERDICT_INCONCLUSIVE], "skip",
        (json_int_t)counts[VERDICT_SKIP], "error", (json_int_t)counts[VERDICT_ERROR], "declined",
        (json_int_t)counts[VERDICT_DECLINED], "empty", (json_int_t)counts[VERDICT_EMPTY], "seconds",
        run_seconds(run), "rows", rows, "coverage", coverage);
}
