/* Writing measured floors (floors.h), an entry a line. Clause: bandwidth.floor.provenance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/bench/floors.h"
#include "conformance/file.h"

static const double fraction_least = 0.021; /* less is no floor (floors_check.c) */
static const double fraction_most = 1;      /* a kernel may beat the copies; it need not */
static const double spread_most = 0.5;      /* more is no measurement */
static const double latency_margin = 2;     /* a ceiling is at three times the median */
static const double clearance = 0.005;      /* between a floor and the lowest that is well */

static double rounded(double value)
{
    double scale = value > 100 ? 10 : 10000;
    return (double)(long long)(value * scale + 0.5) / scale;
}

/* `span` NULL: of a host call. */
static json_t *provenance(const struct device_info *info, const struct floor_measurement *it,
                          const struct floor_span *span)
{
    char date[16];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    json_t *object = json_object();
    json_object_set_new(object, span ? "median_gbps" : "median_us", json_real(rounded(it->median)));
    if (span)
        json_object_set_new(object, "ceiling_gbps", json_real(rounded(it->ceiling_gbps)));
    json_object_set_new(object, "spread", json_real(rounded(it->spread)));
    if (span) {
        json_object_set_new(object, "lowest", json_real(span->lowest));
        json_object_set_new(object, "highest", json_real(span->highest));
        json_object_set_new(object, "measurements", json_integer(span->measurements));
    } else {
        json_object_set_new(object, "margin", json_real(latency_margin));
    }
    json_object_set_new(object, "gpu", json_string(info->name));
    json_object_set_new(object, "driver",
                        json_string(info->driver_release[0] ? info->driver_release : "unknown"));
    json_object_set_new(object, "date", json_string(date));
    return object;
}

/* The entry in an array that has the same values under the keys, or NULL. */
static json_t *find(const json_t *array, const json_t *like, const char *const *keys)
{
    for (size_t index = 0; index < json_array_size(array); index++) {
        json_t *entry = json_array_get(array, index);
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(entry, *key), json_object_get(like, *key)))
            key++;
        if (*key == NULL)
            return entry;
    }
    return NULL;
}

/* Takes over the entry, which replaces what it is like. */
static void put(json_t *array, json_t *entry, const char *const *keys)
{
    json_t *older = find(array, entry, keys);
    if (older)
        json_object_update(older, entry);
    else
        json_array_append(array, entry);
    json_decref(entry);
}

struct floor_span floors_span(double fraction, double spread)
{
    return (struct floor_span){
        .lowest = fraction * (1 - 2 * spread), .highest = fraction * (1 + 2 * spread), 1};
}

struct floor_span floors_span_join(struct floor_span left, struct floor_span right)
{
    return (struct floor_span){
        .lowest = left.lowest < right.lowest ? left.lowest : right.lowest,
        .highest = left.highest > right.highest ? left.highest : right.highest,
        .measurements = left.measurements + right.measurements,
    };
}

double floors_fraction(struct floor_span span)
{
    double ill = span.highest * (1 - BENCH_LOSS);
    double fraction = ill < span.lowest * (1 - 2 * clearance) ? (span.lowest + ill) / 2
                                                              : span.lowest * (1 - clearance);
    if (fraction < fraction_least)
        return 0; /* such a kernel is held by a relation, or by the derived floor */
    fraction = fraction > fraction_most ? fraction_most : fraction;
    return (double)(long long)(fraction * 100000) / 100000;
}

/* Joined to what an entry of the file says of GPUs of this kind; older entries say nothing. */
static struct floor_span span_of(const struct floor_measurement *it, const json_t *entry)
{
    const json_t *before = json_object_get(entry, "provenance");
    struct floor_span span = floors_span(it->median / it->ceiling_gbps, it->spread), other;
    double lowest, highest;
    if (json_unpack((json_t *)before, "{s:F, s:F, s:i}", "lowest", &lowest, "highest", &highest,
                    "measurements", &other.measurements) != 0)
        return span;
    other.lowest = lowest;
    other.highest = highest;
    return floors_span_join(span, other);
}

static void put_kernel(json_t *gpu, const struct device_info *info,
                       const struct floor_measurement *it)
{
    static const char *const keys[] = {"kernel", "shape", "regime", "element_bytes", NULL};
    json_t *floors = json_object_get(gpu, "floors");
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:i}", "kernel", it->key.kernel, "shape", it->key.shape,
                  "regime", regime_name(it->key.regime), "element_bytes", it->key.element_bytes);
    struct floor_span span = span_of(it, find(floors, entry, keys));
    json_object_set_new(entry, "fraction_of_ceiling", json_real(floors_fraction(span)));
    json_object_set_new(entry, "provenance", provenance(info, it, &span));
    if (floors_fraction(span) > 0)
        put(floors, entry, keys);
    else
        json_decref(entry);
}

static void put_ceiling(json_t *gpu, const struct device_info *info,
                        const struct floor_measurement *it)
{
    struct floor_span span = span_of(it, json_object_get(gpu, "ceiling"));
    json_object_set_new(gpu, "ceiling",
                        json_pack("{s:f, s:o}", "fraction_of_peak", floors_fraction(span),
                                  "provenance", provenance(info, it, &span)));
}

static void put_latency(json_t *gpu, const struct device_info *info,
                        const struct floor_measurement *it)
{
    static const char *const keys[] = {"call", NULL};
    put(json_object_get(gpu, "latencies"),
        json_pack("{s:s, s:f, s:o}", "call", it->latency, "ceiling_us",
                  rounded(it->median * (1 + latency_margin)), "provenance",
                  provenance(info, it, NULL)),
        keys);
}

static void put_measurement(json_t *gpu, const struct device_info *info,
                            const struct floor_measurement *it)
{
    if (it->spread > spread_most)
        return;
    if (it->latency)
        put_latency(gpu, info, it);
    else if (it->key.kernel)
        put_kernel(gpu, info, it);
    else
        put_ceiling(gpu, info, it);
}

/* The GPU's own object in the copy, made where there is none. */
static json_t *own_gpu(json_t *root, const struct device_info *info)
{
    struct floors copy = {.root = root};
    const json_t *found = floors_gpu(&copy, info);
    json_t *gpus = json_object_get(root, "gpus");
    for (size_t index = 0; index < json_array_size(gpus); index++)
        if (json_array_get(gpus, index) == found)
            return json_array_get(gpus, index);
    json_array_append_new(gpus, json_pack("{s:s, s:i, s:[], s:[]}", "gpu", info->name,
                                          "compute_capability", info->limits.compute_capability,
                                          "floors", "latencies"));
    return json_array_get(gpus, json_array_size(gpus) - 1);
}

/* What is laid out over several lines: an array of objects, and an object that has an array. */
static bool spreads(const json_t *value)
{
    const char *key;
    json_t *member;
    if (json_is_array(value))
        return json_is_object(json_array_get(value, 0));
    json_object_foreach((json_t *)value, key, member)
    {
        if (json_is_array(member))
            return true;
    }
    return false;
}

static void write_value(FILE *file, const json_t *value, int depth)
{
    const char *key;
    json_t *member;
    size_t index = 0;
    bool array = json_is_array(value);
    if (!spreads(value)) {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        fputs(text ? text : "null", file);
        free(text);
        return;
    }
    fputc(array ? '[' : '{', file);
    json_array_foreach(value, index, member)
    {
        fprintf(file, "%s\n%*s", index ? "," : "", 2 * depth + 2, "");
        write_value(file, member, depth + 1);
    }
    json_object_foreach((json_t *)value, key, member)
    {
        fprintf(file, "%s\n%*s\"%s\": ", index++ ? "," : "", 2 * depth + 2, "", key);
        write_value(file, member, depth + 1);
    }
    fprintf(file, "\n%*s%c", 2 * depth, "", array ? ']' : '}');
}

bool floors_write(const struct floors *floors, const struct device_info *info,
                  const struct floor_measurement *measurements, int count, const char *path,
                  char *why, size_t why_bytes)
{
    char entry[128];
    json_t *root = json_deep_copy(floors->root);
    json_t *gpu = root ? own_gpu(root, info) : NULL;
    for (int index = 0; gpu && index < count; index++)
        put_measurement(gpu, info, &measurements[index]);
    bool good = gpu && floors_check(root, entry, why, why_bytes);
    if (!good) {
        if (gpu == NULL)
            snprintf(why, why_bytes, "no memory for the floors");
        json_decref(root);
        return false;
    }
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (file) {
        write_value(file, root, 0);
        fputc('\n', file);
    }
    if (file == NULL || fclose(file) != 0) {
        snprintf(why, why_bytes, "no memory for the floors");
        good = false;
    }
    good = good && file_replace(path, text, bytes, why, why_bytes) == FILE_WRITTEN;
    free(text);
    json_decref(root);
    return good;
}
