/* Writing measured floors (floors.h), an entry a line. Clause: bandwidth.floor.provenance. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/bench/floors.h"

static const double fraction_least = 0.021; /* less is no floor (floors_check.c) */
static const double fraction_most = 1;      /* a kernel may beat the copies; it need not */
static const double spread_most = 0.5;      /* more is no measurement */
static const double latency_margin = 2;     /* a ceiling is at three times the median */

static double rounded(double value)
{
    double scale = value > 100 ? 10 : 10000;
    return (double)(long long)(value * scale + 0.5) / scale;
}

static json_t *provenance(const struct device_info *info, const struct floor_measurement *it,
                          double margin)
{
    char date[16];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    json_t *object = json_object();
    json_object_set_new(object, it->latency ? "median_us" : "median_gbps",
                        json_real(rounded(it->median)));
    if (it->latency == NULL)
        json_object_set_new(object, "ceiling_gbps", json_real(rounded(it->ceiling_gbps)));
    json_object_set_new(object, "spread", json_real(rounded(it->spread)));
    json_object_set_new(object, "margin", json_real(rounded(margin)));
    json_object_set_new(object, "gpu", json_string(info->name));
    json_object_set_new(object, "driver",
                        json_string(info->driver_release[0] ? info->driver_release : "unknown"));
    json_object_set_new(object, "date", json_string(date));
    return object;
}

/* The entry in an array that has the same values under the keys is replaced, or one is added. */
static void put(json_t *array, json_t *entry, const char *const *keys)
{
    for (size_t index = 0; index < json_array_size(array); index++) {
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(json_array_get(array, index), *key),
                                  json_object_get(entry, *key)))
            key++;
        if (*key == NULL) {
            json_array_set_new(array, index, entry);
            return;
        }
    }
    json_array_append_new(array, entry);
}

double floors_fraction(double fraction, double spread, double *ret_margin)
{
    double margin = BENCH_MARGIN_REST + 2 * spread;
    margin = margin > BENCH_MARGIN ? margin : BENCH_MARGIN;
    fraction *= 1 - margin;
    *ret_margin = margin;
    if (spread > spread_most || fraction < fraction_least)
        return 0; /* such a kernel is held by a relation, or by the derived floor */
    fraction = fraction > fraction_most ? fraction_most : fraction;
    return (double)(long long)(fraction * 10000) / 10000;
}

static void put_measurement(json_t *gpu, const struct device_info *info,
                            const struct floor_measurement *it)
{
    static const char *const floor_keys[] = {"kernel", "shape", "regime", "element_bytes", NULL};
    static const char *const latency_keys[] = {"call", NULL};
    if (it->latency) {
        if (it->spread <= spread_most)
            put(json_object_get(gpu, "latencies"),
                json_pack("{s:s, s:f, s:o}", "call", it->latency, "ceiling_us",
                          rounded(it->median * (1 + latency_margin)), "provenance",
                          provenance(info, it, latency_margin)),
                latency_keys);
        return;
    }
    double margin, fraction = floors_fraction(it->median / it->ceiling_gbps, it->spread, &margin);
    if (fraction <= 0)
        return;
    if (it->key.kernel == NULL)
        json_object_set_new(gpu, "ceiling",
                            json_pack("{s:f, s:o}", "fraction_of_peak", fraction, "provenance",
                                      provenance(info, it, margin)));
    else
        put(json_object_get(gpu, "floors"),
            json_pack("{s:s, s:s, s:s, s:i, s:f, s:o}", "kernel", it->key.kernel, "shape",
                      it->key.shape, "regime", regime_name(it->key.regime), "element_bytes",
                      it->key.element_bytes, "fraction_of_ceiling", fraction, "provenance",
                      provenance(info, it, margin)),
            floor_keys);
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
    FILE *file = fopen(path, "w");
    if (file) {
        write_value(file, root, 0);
        fputc('\n', file);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (!file || !good)
        snprintf(why, why_bytes, "%s: cannot be written: %s", path, strerror(errno));
    json_decref(root);
    return file && good;
}
