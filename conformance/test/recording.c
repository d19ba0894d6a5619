/* Records of benches as rows of repeats (recording.h). */
#include "conformance/test/recording.h"

#include <glob.h>

#include "conformance/speed/bench_plan.h"
#include "conformance/test/noise.h"

static const char *text_of(const json_t *object, const char *key)
{
    return value_text(json_object_get(object, key));
}

/* The entry of a floor, for its provenance. */
static const json_t *find_entry(const json_t *gpu, const struct series *row)
{
    const json_t *floors = json_object_get(gpu, "floors");
    if (row->kernel[0] == 0)
        return json_object_get(gpu, floors_ceiling_key(row->regime));
    for (size_t index = 0; index < json_array_size(floors); index++) {
        const json_t *entry = json_array_get(floors, index);
        if (strcmp(field_floor_entry_kernel(entry), row->kernel) == 0 &&
            strcmp(field_floor_entry_shape(entry), row->shape) == 0 &&
            strcmp(field_floor_entry_regime(entry), regime_name(row->regime)) == 0)
            return entry;
    }
    return NULL;
}

double recording_floor(const struct floors *floors, const struct device_info *info,
                       const struct series *row, int *ret_gpus)
{
    const struct floor_key key = {.kernel = row->kernel,
                                  .shape = row->shape,
                                  .element_bytes = row->element_bytes,
                                  .regime = row->regime,
                                  .sector_efficiency = 1};
    struct limit floor = row->kernel[0] ? floors_kernel(floors, info, &key)
                                        : floors_ceiling(floors, info, row->regime);
    const json_t *entry = find_entry(floors_gpu(floors, info), row);
    *ret_gpus = (int)field_floor_bandwidth_gpus(field_floor_entry_provenance(entry));
    return floor.measured ? floor.value : 0;
}

static void read_device(struct recording *recording, const json_t *device)
{
    const char *capability = text_of(device, "compute_capability");
    ck_assert(capability[0] && text_of(device, "name")[0]);
    snprintf(recording->info.name, sizeof recording->info.name, "%s", text_of(device, "name"));
    recording->info.limits.compute_capability = (int)(10 * strtod(capability, NULL) + 0.5);
    snprintf(recording->uuids[recording->files - 1], sizeof recording->uuids[0], "%s",
             text_of(device, "uuid"));
}

static void read_speeds(const json_t *speeds, struct series *ret)
{
    struct interval each[BENCH_REPEATS_MAX];
    ck_assert_uint_le(json_array_size(speeds), BENCH_REPEATS_MAX);
    const struct intervals repeats = value_intervals(speeds, each);
    for (size_t index = 0; index < repeats.count; index++)
        ret->gbps[index] = each[index].median;
}

static void read_repeats(const json_t *line, const char *key, struct series *ret)
{
    const json_t *repeats = json_object_get(line, key), *speeds = json_object_get(line, "gbps");
    ret->repeats = (int)json_array_size(repeats);
    ck_assert_int_le(ret->repeats, BENCH_REPEATS_MAX);
    value_intervals(repeats, ret->fraction);
    for (int index = 0; index < ret->repeats; index++)
        ck_assert(ret->fraction[index].lower > 0 && ret->fraction[index].upper > 0);
    read_speeds(speeds, ret);
}

/* The driver's copy of a ceiling has speeds alone. */
static bool read_memcpy(const json_t *ceiling, struct series *ret)
{
    const json_t *speeds = json_object_get(ceiling, "memcpy_gbps");
    *ret = (struct series){
        .kernel = "memcpy",
        .regime = strcmp(text_of(ceiling, "regime"), "l2") == 0 ? REGIME_L2 : REGIME_DRAM,
        .memcpy_bytes = (double)value_count(json_object_get(ceiling, "footprint_bytes")),
        .repeats = (int)json_array_size(speeds)};
    read_speeds(speeds, ret);
    return true;
}

static bool read_row(const json_t *line, struct series *ret)
{
    const json_t *bench = json_object_get(line, "bench"), *peak = json_object_get(line, "peak"),
                 *ceiling = json_object_get(line, "ceiling");
    const json_t *it = bench ? bench : peak;
    if (ceiling)
        return read_memcpy(ceiling, ret);
    if (it == NULL)
        return false;
    snprintf(ret->kernel, sizeof ret->kernel, "%s", text_of(it, "kernel"));
    snprintf(ret->shape, sizeof ret->shape, "%s", text_of(it, "shape"));
    ret->regime = strcmp(text_of(it, "regime"), "l2") == 0 ? REGIME_L2 : REGIME_DRAM;
    ret->element_bytes = (int)value_count(json_object_get(it, "element_bytes"));
    snprintf(ret->name, sizeof ret->name, "%s through %s, %s, %s",
             bench ? text_of(it, "kernel") : "best copy", text_of(it, "path"), text_of(it, "shape"),
             regime_name(ret->regime));
    read_repeats(it, bench ? "fraction_of_ceiling" : "fraction_of_peak", ret);
    return true;
}

static void read_record(struct recording *recording, FILE *file, const char *path,
                        const struct floors *floors)
{
    char *text = NULL;
    size_t text_bytes = 0;
    ck_assert_int_lt(recording->files, RECORDING_FILES_MAX);
    snprintf(recording->paths[recording->files++], sizeof recording->paths[0], "%s", path);
    while (getline(&text, &text_bytes, file) > 0) {
        json_error_t error;
        json_t *line = json_loads(text, 0, &error);
        ck_assert_msg(line != NULL, "%s: %.60s", error.text, text);
        ck_assert_int_lt(recording->count, RECORDING_ROWS_MAX);
        if (json_is_object(json_object_get(line, "device")))
            read_device(recording, json_object_get(line, "device"));
        struct series *row = &recording->rows[recording->count];
        if (read_row(line, row)) {
            recording->count++;
            memcpy(row->uuid, recording->uuids[recording->files - 1], sizeof row->uuid);
            row->shipped = recording_floor(floors, &recording->info, row, &row->shipped_gpus);
        }
        json_decref(line);
    }
    free(text);
    fclose(file);
}

/* The record of a bench of 30 repeats, whose own speed each moves by `drift` about the true one. */
static FILE *make_record(double drift)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fprintf(file, "{\"record\":\"assay\",\"version\":1}\n");
    for (uint64_t row = 0; row < 20; row++) {
        uint64_t counter = 0;
        double gbps = 400 * (double)(row % 10 + 1);
        json_t *repeats = json_array();
        for (int repeat = 0; repeat < 30; repeat++) {
            double moved = gbps * (1 + drift * noise_normal(row, &counter));
            struct interval it = statistics_ratio(noise_repeat(moved, BENCH_SAMPLES, row, &counter),
                                                  noise_repeat(4236, BENCH_SAMPLES, row, &counter));
            json_array_append_new(repeats, json_pack("[f, f, f]", it.lower, it.median, it.upper));
        }
        char name[32];
        snprintf(name, sizeof name, "made/up_%d", (int)row);
        json_t *line =
            json_pack("{s:{s:s, s:s, s:s, s:s, s:o}}", "bench", "kernel", name, "path", "sass",
                      "shape", "line", "regime", "dram", "fraction_of_ceiling", repeats);
        json_dumpf(line, file, JSON_COMPACT | JSON_REAL_PRECISION(5));
        fputc('\n', file);
        json_decref(line);
    }
    rewind(file);
    return file;
}

struct recording *recording_read(void)
{
    struct recording *recording = testing_new(sizeof *recording);
    const char *pattern = getenv("AA_RECORDS");
    struct reason reason;
    glob_t found = {0};
    struct floors floors;
    ck_assert_ptr_nonnull(recording);
    ck_assert_msg(floors_open(NULL, &floors, &reason), "%s", reason.text);
    if (pattern == NULL) {
        read_record(recording, make_record(0.0005), "made up", &floors);
    } else {
        ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
        for (size_t index = 0; index < found.gl_pathc; index++) {
            FILE *file = fopen(found.gl_pathv[index], "r");
            ck_assert_msg(file != NULL, "%s cannot be read", found.gl_pathv[index]);
            read_record(recording, file, found.gl_pathv[index], &floors);
        }
        globfree(&found);
    }
    floors_close(&floors);
    return recording;
}
