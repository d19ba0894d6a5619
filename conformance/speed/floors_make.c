/* Floors out of measurements, and measurements out of records (floors.h). Clauses:
 * bandwidth.floor.sound, bandwidth.floor.repeats, bandwidth.floor.provenance,
 * bandwidth.floor.few, bandwidth.floor.kind. */
#include "conformance/speed/floors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/record/lines.h"
#include "conformance/record/record.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/statistics.h"
#include "conformance/work/nvml.h"

static const double spread_most = 0.5; /* more is no measurement */
static const char nameless[] = "a measurement's line lacks its name";

/* The clauses of the lines that floors are made of. */
static const struct floor_clauses {
    const char *below;    /* of one that is below its limit, or too near to it */
    const char *link;     /* the same of a copy over a link; NULL: it crosses none */
    const char *unjudged; /* of one that has no limit yet; NULL: of this kind none is so */
} clauses[RECORD_KIND_COUNT] = {
    [RECORD_bench] = {"bandwidth.floor.kernel", "bandwidth.link.floor", NULL},
    [RECORD_peak] = {"bandwidth.ceiling.floor", NULL, NULL},
    [RECORD_latency] = {"bandwidth.latency.ceiling", NULL, "bandwidth.latency.host"},
};

static bool is_call(const struct line *line)
{
    return line->kind == RECORD_latency;
}

/* GB/s, of a call microseconds: its one figure. */
static struct intervals speeds_of(const struct line *line)
{
    struct line_figure figures[LINE_FIGURES_MAX];
    return line_figures(line, figures) > 0 ? figures[0].repeats : (struct intervals){.count = 0};
}

/* The fractions of what limits it; none of a call, which is itself limited. */
static struct intervals fractions_of(const struct line *line)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    return bench  ? bench->fraction_of_ceiling
           : peak ? peak->fraction_of_peak
                  : (struct intervals){.count = 0};
}

/* One record while it is read. */
struct reading {
    struct floor_measurements *measurements;
    size_t first; /* measurements before this record's */
    char date[16];
    const struct line_device **devices; /* those that floors are kept for */
    size_t device_count;
    bool ended, has_end;   /* the plan, the record */
    int64_t failed, slow;  /* failures in all; those of speed alone */
    const char *malformed; /* why, or NULL */
    int repeats_least;
};

/* 90 of "9.0"; 0 if the device has none. */
static int capability_of(const struct line_device *device)
{
    int major = 0, minor = 0;
    const bool has = sscanf(device->compute_capability, "%3d.%2d", &major, &minor) == 2;
    return has ? 10 * major + minor : 0;
}

static bool is_clause(const char *own, const char *clause)
{
    return clause && strcmp(own, clause) == 0;
}

/* A speed that was measured soundly: it passed, was too near to or below the floor of its day, or
 * had none. */
static bool is_sound(const struct line *line)
{
    const struct line_result *result = LINE_PART(result, line);
    const struct floor_clauses *of = &clauses[line->kind];
    const bool undecided = result->verdict == VERDICT_INCONCLUSIVE;
    const bool is_speed =
        is_clause(result->clause, of->below) || is_clause(result->clause, of->link);
    if (result->slowed > 0) /* passed though slowed: it is faster otherwise */
        return false;
    return result->verdict == VERDICT_PASS ||
           ((undecided || result->verdict == VERDICT_FAIL) && is_speed) ||
           (undecided && is_clause(result->clause, of->unjudged));
}

/* Why a speed was not that of a healthy GPU left alone, or NULL: then it makes no floor, though it
 * passed. */
static const char *disturbance(const struct line_device *device, const struct line *line)
{
    const struct line_sensors *sensors = LINE_PART(result, line)->sensors;
    const uint64_t reasons = strtoull(sensors->reasons, NULL, 16);
    if (sensors->other_processes > 0)
        return "another process used the GPU at the same time";
    if (!is_call(line) && /* during a call the GPU idles */
        (nvml_is_held((double)sensors->sm_mhz, (double)device->sm_clock_khz, reasons) ||
         nvml_is_held((double)sensors->memory_mhz, (double)device->memory_clock_khz, reasons)))
        return "the GPU's clocks were below its own, and nothing slowed it: they were locked";
    return NULL;
}

/* The medians of the repeats; their number. */
static int read_medians(struct reading *reading, struct intervals repeats,
                        double ret[BENCH_REPEATS_MAX])
{
    int count = 0;
    for (size_t index = 0; index < repeats.count && count < BENCH_REPEATS_MAX; index++) {
        const double median = repeats.each[index].median;
        if (median <= 0)
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
    const struct intervals fractions = fractions_of(it->line);
    double values[BENCH_REPEATS_MAX];
    int count = read_medians(reading, speeds_of(it->line), values);
    if (count == 0)
        return false;
    it->median = statistics_median(values, count);
    if (!is_call(it->line)) {
        count = read_medians(reading, fractions, values);
        if (count == 0)
            return false;
        it->ceiling_gbps = it->median / statistics_median(values, count);
        it->repeats = count;
        for (int index = 0; index < count; index++) {
            it->lowers[index] = fractions.each[index].lower;
            it->uppers[index] = fractions.each[index].upper;
        }
    }
    it->spread = statistics_spread(values, count);
    return it->spread <= spread_most;
}

/* True unless the line lacks what names it. An older record has the peak of DRAM alone, and no name
 * for it. */
static bool has_name(const struct line *line)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_latency *call = LINE_AS(latency, line);
    if (bench)
        return bench->subject.kernel[0] && bench->shaped.shape[0] && bench->shaped.regime[0];
    return call == NULL || call->call[0];
}

/* True if this program keeps floors of it, in that regime. An older record names no host of a call,
 * and a newer program may know other regimes. */
static bool find_regime(const struct line *line, enum regime *ret)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    const struct line_latency *call = LINE_AS(latency, line);
    if (call)
        return call->cpu[0] && call->hypervisor[0];
    const char *regime = bench ? bench->shaped.regime : peak->regime;
    return regime_find(regime[0] ? regime : regime_name(REGIME_DRAM), ret);
}

static void measure(struct reading *reading, const struct line *line,
                    const struct line_device *device)
{
    struct floor_measurements *all = reading->measurements;
    struct floor_measurement it = {
        .line = line, .device = device, .capability = capability_of(device)};
    if (!has_name(line))
        reading->malformed = nameless;
    else if (find_regime(line, &it.regime) && read_figures(reading, &it) &&
             (is_call(line) || !all->calls_only)) {
        snprintf(it.date, sizeof it.date, "%s", reading->date);
        HEAP_ROOM(all->items, all->count);
        all->items[all->count++] = it;
    }
}

static const struct line_device *find_device(const struct reading *reading, const char *label)
{
    size_t index = 0;
    while (index < reading->device_count && strcmp(reading->devices[index]->label, label) != 0)
        index++;
    return index < reading->device_count ? reading->devices[index] : NULL;
}

typedef void line_taker(struct reading *reading, const struct line *line);

static void take_header(struct reading *reading, const struct line *line)
{
    const struct line_header *header = LINE_AS(header, line);
    if (strlen(header->started) >= 10)
        snprintf(reading->date, sizeof reading->date, "%.10s", header->started);
}

/* A label of two GPUs would give the one what was measured on the other. No floors are kept for a
 * device without a name, an identity and a capability (the host). */
static void take_device(struct reading *reading, const struct line *line)
{
    const struct line_device *device = LINE_AS(device, line);
    const struct line_device *known = find_device(reading, device->label);
    if (known && strcmp(device->uuid, known->uuid) != 0)
        reading->malformed = "two devices in it have one label";
    else if (!known && device->name[0] && device->uuid[0] && capability_of(device) > 0) {
        HEAP_ROOM(reading->devices, reading->device_count);
        reading->devices[reading->device_count++] = device;
    }
}

/* The failures that a summary counts: of each verdict so many at most, few enough for a sum. */
static int64_t failures_of(const struct line_summary *summary)
{
    enum { MOST = 1 << 30 };
    uint64_t counts[VERDICT_COUNT];
    int64_t failures = 0;
    line_counts(&summary->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict_is_failure((enum verdict)verdict) || verdict == VERDICT_ERROR)
            failures += counts[verdict] > MOST ? MOST : (int64_t)counts[verdict];
    return failures;
}

static void take_summary(struct reading *reading, const struct line *line)
{
    const struct line_summary *summary = LINE_AS(summary, line);
    reading->failed = failures_of(summary);
    reading->ended = summary->reason[0] == 0 || summary->is_whole;
    /* An exit status of its own: whoever wrote the record counted otherwise. */
    if ((summary->exit_status == EXIT_STATUS_FAIL || summary->exit_status == EXIT_STATUS_HARNESS) &&
        reading->failed == 0)
        reading->failed = 1;
}

static void take_relation(struct reading *reading, const struct line *line)
{
    reading->slow += LINE_AS(relation, line)->verdict == VERDICT_FAIL;
}

static void take_speed(struct reading *reading, const struct line *line)
{
    const struct line_device *device = find_device(reading, line_view(line).device);
    if (device == NULL || !is_sound(line))
        return;
    reading->slow += LINE_PART(result, line)->verdict == VERDICT_FAIL;
    const char *disturbed = disturbance(device, line);
    reading->malformed = disturbed ? disturbed : reading->malformed;
    measure(reading, line, device);
}

static void take_line(void *context, const struct record_entry *entry)
{
    static line_taker *const takers[RECORD_KIND_COUNT] = {
        [RECORD_header] = take_header,     [RECORD_device] = take_device,
        [RECORD_summary] = take_summary,   [RECORD_bench] = take_speed,
        [RECORD_peak] = take_speed,        [RECORD_latency] = take_speed,
        [RECORD_relation] = take_relation,
    };
    struct reading *reading = context;
    reading->has_end = entry->kind == RECORD_end;
    if (takers[entry->kind])
        takers[entry->kind](reading,
                            line_read(&reading->measurements->lines, entry->kind, entry->object));
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

bool floors_measure_text(struct floor_measurements *measurements, const char *path,
                         const char *text, size_t bytes, struct reason *ret_reason)
{
    struct reading reading = {.measurements = measurements,
                              .first = measurements->count,
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
        measurements->count = reading.first;
    free(reading.devices);
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
    zone_free(&measurements->lines);
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
    double own = is_call(it->line) ? -it->median : fraction_of(it);
    double other = is_call(it->line) ? -than->median : fraction_of(than);
    if (own != other)
        return own < other;
    if (it->spread != than->spread)
        return it->spread > than->spread;
    return strcmp(it->device->uuid, than->device->uuid) < 0;
}

static bool is_same_speed(const struct line_bench *left, const struct line_bench *right)
{
    return strcmp(left->subject.kernel, right->subject.kernel) == 0 &&
           strcmp(left->shaped.shape, right->shaped.shape) == 0 &&
           left->element_bytes == right->element_bytes;
}

static bool is_same_call(const struct line_latency *left, const struct line_latency *right)
{
    return strcmp(left->call, right->call) == 0 && strcmp(left->cpu, right->cpu) == 0 &&
           strcmp(left->hypervisor, right->hypervisor) == 0;
}

/* Through whichever path. */
static bool is_same_entry(const struct floor_measurement *left,
                          const struct floor_measurement *right)
{
    const struct line_bench *bench = LINE_AS(bench, left->line);
    const struct line_latency *call = LINE_AS(latency, left->line);
    return left->line->kind == right->line->kind && left->regime == right->regime &&
           left->capability == right->capability &&
           strcmp(left->device->name, right->device->name) == 0 &&
           (bench == NULL || is_same_speed(bench, LINE_AS(bench, right->line))) &&
           (call == NULL || is_same_call(call, LINE_AS(latency, right->line)));
}

/* The first measurement from `begin` on of an entry, and of a GPU unless `uuid` is NULL. */
static size_t find_entry(const struct floor_measurements *all, size_t begin,
                         const struct floor_measurement *like, const char *uuid)
{
    while (begin < all->count && (!is_same_entry(&all->items[begin], like) ||
                                  (uuid && strcmp(all->items[begin].device->uuid, uuid) != 0)))
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
        if (is_call(it->line))
            continue;
        struct floor_span span = floor_span_of(fraction_of(it), it->spread);
        for (int repeat = 0; repeat < it->repeats; repeat++)
            if (it->lowers[repeat] > 0 && it->lowers[repeat] < span.bound)
                span.bound = it->lowers[repeat];
        span.gpus = find_entry(all, first, like, it->device->uuid) == index;
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
    const char *driver = it->device->driver;
    put_floor_origin_gpu(object, it->device->name);
    put_floor_origin_driver(object, driver[0] ? driver : "unknown");
    put_floor_origin_date(object, it->date);
}

/* The provenance of a limit. */
static json_t *origin_json(const struct floor_measurements *all, const struct joined *joined,
                           double limit)
{
    const struct floor_measurement *it = joined->own;
    json_t *object = json_object();
    if (is_call(it->line)) {
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

static bool has_keys_of(const json_t *left, const json_t *right, const char *const *keys)
{
    while (*keys && json_equal(json_object_get(left, *keys), json_object_get(right, *keys)))
        keys++;
    return *keys == NULL;
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
    const struct line_bench *bench = LINE_AS(bench, it->line);
    const struct line_latency *call = LINE_AS(latency, it->line);
    const double limit = call ? rounded(it->median * (1 + latency_margin)) : fraction_made(joined);
    json_t *entry = json_object(), *origin = origin_json(all, joined, limit);
    if (call) {
        put_floor_latency_call(entry, call->call);
        put_floor_latency_cpu(entry, call->cpu);
        put_floor_latency_hypervisor(entry, call->hypervisor);
        put_floor_latency_ceiling_us(entry, limit);
        put_floor_latency_provenance(entry, origin);
        put(raw_floor_gpu_latencies(gpu), entry, floors_latency_keys, limit);
    } else if (bench) {
        put_floor_entry_kernel(entry, bench->subject.kernel);
        put_floor_entry_shape(entry, bench->shaped.shape);
        put_floor_entry_regime(entry, bench->shaped.regime);
        put_floor_entry_element_bytes(entry, (int64_t)bench->element_bytes);
        put_floor_entry_fraction_of_ceiling(entry, limit);
        put_floor_entry_provenance(entry, origin);
        put(raw_floor_gpu_floors(gpu), entry, floors_entry_keys, limit);
    } else {
        put_floor_ceiling_fraction_of_peak(entry, limit);
        put_floor_ceiling_provenance(entry, origin);
        json_object_set_new(gpu, floors_ceiling_key(it->regime), entry);
    }
}

/* A newer or older program may have measured what this one does not know. */
static bool is_known(const struct line *line)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_latency *call = LINE_AS(latency, line);
    if (call)
        return floors_is_call(call->call);
    if (bench == NULL)
        return true;
    const struct kernel *kernel = catalog_known_kernel(bench->subject.kernel);
    return kernel && bench_shape_find(kernel->algorithm, bench->shaped.shape) >= 0 &&
           bench->element_bytes > 0;
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
    const char *name = it->device->name;
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

static const char *path_of(const struct line *line)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    return bench ? bench->subject.path : "";
}

/* Through one path: another may be slower. A floor below the slowest of GPUs that differ much
 * passes the fastest when it is faulty, and the slowest may be so already. */
static bool lie_near(const struct floor_measurements *all, const struct joined *joined,
                     struct reason *ret_reason)
{
    const struct floor_measurement *it = joined->own;
    const struct line_bench *bench = LINE_AS(bench, it->line);
    for (size_t first = joined->first; !is_call(it->line) && first < all->count;
         first = find_entry(all, first + 1, it, NULL)) {
        double least = fraction_of(&all->items[first]), most = least;
        for (size_t index = first; index < all->count;
             index = find_entry(all, index + 1, it, NULL)) {
            if (strcmp(path_of(all->items[index].line), path_of(all->items[first].line)) != 0)
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
                   bench ? bench->subject.kernel : "ceiling", bench ? bench->shaped.shape : "",
                   regime_name(it->regime), it->device->name, least, most);
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
        if (!is_known(it->line) || find_entry(measurements, 0, it, NULL) != each)
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
