/* Measurements out of records (floors_measured.h). Clauses: bandwidth.floor.sound,
 * bandwidth.floor.repeats. */
#include "conformance/floors/floors_measured.h"
#include "conformance/record/record_fields.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/speed/floors.h"
#include "conformance/speed/statistics.h"
#include "conformance/speed/floor_fields.h"
#include "conformance/record/record.h"
#include "conformance/base/verdict.h"
#include "conformance/work/nvml.h"

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
    /* A device without these (the host) is none that floors are kept for. */
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

static const struct floor_source *source_of(const struct reading *reading, const json_t *object)
{
    return source_named(reading, field_subject_device(object));
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

static void read_bounds(const json_t *array, struct floor_measurement *it)
{
    size_t count = json_array_size(array);
    it->repeats = count < BENCH_REPEATS_MAX ? (int)count : BENCH_REPEATS_MAX;
    for (int index = 0; index < it->repeats; index++) {
        const json_t *interval = json_array_get(array, (size_t)index);
        it->lowers[index] = field_interval_lower(interval);
        it->uppers[index] = field_interval_upper(interval);
    }
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
        read_bounds(fractions, it);
    }
    it->spread = statistics_spread(values, count);
    return it->spread <= spread_most;
}

/* False for the regime of a newer program. */
static bool read_regime(const char *name, enum regime *ret)
{
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        if (strcmp(name, regime_name((enum regime)regime)) != 0)
            continue;
        *ret = (enum regime)regime;
        return true;
    }
    return false;
}

static void read_kernel(struct reading *reading, const json_t *line, struct floor_measurement *it)
{
    char regime[16];
    if (!copy_text(field_subject_kernel(line), it->kernel, sizeof it->kernel) ||
        !copy_text(field_shaped_shape(line), it->shape, sizeof it->shape) ||
        !copy_text(field_shaped_regime(line), regime, sizeof regime)) {
        reading->malformed = nameless;
        return;
    }
    if (!read_regime(regime, &it->regime))
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
    if (!read_regime(regime[0] ? regime : regime_name(REGIME_DRAM), &it->regime))
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
    const json_t *(*of_line)(const json_t *line);
    const char *clause;
    const char *unjudged; /* the clause of one that has no limit yet */
    enum floor_kind kind;
    void (*read)(struct reading *reading, const json_t *line, struct floor_measurement *it);
} kinds[] = {
    {line_bench, "bandwidth.floor.kernel", "", FLOOR_KERNEL, read_kernel},
    {line_peak, "bandwidth.ceiling.floor", "", FLOOR_CEILING, read_ceiling},
    {line_latency, "bandwidth.latency.ceiling", "bandwidth.latency.host", FLOOR_LATENCY,
     read_latency},
};

/* How many of what a summary counts: never so many that a sum of them wraps. */
static json_int_t count_of(const json_t *value)
{
    enum { MOST = 1 << 30 };
    json_int_t count = json_integer_value(value);
    return count < 0 || count > MOST ? MOST : count;
}

static void read_summary(struct reading *reading, const json_t *summary)
{
    reading->ended = json_string_length(raw_summary_reason(summary)) == 0;
    reading->failed = count_of(raw_counts_fail(summary)) + count_of(raw_counts_crash(summary)) +
                      count_of(raw_counts_timeout(summary)) + count_of(raw_counts_error(summary));
    /* An exit status of its own: whoever wrote the record counted otherwise. */
    json_int_t status = count_of(raw_summary_exit_status(summary));
    if ((status == EXIT_STATUS_FAIL || status == EXIT_STATUS_HARNESS) && reading->failed == 0)
        reading->failed = 1;
}

static void take_line(void *context, const json_t *line)
{
    struct reading *reading = context;
    const json_t *summary = line_summary(line), *device = line_device(line);
    if (raw_header_record(line) && json_string_length(raw_header_started(line)) >= 10)
        snprintf(reading->date, sizeof reading->date, "%.10s",
                 json_string_value(raw_header_started(line)));
    if (json_is_object(device))
        read_device(reading, device);
    if (json_is_object(summary))
        read_summary(reading, summary);
    reading->slow += field_relation_verdict(line_relation(line)) == VERDICT_FAIL;
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        const json_t *object = kinds[index].of_line(line);
        const struct floor_source *source = source_of(reading, object);
        if (source == NULL || !is_sound(object, kinds[index].clause, kinds[index].unjudged))
            continue;
        reading->slow += field_result_verdict(object) == VERDICT_FAIL;
        const char *disturbed =
            disturbance(reading, source, kinds[index].kind, field_result_sensors(object));
        reading->malformed = disturbed ? disturbed : reading->malformed;
        struct floor_measurement it = {.kind = kinds[index].kind, .source = *source};
        kinds[index].read(reading, object, &it);
    }
}

/* Why nothing of the record may become a floor; NULL where it may. */
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

static bool end_reading(struct reading *reading, const char *path, struct reason *ret_reason)
{
    const char *reason = refusal(reading);
    if (reason)
        reason_set(ret_reason, REASON_INPUT, "%s: %s", path, reason);
    else if (reading->repeats_least < BENCH_REPEATS_FLOORS)
        reason_set(ret_reason, REASON_INPUT,
                   "%s: it has %d repeats, and fewer than %d do not show how far processes differ: "
                   "`assay bench --repeats %d -o RECORD`",
                   path, reading->repeats_least, BENCH_REPEATS_FLOORS, BENCH_REPEATS_FLOORS);
    return reason == NULL && reading->repeats_least >= BENCH_REPEATS_FLOORS;
}

static struct reading begin_reading(struct floor_measurements *measurements)
{
    return (struct reading){.measurements = measurements,
                            .first = measurements->count,
                            .repeats_least = BENCH_REPEATS_MAX};
}

/* Nothing of what is refused stays. */
static bool keep_if(bool good, const struct reading *reading)
{
    if (!good)
        reading->measurements->count = reading->first;
    return good;
}

bool floors_measure(struct floor_measurements *measurements, const char *path,
                    struct reason *ret_reason)
{
    struct reading reading = begin_reading(measurements);
    return keep_if(record_read(path, take_line, &reading, ret_reason) &&
                       end_reading(&reading, path, ret_reason),
                   &reading);
}

bool floors_measure_text(struct floor_measurements *measurements, const char *path,
                         const char *text, size_t bytes, struct reason *ret_reason)
{
    struct reading reading = begin_reading(measurements);
    return keep_if(record_parse(path, text, bytes, take_line, &reading, ret_reason) &&
                       end_reading(&reading, path, ret_reason),
                   &reading);
}

void floors_measurements_free(struct floor_measurements *measurements)
{
    free(measurements->items);
    *measurements = (struct floor_measurements){0};
}
