/* Floors out of measurements, and measurements out of records (floors.h). Clauses:
 * bandwidth.floor.sound, bandwidth.floor.repeats, bandwidth.floor.provenance,
 * bandwidth.floor.few, bandwidth.floor.kind. */
#include "conformance/speed/floors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/record/record.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/statistics.h"
#include "conformance/work/nvml.h"

static const double spread_most = 0.5; /* more is no measurement */
static const char nameless[] = "a measurement's line lacks its name";

/* The lines of a record that floors are made of. */
static const struct floor_sort {
    enum record_kind kind;
    const char *clause;
    const char *unjudged;            /* the clause of one that has no limit yet */
    const char *const *keys;         /* that tell two apart, of a line and of the entry it makes */
    const char *figures, *fractions; /* GB/s, of a limit; of calls microseconds, which are limited
                                      * themselves */
} sorts[] = {
    {RECORD_bench, "bandwidth.floor.kernel", "", floors_entry_keys, FIELD_KEY(bench, gbps),
     FIELD_KEY(bench, fraction_of_ceiling)},
    {RECORD_peak, "bandwidth.ceiling.floor", "", (const char *const[]){NULL}, FIELD_KEY(peak, gbps),
     FIELD_KEY(peak, fraction_of_peak)},
    {RECORD_latency, "bandwidth.latency.ceiling", "bandwidth.latency.host", floors_latency_keys,
     FIELD_KEY(latency, us), NULL},
};

static bool is_call(const struct floor_measurement *it)
{
    return it->sort->fractions == NULL;
}

/* One record while it is read. */
struct reading {
    struct floor_measurements *measurements;
    size_t first; /* measurements before this record's */
    char date[16];
    json_t *devices;         /* their lines by their labels */
    bool ended, has_end;     /* the plan, the record */
    json_int_t failed, slow; /* failures in all; those of speed alone */
    const char *malformed;   /* why, or NULL */
    int repeats_least;
};

/* 90 of "9.0"; 0 if the device has none. */
static int capability_of(const json_t *device)
{
    int major = 0, minor = 0;
    const bool has =
        sscanf(field_device_compute_capability(device), "%3d.%2d", &major, &minor) == 2;
    return has ? 10 * major + minor : 0;
}

/* A speed that was measured soundly: it passed, was too near to or below the floor of its day, or
 * had none. */
static bool is_sound(const json_t *object, const struct floor_sort *sort)
{
    enum verdict verdict = field_result_verdict(object);
    const char *own = field_result_clause(object);
    const bool undecided = verdict == VERDICT_INCONCLUSIVE;
    const bool is_speed = strcmp(own, sort->clause) == 0 ||
                          (sort->kind == RECORD_bench && strcmp(own, "bandwidth.link.floor") == 0);
    if (field_result_slowed(object) > 0) /* passed though slowed: it is faster otherwise */
        return false;
    return verdict == VERDICT_PASS || ((undecided || verdict == VERDICT_FAIL) && is_speed) ||
           (undecided && sort->unjudged[0] && strcmp(own, sort->unjudged) == 0);
}

/* Why a speed was not that of a healthy GPU left alone, or NULL: then it makes no floor, though it
 * passed. */
static const char *disturbance(const json_t *device, const struct floor_sort *sort,
                               const json_t *sensors)
{
    const json_t *during = field_sensors_during(sensors);
    uint64_t reasons = strtoull(field_reading_reasons(during), NULL, 16);
    if (value_number(raw_sensors_other_processes(sensors)) > 0)
        return "another process used the GPU at the same time";
    if (sort->fractions && /* during a call the GPU idles */
        (nvml_is_held(value_number(raw_reading_sm_mhz(during)),
                      value_number(raw_device_sm_clock_khz(device)), reasons) ||
         nvml_is_held(value_number(raw_reading_memory_mhz(during)),
                      value_number(raw_device_memory_clock_khz(device)), reasons)))
        return "the GPU's clocks were below its own, and nothing slowed it: they were locked";
    return NULL;
}

/* The medians of the repeats; their number. */
static int read_medians(struct reading *reading, const json_t *array, double ret[BENCH_REPEATS_MAX])
{
    int count = 0;
    for (size_t index = 0; index < json_array_size(array) && count < BENCH_REPEATS_MAX; index++) {
        double median = json_number_value(raw_interval_median(json_array_get(array, index)));
        if (!isfinite(median) || median <= 0)
            reading->malformed = "a repeat in it has no median above 0";
        ret[count++] = median;
    }
    if (count > 0 && count < reading->repeats_least)
        reading->repeats_least = count;
    return count;
}

/* Median, ceiling and spread of a line, from its repeats. */
static bool read_figures(struct reading *reading, struct floor_measurement *it)
{
    const json_t *fractions = is_call(it) ? NULL : json_object_get(it->line, it->sort->fractions);
    double values[BENCH_REPEATS_MAX];
    int count = read_medians(reading, json_object_get(it->line, it->sort->figures), values);
    if (count == 0)
        return false;
    it->median = statistics_median(values, count);
    if (!is_call(it)) {
        count = read_medians(reading, fractions, values);
        if (count == 0)
            return false;
        it->ceiling_gbps = it->median / statistics_median(values, count);
        it->repeats = count;
        for (int index = 0; index < count; index++) {
            const json_t *interval = json_array_get(fractions, (size_t)index);
            it->lowers[index] = field_interval_lower(interval);
            it->uppers[index] = field_interval_upper(interval);
        }
    }
    it->spread = statistics_spread(values, count);
    return it->spread <= spread_most;
}

static void read_line(struct reading *reading, const struct floor_sort *sort, const json_t *line,
                      const json_t *device)
{
    struct floor_measurements *all = reading->measurements;
    struct floor_measurement it = {.sort = sort,
                                   .line = (json_t *)line,
                                   .device = (json_t *)device,
                                   .capability = capability_of(device)};
    const char *regime = field_shaped_regime(line);
    /* An older record has the peak of DRAM alone, and no name for it; or names no host. A newer
     * program may know other regimes. */
    if (is_call(&it)
            ? field_latency_call(line)[0] == 0
            : sort->kind == RECORD_bench && (field_subject_kernel(line)[0] == 0 ||
                                             field_shaped_shape(line)[0] == 0 || regime[0] == 0))
        reading->malformed = nameless;
    else if (is_call(&it)
                 ? field_latency_cpu(line)[0] == 0 || field_latency_hypervisor(line)[0] == 0
                 : !regime_find(regime[0] ? regime : regime_name(REGIME_DRAM), &it.regime))
        return;
    else if (read_figures(reading, &it) && (is_call(&it) || !all->calls_only)) {
        snprintf(it.date, sizeof it.date, "%s", reading->date);
        HEAP_ROOM(all->items, all->count);
        json_incref(it.line);
        json_incref(it.device);
        all->items[all->count++] = it;
    }
}

/* How many of what a summary counts: never so many that a sum of them wraps. */
static json_int_t count_of(const json_t *value)
{
    enum { MOST = 1 << 30 };
    json_int_t count = json_integer_value(value);
    return count < 0 || count > MOST ? MOST : count;
}

static void take_line(void *context, const struct record_entry *entry)
{
    struct reading *reading = context;
    const json_t *object = entry->object;
    if (entry->kind == RECORD_header && strlen(field_header_started(object)) >= 10)
        snprintf(reading->date, sizeof reading->date, "%.10s", field_header_started(object));
    /* A label of two GPUs would give the one what was measured on the other. No floors are kept for
     * a device without a name, an identity and a capability (the host). */
    if (entry->kind == RECORD_device) {
        const char *label = field_device_label(object), *uuid = field_device_uuid(object);
        const json_t *known = json_object_get(reading->devices, label);
        if (known && strcmp(uuid, field_device_uuid(known)) != 0)
            reading->malformed = "two devices in it have one label";
        else if (!known && field_device_name(object)[0] && uuid[0] && capability_of(object) > 0)
            json_object_set(reading->devices, label, (json_t *)object);
    }
    if (entry->kind == RECORD_summary) {
        reading->ended =
            json_string_length(raw_summary_reason(object)) == 0 || field_summary_is_whole(object);
        reading->failed = count_of(raw_counts_fail(object)) + count_of(raw_counts_crash(object)) +
                          count_of(raw_counts_timeout(object)) + count_of(raw_counts_error(object));
        /* An exit status of its own: whoever wrote the record counted otherwise. */
        json_int_t status = count_of(raw_summary_exit_status(object));
        if ((status == EXIT_STATUS_FAIL || status == EXIT_STATUS_HARNESS) && reading->failed == 0)
            reading->failed = 1;
    }
    reading->has_end = entry->kind == RECORD_end;
    reading->slow +=
        entry->kind == RECORD_relation && field_relation_verdict(object) == VERDICT_FAIL;
    const json_t *device = json_object_get(reading->devices, field_subject_device(object));
    for (size_t index = 0; device && index < sizeof sorts / sizeof sorts[0]; index++) {
        const struct floor_sort *sort = &sorts[index];
        if (sort->kind != entry->kind || !is_sound(object, sort))
            continue;
        reading->slow += field_result_verdict(object) == VERDICT_FAIL;
        const char *disturbed = disturbance(device, sort, field_result_sensors(object));
        reading->malformed = disturbed ? disturbed : reading->malformed;
        read_line(reading, sort, object, device);
    }
}

/* Why nothing of the record may become a floor; NULL if it may. */
static const char *refusal(const struct reading *reading)
{
    if (reading->malformed)
        return reading->malformed;
    if (!reading->ended || !reading->has_end)
        return "the run was cut short";
    if (reading->failed > reading->slow)
        return "something in it failed, and not for its speed: such a GPU makes no floors";
    if (reading->failed > 0 && !reading->measurements->accept_slow)
        return "a speed in it is below its floor, and a faulty GPU must not lower floors: use "
               "--accept-slow if you know it is healthy";
    if (reading->measurements->count == reading->first && reading->measurements->calls_only)
        return "no host call in it names its host";
    if (reading->measurements->count == reading->first)
        return "nothing in it was measured on a GPU and held to a floor (a bench without --bytes)";
    if (!form_has_text(&form_date, reading->date))
        return "it does not say when it began";
    return NULL;
}

/* All measurements from `first` on. */
static void forget(struct floor_measurements *measurements, size_t first)
{
    for (; measurements->count > first; measurements->count--) {
        json_decref(measurements->items[measurements->count - 1].line);
        json_decref(measurements->items[measurements->count - 1].device);
    }
}

bool floors_measure_text(struct floor_measurements *measurements, const char *path,
                         const char *text, size_t bytes, struct reason *ret_reason)
{
    struct reading reading = {.measurements = measurements,
                              .first = measurements->count,
                              .devices = json_object(),
                              .repeats_least = BENCH_REPEATS_MAX};
    bool good = record_read(path, text, bytes, take_line, &reading, ret_reason);
    const char *why = good ? refusal(&reading) : NULL;
    if (why)
        good = reason_set(ret_reason, REASON_INPUT, "%s: %s", path, why);
    else if (good && reading.repeats_least < BENCH_REPEATS_FLOORS)
        good = reason_set(ret_reason, REASON_INPUT,
                          "%s: it has %d repeats, and fewer than %d do not show how far processes "
                          "differ: `assay bench --repeats %d -o RECORD`",
                          path, reading.repeats_least, BENCH_REPEATS_FLOORS, BENCH_REPEATS_FLOORS);
    if (!good)
        forget(measurements, reading.first);
    json_decref(reading.devices);
    return good;
}

bool floors_measure(struct floor_measurements *measurements, const char *path,
                    struct reason *ret_reason)
{
    return floors_measure_text(measurements, path, NULL, 0, ret_reason);
}

void floors_measurements_free(struct floor_measurements *measurements)
{
    forget(measurements, 0);
    free(measurements->items);
    *measurements = (struct floor_measurements){0};
}

static const double fraction_fine = 0.02; /* below it a floor has two digits more */
static const double fraction_most = 1;    /* a kernel may beat the copies; it need not */
static const double clearance = 0.005;    /* at least, between a floor and what passes */

/* GPUs of one kind differ (spec/bandwidth.md), which fewer than these may not show: four that
 * were measured in one machine were alike, and in one figure one of another lay 4.9 % below
 * them. */
static const int gpus_enough = 5;
static const double gpus_apart = 0.06;

struct floor_span floor_span_of(double fraction, double spread)
{
    return (struct floor_span){
        .lowest = fraction * (1 - 2 * spread),
        .highest = fraction * (1 + 2 * spread),
        .bound = fraction,
        .spread = spread,
        .gpus = 1,
    };
}

struct floor_span floor_span_join(struct floor_span left, struct floor_span right)
{
    return (struct floor_span){
        .lowest = left.lowest < right.lowest ? left.lowest : right.lowest,
        .highest = left.highest > right.highest ? left.highest : right.highest,
        .bound = left.bound < right.bound ? left.bound : right.bound,
        .spread = left.spread > right.spread ? left.spread : right.spread,
        .gpus = left.gpus + right.gpus,
    };
}

double floor_span_fraction(struct floor_span span)
{
    double faulty = span.highest * (1 - BENCH_LOSS);
    double apart = span.lowest * (1 - clearance);
    if (span.spread > clearance) {
        const double bound = span.bound * (1 - clearance);
        apart = span.lowest * (1 - span.spread);
        apart = bound < apart ? bound : apart;
    }
    double fraction =
        faulty < span.lowest * (1 - 2 * clearance) ? (span.lowest + faulty) / 2 : apart;
    double steps = fraction < fraction_fine ? 1e7 : 1e5;
    fraction = fraction > fraction_most ? fraction_most : fraction;
    return (double)(long long)(fraction * steps) / steps;
}

double floor_span_fraction_of_kind(struct floor_span span)
{
    if (span.gpus < gpus_enough) {
        span.lowest *= 1 - gpus_apart;
        span.bound *= 1 - gpus_apart;
    }
    return floor_span_fraction(span);
}

static const double latency_margin = 2; /* a ceiling is at three times the median */

/* No healthy GPU was measured beyond 1.05 of another. */
static const double apart_most = 1.25;

/* The measurements for one entry, on all GPUs of a kind. */
struct joined {
    size_t first;                        /* among the measurements */
    struct floor_span span;              /* not of a host call */
    const struct floor_measurement *own; /* the worst of them, whose figures are the provenance */
};

static double fraction_of(const struct floor_measurement *it)
{
    return it->median / it->ceiling_gbps;
}

/* Among equals the same one whatever the order of the records. */
static bool is_worse(const struct floor_measurement *it, const struct floor_measurement *than)
{
    double own = is_call(it) ? -it->median : fraction_of(it);
    double other = is_call(it) ? -than->median : fraction_of(than);
    if (own != other)
        return own < other;
    if (it->spread != than->spread)
        return it->spread > than->spread;
    return strcmp(field_device_uuid(it->device), field_device_uuid(than->device)) < 0;
}

static bool has_keys_of(const json_t *left, const json_t *right, const char *const *keys)
{
    while (*keys && json_equal(json_object_get(left, *keys), json_object_get(right, *keys)))
        keys++;
    return *keys == NULL;
}

static bool is_same_entry(const struct floor_measurement *left,
                          const struct floor_measurement *right)
{
    return left->sort == right->sort && left->regime == right->regime &&
           left->capability == right->capability &&
           strcmp(field_device_name(left->device), field_device_name(right->device)) == 0 &&
           has_keys_of(left->line, right->line, left->sort->keys);
}

/* The first measurement from `begin` on of an entry, and of a GPU unless `uuid` is NULL. */
static size_t find_entry(const struct floor_measurements *all, size_t begin,
                         const struct floor_measurement *like, const char *uuid)
{
    while (begin < all->count &&
           (!is_same_entry(&all->items[begin], like) ||
            (uuid && strcmp(field_device_uuid(all->items[begin].device), uuid) != 0)))
        begin++;
    return begin;
}

/* Several paths and several records of one GPU are one GPU. */
static struct joined join(const struct floor_measurements *all, size_t first)
{
    const struct floor_measurement *like = &all->items[first];
    struct joined joined = {.first = first, .own = like};
    for (size_t index = first; index < all->count; index = find_entry(all, index + 1, like, NULL)) {
        const struct floor_measurement *it = &all->items[index];
        if (is_worse(it, joined.own))
            joined.own = it;
        if (is_call(it))
            continue;
        struct floor_span span = floor_span_of(fraction_of(it), it->spread);
        for (int repeat = 0; repeat < it->repeats; repeat++)
            if (it->lowers[repeat] > 0 && it->lowers[repeat] < span.bound)
                span.bound = it->lowers[repeat];
        span.gpus = find_entry(all, first, like, field_device_uuid(it->device)) == index;
        joined.span = index == first ? span : floor_span_join(joined.span, span);
    }
    return joined;
}

/* Absurd values are left to floors_check. */
static double rounded(double value)
{
    if (value > 1e12)
        return value;
    double scale = value > 100 ? 10 : 10000;
    return (double)(long long)(value * scale + 0.5) / scale;
}

/* Six digits, as a file shows them. */
static double shortened(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

/* On the GPU where it takes the most: a loss that is found on one may pass on another that is
 * faster. */
static double found_loss(const struct floor_measurements *all, size_t first, double limit)
{
    const struct floor_measurement *like = &all->items[first];
    double most = 0;
    for (size_t index = first; index < all->count; index = find_entry(all, index + 1, like, NULL)) {
        const struct floor_measurement *it = &all->items[index];
        double loss = statistics_found_loss(it->uppers, it->repeats, limit);
        if (loss == 0)
            return 0;
        most = loss > most ? loss : most;
    }
    return most;
}

static void put_origin(json_t *object, const struct floor_measurement *it)
{
    const char *driver = field_device_driver(it->device);
    put_floor_origin_gpu(object, field_device_name(it->device));
    put_floor_origin_driver(object, driver[0] ? driver : "unknown");
    put_floor_origin_date(object, it->date);
}

/* The provenance of a limit. */
static json_t *origin_json(const struct floor_measurements *all, const struct joined *joined,
                           double limit)
{
    const struct floor_measurement *it = joined->own;
    json_t *object = json_object();
    if (is_call(it)) {
        put_floor_time_median_us(object, rounded(it->median));
        put_floor_origin_spread(object, rounded(it->spread));
        put_floor_origin_margin(object, rounded(latency_margin));
        put_origin(object, it);
        return object;
    }
    double loss = found_loss(all, joined->first, limit);
    put_floor_bandwidth_median_gbps(object, shortened(it->median));
    put_floor_bandwidth_ceiling_gbps(object, shortened(it->ceiling_gbps));
    put_floor_origin_spread(object, rounded(it->spread));
    put_floor_origin_margin(object, rounded(1 - limit / fraction_of(it)));
    if (loss > 0)
        put_floor_bandwidth_found_loss(object, loss);
    put_floor_bandwidth_lowest(object, shortened(joined->span.lowest));
    put_floor_bandwidth_highest(object, shortened(joined->span.highest));
    put_floor_bandwidth_gpus(object, joined->span.gpus);
    put_origin(object, it);
    return object;
}

/* Takes over the entry, which replaces the one that has the same values under the keys. One that is
 * no limit leaves none there. */
static void put(json_t *array, json_t *entry, const char *const *keys, double limit)
{
    for (size_t index = 0; index < json_array_size(array); index++)
        if (has_keys_of(json_array_get(array, index), entry, keys))
            json_array_remove(array, index--);
    if (limit > 0)
        json_array_append(array, entry);
    json_decref(entry);
}

/* The floor of what was joined; 0 if it would be no floor: too low a fraction. */
static double fraction_made(const struct joined *joined)
{
    double fraction = floor_span_fraction_of_kind(joined->span);
    bool good = floors_is_fraction(fraction, fraction_of(joined->own), joined->own->spread);
    return good ? fraction : 0; /* such a kernel is held by a relation, or by the derived floor */
}

/* Puts the entry of what was joined, with its limit, into the object of its GPU. */
static void put_entry(json_t *gpu, const struct floor_measurements *all,
                      const struct joined *joined)
{
    const struct floor_measurement *it = joined->own;
    const double limit =
        is_call(it) ? rounded(it->median * (1 + latency_margin)) : fraction_made(joined);
    json_t *entry = json_object(), *origin = origin_json(all, joined, limit);
    for (const char *const *key = it->sort->keys; *key; key++)
        json_object_set(entry, *key, json_object_get(it->line, *key));
    if (is_call(it)) {
        put_floor_latency_ceiling_us(entry, limit);
        put_floor_latency_provenance(entry, origin);
        put(raw_floor_gpu_latencies(gpu), entry, it->sort->keys, limit);
    } else if (it->sort->kind == RECORD_bench) {
        put_floor_entry_fraction_of_ceiling(entry, limit);
        put_floor_entry_provenance(entry, origin);
        put(raw_floor_gpu_floors(gpu), entry, it->sort->keys, limit);
    } else {
        put_floor_ceiling_fraction_of_peak(entry, limit);
        put_floor_ceiling_provenance(entry, origin);
        json_object_set_new(gpu, floors_ceiling_key(it->regime), entry);
    }
}

/* A newer or older program may have measured what this one does not know. */
static bool is_known(const struct floor_measurement *it)
{
    if (is_call(it))
        return floors_is_call(field_latency_call(it->line));
    if (it->sort->kind == RECORD_peak)
        return true;
    const struct kernel *kernel = catalog_known_kernel(field_subject_kernel(it->line));
    return kernel && bench_shape_find(kernel->algorithm, field_shaped_shape(it->line)) >= 0;
}

/* An entry and where a bench measures it. */
struct ranked {
    int shape, kernel;
    enum regime regime;
    json_t *entry;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->shape != b->shape)
        return a->shape - b->shape;
    return a->regime != b->regime ? (int)a->regime - (int)b->regime : a->kernel - b->kernel;
}

/* The floors in the order of a bench, whatever the order of the records: all of their kernels and
 * shapes are known, and none occurs twice. */
static void order_floors(json_t *gpu)
{
    json_t *floors = raw_floor_gpu_floors(gpu), *ordered = json_array(), *entry;
    size_t count = json_array_size(floors), index;
    struct ranked *all = heap_take(count, sizeof *all);
    json_array_foreach(floors, index, entry) {
        const struct kernel *kernel = catalog_known_kernel(field_floor_entry_kernel(entry));
        struct ranked *it = &all[index];
        it->shape = bench_shape_find(kernel->algorithm, field_floor_entry_shape(entry));
        regime_find(field_floor_entry_regime(entry), &it->regime);
        it->kernel = (int)(kernel - kernels);
        it->entry = entry;
    }
    qsort(all, count, sizeof *all, compare_ranked);
    for (index = 0; index < count; index++)
        json_array_append(ordered, all[index].entry);
    free(all);
    json_object_set_new(gpu, "floors", ordered);
}

/* The object of a kind of GPU, made if it is missing. */
static json_t *own_gpu(json_t *root, const struct floor_measurement *it)
{
    const char *name = field_device_name(it->device);
    json_t *gpus = raw_floor_file_gpus(root);
    json_t *gpu = floors_find_gpu(root, name, it->capability);
    if (gpu)
        return gpu;
    gpu = json_object();
    put_floor_gpu_gpu(gpu, name);
    put_floor_gpu_compute_capability(gpu, it->capability);
    put_floor_gpu_floors(gpu, json_array());
    put_floor_gpu_latencies(gpu, json_array());
    json_array_append_new(gpus, gpu);
    return json_array_get(gpus, json_array_size(gpus) - 1);
}

/* Through one path: another may be slower. A floor below the slowest of GPUs that differ much
 * passes the fastest when it is faulty, and the slowest may be so already. */
static bool lie_near(const struct floor_measurements *all, const struct joined *joined,
                     struct reason *ret_reason)
{
    const struct floor_measurement *it = joined->own;
    for (size_t first = joined->first; !is_call(it) && first < all->count;
         first = find_entry(all, first + 1, it, NULL)) {
        double least = fraction_of(&all->items[first]), most = least;
        for (size_t index = first; index < all->count;
             index = find_entry(all, index + 1, it, NULL)) {
            if (strcmp(field_subject_path(all->items[index].line),
                       field_subject_path(all->items[first].line)) != 0)
                continue;
            double fraction = fraction_of(&all->items[index]);
            least = fraction < least ? fraction : least;
            most = fraction > most ? fraction : most;
        }
        if (most <= least * apart_most)
            continue;
        reason_set(ret_reason, REASON_INPUT,
                   "%s %s %s: of one kind of GPU, %.60s, one reaches %.4f and another, or another "
                   "record, %.4f: is one GPU faulty? use --accept-slow if you know all are healthy",
                   it->sort->kind == RECORD_bench ? field_subject_kernel(it->line) : "ceiling",
                   field_shaped_shape(it->line), regime_name(it->regime),
                   field_device_name(it->device), least, most);
        input_file_tame(ret_reason->text);
        return false;
    }
    return true;
}

json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason)
{
    char entry[128];
    json_t *root = json_deep_copy(floors->root);
    for (size_t each = 0; each < measurements->count; each++) {
        const struct floor_measurement *it = &measurements->items[each];
        if (!is_known(it) || find_entry(measurements, 0, it, NULL) != each)
            continue;
        struct joined joined = join(measurements, each);
        if (!measurements->accept_slow && !lie_near(measurements, &joined, ret_reason)) {
            json_decref(root);
            return NULL;
        }
        put_entry(own_gpu(root, it), measurements, &joined);
    }
    size_t index;
    json_t *gpu;
    json_array_foreach(raw_floor_file_gpus(root), index, gpu)
        order_floors(gpu);
    if (floors_check(root, entry, ret_reason))
        return root;
    reason_before(ret_reason, "%s: ", entry);
    json_decref(root);
    return NULL;
}
