/* Floors out of measurements, and measurements out of records (floors.h). Clauses:
 * bandwidth.floor.sound, bandwidth.floor.repeats, bandwidth.floor.provenance,
 * bandwidth.floor.few, bandwidth.floor.kind. */
#include "conformance/speed/floors.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/statistics.h"
#include "conformance/work/nvml.h"
#include "fuzz/input_file.h"

enum { DEVICES_MAX = 64, LABEL_BYTES = 32 };

static const double spread_most = 0.5; /* more is no measurement */
static const char nameless[] = "a measurement's line lacks its name";

/* One record while it is read. */
struct reading {
    struct floor_measurements *measurements;
    size_t first; /* measurements before this record's */
    char date[16];
    int device_count;
    char labels[DEVICES_MAX][LABEL_BYTES];
    struct floor_source sources[DEVICES_MAX];
    double sm_khz[DEVICES_MAX], memory_khz[DEVICES_MAX]; /* their own clocks */
    bool ended;
    json_int_t failed, slow; /* failures in all; those of speed alone */
    const char *malformed;   /* why, or NULL */
    bool no_memory;
    int repeats_least;
};

static bool copy_text(const char *text, char *ret, size_t bytes)
{
    return text[0] && snprintf(ret, bytes, "%s", text) < (int)bytes;
}

static const struct floor_source *source_named(const struct reading *reading, const char *label)
{
    for (int index = 0; index < reading->device_count; index++)
        if (strcmp(reading->labels[index], label) == 0)
            return &reading->sources[index];
    return NULL;
}

/* A label of two GPUs would give the one what was measured on the other. */
static void read_device(struct reading *reading, const json_t *device)
{
    char capability[16];
    int major, minor;
    const struct floor_source *known = source_named(reading, field_device_label(device));
    if (reading->device_count == DEVICES_MAX || known) {
        if (known == NULL)
            reading->malformed = "it has too many devices";
        else if (strcmp(field_device_uuid(device), known->uuid) != 0)
            reading->malformed = "two devices in it have one label";
        return;
    }
    int index = reading->device_count;
    struct floor_source *source = &reading->sources[index];
    if (!copy_text(field_device_label(device), reading->labels[index], LABEL_BYTES))
        return;
    /* No floors are kept for a device without these (the host). */
    if (!copy_text(field_device_name(device), source->gpu, sizeof source->gpu) ||
        !copy_text(field_device_uuid(device), source->uuid, sizeof source->uuid) ||
        !copy_text(field_device_compute_capability(device), capability, sizeof capability) ||
        sscanf(capability, "%3d.%2d", &major, &minor) != 2)
        return;
    source->compute_capability = 10 * major + minor;
    reading->sm_khz[index] = value_number(raw_device_sm_clock_khz(device));
    reading->memory_khz[index] = value_number(raw_device_memory_clock_khz(device));
    if (!copy_text(field_device_driver(device), source->driver, sizeof source->driver))
        snprintf(source->driver, sizeof source->driver, "unknown");
    snprintf(source->date, sizeof source->date, "%s", reading->date);
    reading->device_count++;
}

/* A speed that was measured soundly: it passed, was too near to or below the floor of its day, or
 * had none. */
static bool is_sound(const json_t *object, const char *clause, const char *unjudged)
{
    enum verdict verdict = field_result_verdict(object);
    const char *own = field_result_clause(object);
    bool undecided = verdict == VERDICT_INCONCLUSIVE;
    if (field_result_slowed(object) > 0) /* passed though slowed: it is faster otherwise */
        return false;
    return verdict == VERDICT_PASS ||
           ((undecided || verdict == VERDICT_FAIL) && strcmp(own, clause) == 0) ||
           (undecided && unjudged[0] && strcmp(own, unjudged) == 0);
}

/* Why a speed was not that of a healthy GPU left alone, or NULL: then it makes no floor, though it
 * passed. */
static const char *disturbance(const struct reading *reading, const struct floor_source *source,
                               enum floor_kind kind, const json_t *sensors)
{
    ptrdiff_t device = source - reading->sources;
    const json_t *during = field_sensors_during(sensors);
    uint64_t reasons = strtoull(field_reading_reasons(during), NULL, 16);
    if (value_number(raw_sensors_other_processes(sensors)) > 0)
        return "another process used the GPU at the same time";
    if (kind != FLOOR_LATENCY && /* during which the GPU idles */
        (nvml_is_held(value_number(raw_reading_sm_mhz(during)), reading->sm_khz[device], reasons) ||
         nvml_is_held(value_number(raw_reading_memory_mhz(during)), reading->memory_khz[device],
                      reasons)))
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

static void add(struct reading *reading, const struct floor_measurement *it)
{
    struct floor_measurements *all = reading->measurements;
    if (all->calls_only && it->kind != FLOOR_LATENCY)
        return;
    if (ARRAY_ROOM(all->items, all->count))
        all->items[all->count++] = *it;
    else
        reading->no_memory = true;
}

/* Median, ceiling and spread of a line, from its repeats: `speeds` are GB/s or microseconds,
 * `fractions` of what limits them, but for calls, which are limited themselves. */
static bool read_figures(struct reading *reading, const json_t *speeds, const json_t *fractions,
                         struct floor_measurement *it)
{
    double values[BENCH_REPEATS_MAX];
    int count = read_medians(reading, speeds, values);
    if (count == 0)
        return false;
    it->median = statistics_median(values, count);
    if (it->kind != FLOOR_LATENCY) {
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

static void read_kernel(struct reading *reading, const json_t *line, struct floor_measurement *it)
{
    const char *regime = field_shaped_regime(line);
    if (!copy_text(field_subject_kernel(line), it->kernel, sizeof it->kernel) ||
        !copy_text(field_shaped_shape(line), it->shape, sizeof it->shape) || regime[0] == 0) {
        reading->malformed = nameless;
        return;
    }
    if (!regime_find(regime, &it->regime)) /* a newer program's */
        return;
    snprintf(it->path, sizeof it->path, "%s", field_subject_path(line));
    it->element_bytes = (int)value_integer(raw_bench_element_bytes(line));
    if (read_figures(reading, raw_bench_gbps(line), raw_bench_fraction_of_ceiling(line), it))
        add(reading, it);
}

static void read_ceiling(struct reading *reading, const json_t *line, struct floor_measurement *it)
{
    /* An older record has the peak of DRAM alone, and no name for it. */
    const char *regime = field_peak_regime(line);
    if (!regime_find(regime[0] ? regime : regime_name(REGIME_DRAM), &it->regime))
        return;
    if (read_figures(reading, raw_peak_gbps(line), raw_peak_fraction_of_peak(line), it))
        add(reading, it);
}

static void read_latency(struct reading *reading, const json_t *line, struct floor_measurement *it)
{
    if (!copy_text(field_latency_call(line), it->call, sizeof it->call))
        reading->malformed = nameless;
    else if (copy_text(field_latency_cpu(line), it->host.cpu, sizeof it->host.cpu) &&
             copy_text(field_latency_hypervisor(line), it->host.hypervisor,
                       sizeof it->host.hypervisor) &&
             read_figures(reading, raw_latency_us(line), NULL,
                          it)) /* an older record names no host */
        add(reading, it);
}

/* The lines of a record that floors are made of. */
static const struct {
    enum record_kind line;
    const char *clause;
    const char *unjudged; /* the clause of one that has no limit yet */
    enum floor_kind kind;
    void (*read)(struct reading *reading, const json_t *line, struct floor_measurement *it);
} kinds[] = {
    {RECORD_bench, "bandwidth.floor.kernel", "", FLOOR_KERNEL, read_kernel},
    {RECORD_peak, "bandwidth.ceiling.floor", "", FLOOR_CEILING, read_ceiling},
    {RECORD_latency, "bandwidth.latency.ceiling", "bandwidth.latency.host", FLOOR_LATENCY,
     read_latency},
};

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
    if (entry->kind == RECORD_device)
        read_device(reading, object);
    if (entry->kind == RECORD_summary) {
        reading->ended = json_string_length(raw_summary_reason(object)) == 0;
        reading->failed = count_of(raw_counts_fail(object)) + count_of(raw_counts_crash(object)) +
                          count_of(raw_counts_timeout(object)) + count_of(raw_counts_error(object));
        /* An exit status of its own: whoever wrote the record counted otherwise. */
        json_int_t status = count_of(raw_summary_exit_status(object));
        if ((status == EXIT_STATUS_FAIL || status == EXIT_STATUS_HARNESS) && reading->failed == 0)
            reading->failed = 1;
    }
    reading->slow +=
        entry->kind == RECORD_relation && field_relation_verdict(object) == VERDICT_FAIL;
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        const struct floor_source *source = source_named(reading, field_subject_device(object));
        if (kinds[index].line != entry->kind || source == NULL ||
            !is_sound(object, kinds[index].clause, kinds[index].unjudged))
            continue;
        reading->slow += field_result_verdict(object) == VERDICT_FAIL;
        const char *disturbed =
            disturbance(reading, source, kinds[index].kind, field_result_sensors(object));
        reading->malformed = disturbed ? disturbed : reading->malformed;
        struct floor_measurement it = {.kind = kinds[index].kind, .source = *source};
        kinds[index].read(reading, object, &it);
    }
}

/* Why nothing of the record may become a floor; NULL if it may. */
static const char *refusal(const struct reading *reading)
{
    if (reading->no_memory)
        return "no memory for what it measured";
    if (reading->malformed)
        return reading->malformed;
    if (!reading->ended)
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

bool floors_measure_text(struct floor_measurements *measurements, const char *path,
                         const char *text, size_t bytes, struct reason *ret_reason)
{
    struct reading reading = {.measurements = measurements,
                              .first = measurements->count,
                              .repeats_least = BENCH_REPEATS_MAX};
    bool good = text ? record_parse(path, text, bytes, take_line, &reading, ret_reason)
                     : record_read(path, take_line, &reading, ret_reason);
    const char *why = good ? refusal(&reading) : NULL;
    if (why)
        good = reason_set(ret_reason, REASON_INPUT, "%s: %s", path, why);
    else if (good && reading.repeats_least < BENCH_REPEATS_FLOORS)
        good = reason_set(ret_reason, REASON_INPUT,
                          "%s: it has %d repeats, and fewer than %d do not show how far processes "
                          "differ: `assay bench --repeats %d -o RECORD`",
                          path, reading.repeats_least, BENCH_REPEATS_FLOORS, BENCH_REPEATS_FLOORS);
    if (!good)
        measurements->count = reading.first;
    return good;
}

bool floors_measure(struct floor_measurements *measurements, const char *path,
                    struct reason *ret_reason)
{
    return floors_measure_text(measurements, path, NULL, 0, ret_reason);
}

void floors_measurements_free(struct floor_measurements *measurements)
{
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
    double own = it->kind == FLOOR_LATENCY ? -it->median : fraction_of(it);
    double other = it->kind == FLOOR_LATENCY ? -than->median : fraction_of(than);
    if (own != other)
        return own < other;
    if (it->spread != than->spread)
        return it->spread > than->spread;
    return strcmp(it->source.uuid, than->source.uuid) < 0;
}

static bool is_same_entry(const struct floor_measurement *left,
                          const struct floor_measurement *right)
{
    return left->kind == right->kind && strcmp(left->source.gpu, right->source.gpu) == 0 &&
           left->source.compute_capability == right->source.compute_capability &&
           strcmp(left->kernel, right->kernel) == 0 && strcmp(left->shape, right->shape) == 0 &&
           left->regime == right->regime && left->element_bytes == right->element_bytes &&
           strcmp(left->call, right->call) == 0 && strcmp(left->host.cpu, right->host.cpu) == 0 &&
           strcmp(left->host.hypervisor, right->host.hypervisor) == 0;
}

/* The first measurement from `begin` on of an entry, and of a GPU unless `uuid` is NULL. */
static size_t find_entry(const struct floor_measurements *all, size_t begin,
                         const struct floor_measurement *like, const char *uuid)
{
    while (begin < all->count && (!is_same_entry(&all->items[begin], like) ||
                                  (uuid && strcmp(all->items[begin].source.uuid, uuid) != 0)))
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
        if (it->kind == FLOOR_LATENCY)
            continue;
        struct floor_span span = floor_span_of(fraction_of(it), it->spread);
        for (int repeat = 0; repeat < it->repeats; repeat++)
            if (it->lowers[repeat] > 0 && it->lowers[repeat] < span.bound)
                span.bound = it->lowers[repeat];
        span.gpus = find_entry(all, first, like, it->source.uuid) == index;
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
    put_floor_origin_gpu(object, it->source.gpu);
    put_floor_origin_driver(object, it->source.driver);
    put_floor_origin_date(object, it->source.date);
}

/* The provenance of a fraction. */
static json_t *bandwidth_origin(const struct floor_measurements *all, const struct joined *joined,
                                double fraction)
{
    const struct floor_measurement *it = joined->own;
    json_t *object = json_object();
    double loss = found_loss(all, joined->first, fraction);
    put_floor_bandwidth_median_gbps(object, rounded(it->median));
    put_floor_bandwidth_ceiling_gbps(object, rounded(it->ceiling_gbps));
    put_floor_origin_spread(object, rounded(it->spread));
    put_floor_origin_margin(object, rounded(1 - fraction / fraction_of(it)));
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
    for (size_t index = 0; index < json_array_size(array); index++) {
        const json_t *older = json_array_get(array, index);
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(older, *key), json_object_get(entry, *key)))
            key++;
        if (*key == NULL)
            json_array_remove(array, index--);
    }
    if (limit > 0)
        json_array_append(array, entry);
    json_decref(entry);
}

/* The floor of what was joined; 0 if it would not be positive. */
static double fraction_made(const struct joined *joined)
{
    double fraction = floor_span_fraction_of_kind(joined->span);
    bool good = floors_is_fraction(fraction, fraction_of(joined->own), joined->own->spread);
    return good ? fraction : 0; /* such a kernel is held by a relation, or by the derived floor */
}

static void put_kernel(json_t *gpu, const struct floor_measurements *all,
                       const struct joined *joined)
{
    const struct floor_measurement *it = joined->own;
    double fraction = fraction_made(joined);
    json_t *entry = json_object();
    put_floor_entry_kernel(entry, it->kernel);
    put_floor_entry_shape(entry, it->shape);
    put_floor_entry_regime(entry, regime_name(it->regime));
    put_floor_entry_element_bytes(entry, it->element_bytes);
    put_floor_entry_fraction_of_ceiling(entry, fraction);
    put_floor_entry_provenance(entry, bandwidth_origin(all, joined, fraction));
    put(raw_floor_gpu_floors(gpu), entry, floors_entry_keys, fraction);
}

static void put_ceiling(json_t *gpu, const struct floor_measurements *all,
                        const struct joined *joined)
{
    double fraction = fraction_made(joined);
    json_t *ceiling = json_object();
    put_floor_ceiling_fraction_of_peak(ceiling, fraction);
    put_floor_ceiling_provenance(ceiling, bandwidth_origin(all, joined, fraction));
    json_object_set_new(gpu, floors_ceiling_key(joined->own->regime), ceiling);
}

static void put_latency(json_t *gpu, const struct floor_measurements *all,
                        const struct joined *joined)
{
    const struct floor_measurement *it = joined->own;
    double ceiling_us = rounded(it->median * (1 + latency_margin));
    json_t *entry = json_object(), *origin = json_object();
    (void)all;
    put_floor_time_median_us(origin, rounded(it->median));
    put_floor_origin_spread(origin, rounded(it->spread));
    put_floor_origin_margin(origin, rounded(latency_margin));
    put_origin(origin, it);
    put_floor_latency_call(entry, it->call);
    put_floor_latency_cpu(entry, it->host.cpu);
    put_floor_latency_hypervisor(entry, it->host.hypervisor);
    put_floor_latency_ceiling_us(entry, ceiling_us);
    put_floor_latency_provenance(entry, origin);
    put(raw_floor_gpu_latencies(gpu), entry, floors_latency_keys, ceiling_us);
}

/* A newer or older program may have measured what this one does not know. */
static bool is_known(const struct floor_measurement *it)
{
    if (it->kind == FLOOR_LATENCY)
        return floors_is_call(it->call);
    if (it->kind == FLOOR_CEILING)
        return true;
    const struct kernel *kernel = catalog_known_kernel(it->kernel);
    return kernel && bench_shape_find(kernel->algorithm, it->shape) >= 0;
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
 * shapes are known, and none occurs twice. False without memory. */
static bool order_floors(json_t *gpu)
{
    json_t *floors = raw_floor_gpu_floors(gpu), *ordered = json_array(), *entry;
    size_t count = json_array_size(floors), index;
    struct ranked *all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return false;
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
    return json_object_set_new(gpu, "floors", ordered) == 0;
}

/* The object of a kind of GPU, made if it is missing. */
static json_t *own_gpu(json_t *root, const struct floor_source *source)
{
    json_t *gpus = raw_floor_file_gpus(root);
    json_t *gpu = floors_find_gpu(root, source->gpu, source->compute_capability);
    if (gpu)
        return gpu;
    gpu = json_object();
    put_floor_gpu_gpu(gpu, source->gpu);
    put_floor_gpu_compute_capability(gpu, source->compute_capability);
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
    for (size_t first = joined->first; it->kind != FLOOR_LATENCY && first < all->count;
         first = find_entry(all, first + 1, it, NULL)) {
        double least = fraction_of(&all->items[first]), most = least;
        for (size_t index = first; index < all->count;
             index = find_entry(all, index + 1, it, NULL)) {
            if (strcmp(all->items[index].path, all->items[first].path) != 0)
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
                   it->kind == FLOOR_KERNEL ? it->kernel : "ceiling", it->shape,
                   regime_name(it->regime), it->source.gpu, least, most);
        input_file_tame(ret_reason->text);
        return false;
    }
    return true;
}

json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason)
{
    static void (*const puts[])(json_t * gpu, const struct floor_measurements *all,
                                const struct joined *joined) = {
        [FLOOR_KERNEL] = put_kernel, [FLOOR_CEILING] = put_ceiling, [FLOOR_LATENCY] = put_latency};
    char entry[128];
    json_t *root = json_deep_copy(floors->root);
    for (size_t each = 0; root && each < measurements->count; each++) {
        const struct floor_measurement *it = &measurements->items[each];
        if (!is_known(it) || find_entry(measurements, 0, it, NULL) != each)
            continue;
        struct joined joined = join(measurements, each);
        if (!measurements->accept_slow && !lie_near(measurements, &joined, ret_reason)) {
            json_decref(root);
            return NULL;
        }
        puts[it->kind](own_gpu(root, &it->source), measurements, &joined);
    }
    size_t index;
    json_t *gpu;
    bool ordered = root != NULL;
    json_array_foreach(raw_floor_file_gpus(root), index, gpu)
        ordered &= order_floors(gpu);
    if (ordered && floors_check(root, entry, ret_reason))
        return root;
    if (ordered)
        reason_before(ret_reason, "%s: ", entry);
    else
        reason_set(ret_reason, REASON_SYSTEM, "no memory for the floors");
    json_decref(root);
    return NULL;
}
