/* The lines that a bench adds to a record (spec/record.md, spec/record.schema.json), one function
 * each. Clause: record.schema.complete. */
#include "conformance/speed/bench.h"

#include <inttypes.h>
#include <string.h>

/* The repeats that were measured. */
static struct intervals repeats_of(struct zone *zone,
                                   const struct interval intervals[BENCH_REPEATS_MAX])
{
    struct interval *each = zone_take(zone, BENCH_REPEATS_MAX * sizeof *each);
    struct intervals ret = {.each = each};
    for (int repeat = 0; repeat < BENCH_REPEATS_MAX; repeat++)
        if (intervals[repeat].median > 0)
            each[ret.count++] = intervals[repeat];
    return ret;
}

static const struct line_sensors *sensors_of(struct zone *zone, const struct bench_result *result)
{
    const struct nvml_reading *it = &result->during;
    char reasons[24] = "";
    if (it->reasons)
        snprintf(reasons, sizeof reasons, "0x%" PRIx64, it->reasons);
    return LINE_OBJECT(zone, sensors, .sm_mhz = it->sm_mhz, .memory_mhz = it->memory_mhz,
                       .temperature_c = it->temperature_c, .power_w = it->power_mw * 1e-3,
                       .reasons = zone_text(zone, reasons),
                       .ecc_uncorrected = result->after.ecc_uncorrected,
                       .other_processes = (uint64_t)result->company.others);
}

static const struct line_limit *limit_of(struct zone *zone, const struct limit *it)
{
    return LINE_OBJECT(zone, limit, .limit = it->value, .measured = it->measured, .from = it->from,
                       .found_loss = it->found_loss);
}

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

struct line_result bench_line_result(struct zone *zone, const struct bench_result *it)
{
    return (struct line_result){
        .verdict = it->finding.verdict,
        .clause = zone_text(zone, it->finding.clause),
        .note = zone_text(zone, it->finding.note),
        .samples = (uint64_t)it->samples,
        .slowed = (uint64_t)it->slowed,
        .discarded_slowed = (uint64_t)it->throttled,
        .discarded_late = (uint64_t)it->late,
        .batch = (uint64_t)it->batch,
        .event_ratio = it->event_ratio,
        .settled_of = it->settled > 0 ? (uint64_t)it->settled_of : 0,
        .processes = (uint64_t)it->processes,
        .sensors = sensors_of(zone, it),
    };
}

static const char *case_of(struct zone *zone, const struct bench_group *group)
{
    char text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
    return zone_text(zone, text);
}

struct line_shaped bench_line_shaped(struct zone *zone, const struct bench_group *group)
{
    const struct traffic traffic = bench_traffic(group);
    return (struct line_shaped){
        .shape = group->name,
        .regime = regime_name(group->regime),
        .case_text = case_of(zone, group),
        .footprint_bytes = group->footprint_bytes,
        .read_bytes = traffic.read_bytes,
        .written_bytes = traffic.written_bytes,
        .sector_bytes = bench_model_bytes(&group->test_case, 0),
        .memory_bytes = group->memory_bytes,
    };
}

struct line_work bench_line_work(const struct bench_group *group, double gbps)
{
    const struct traffic traffic = bench_traffic(group);
    const bool computes = traffic.flops > 0;
    return (struct line_work){
        .flops = traffic.flops,
        .flops_per_byte = computes ? bench_intensity(group) : 0,
        .gflops = computes ? gbps * bench_intensity(group) : 0,
    };
}

static struct line_subject subject_of(struct zone *zone, const struct bench *bench,
                                      struct subject subject)
{
    char name[CATALOG_NAME_BYTES];
    return (struct line_subject){
        .device = label(bench),
        .kernel = zone_text(zone, catalog_name(subject.kernel, name)),
        .path = path_name(subject.path),
    };
}

/* The command that measures a row again, with the options of this bench. */
enum { BENCH_REPLAY_BYTES = 512 + PATH_OPTION_BYTES + LIMIT_OPTIONS_BYTES };
static const char *bench_replay(const struct bench *bench, int row,
                                char ret_text[BENCH_REPLAY_BYTES])
{
    const struct options *options = bench->session->options;
    const struct subject *subject = &bench->plan.rows[row].subject;
    char name[CATALOG_NAME_BYTES], bytes[32] = "", units[PATH_OPTION_BYTES];
    char files[LIMIT_OPTIONS_BYTES];
    if (options->bytes)
        snprintf(bytes, sizeof bytes, " --bytes %" PRIu64, options->bytes);
    snprintf(ret_text, BENCH_REPLAY_BYTES,
             "assay bench --device %s%s%s%s --repeats %d --samples %d --seed %" PRIu64 "%s%s %s",
             label(bench), device_kind(bench->info)->has_choice ? " --path " : "",
             device_kind(bench->info)->has_choice ? path_name(subject->path) : "",
             path_option(subject->path, units), bench->repeats, bench->samples, options->seed,
             bytes, limit_options(options->gpu, "floors", options->floors, files),
             catalog_name(subject->kernel, name));
    return ret_text;
}

const struct line *bench_line_row(const struct bench *bench, int row, struct zone *zone)
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_result *result = &bench->results[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    char name[CATALOG_NAME_BYTES], replay[BENCH_REPLAY_BYTES];
    const struct floor_key key = bench_floor_key(bench, row, name);
    const double gbps = bench_median(result->gbps, bench_repeats(bench, result)),
                 peak = bench_peak_gbps(bench->info, REGIME_DRAM);
    const struct line_work work = bench_line_work(group, gbps);
    return LINE(
        zone, bench, .subject = subject_of(zone, bench, it->subject),
        .shaped = bench_line_shaped(zone, group), .element_bytes = (uint64_t)key.element_bytes,
        .result = bench_line_result(zone, result), .buffers = (uint64_t)result->buffers,
        .gbps = repeats_of(zone, result->gbps),
        .fraction_of_ceiling = repeats_of(zone, result->fraction),
        .floor = limit_of(zone, &result->limit),
        .replay = bench_is_open(result) ? zone_text(zone, bench_replay(bench, row, replay)) : NULL,
        .fraction_of_peak = peak > 0 ? gbps / peak : 0, .work = work,
        .roofline_gbps = work.flops > 0 ? bench_roofline(bench, row, 0).median : 0);
}

const struct line *bench_line_ceiling(const struct bench *bench, int group, struct zone *zone)
{
    const struct bench_ceiling *it = &bench->ceilings[group];
    const struct bench_group *measured = &bench->plan.groups[group];
    const struct traffic traffic = bench_traffic(measured);
    const struct finding *memcpy_finding = &it->memcpy_result.finding,
                         *copy_finding = &it->copy_result.finding;
    char name[CATALOG_NAME_BYTES];
    return LINE(
        zone, ceiling, .device = label(bench), .shape = measured->name,
        .regime = regime_name(measured->regime), .case_text = case_of(zone, measured),
        .footprint_bytes = measured->footprint_bytes, .read_bytes = traffic.read_bytes,
        .written_bytes = traffic.written_bytes,
        .copy_kernel = zone_text(zone, catalog_name(bench->plan.copy_kernel.kernel, name)),
        .memcpy_verdict = memcpy_finding->verdict,
        .memcpy_gbps = repeats_of(zone, it->memcpy_result.gbps),
        .copy_verdict = copy_finding->verdict, .copy_gbps = repeats_of(zone, it->copy_result.gbps),
        .note = memcpy_finding->note[0] ? memcpy_finding->note : copy_finding->note,
        .settled_of = it->copy_result.settled > 0 ? (uint64_t)it->copy_result.settled_of : 0);
}

const struct line *bench_line_peak(const struct bench *bench, enum regime regime, struct zone *zone)
{
    const struct bench_result *result = &bench->peaks[regime];
    return LINE(zone, peak, .device = label(bench), .regime = regime_name(regime),
                .derived_gbps = bench_peak_gbps(bench->info, regime),
                .derived_gflops = device_peak_gflops(bench->info),
                .result = bench_line_result(zone, result), .gbps = repeats_of(zone, result->gbps),
                .fraction_of_peak = repeats_of(zone, result->fraction),
                .floor = limit_of(zone, &result->limit), .sensors_note = bench->sensors_why);
}

const struct line *bench_line_latency(const struct bench *bench, int call, struct zone *zone)
{
    const struct bench_result *result = &bench->latencies[call];
    return LINE(zone, latency, .call = bench_latency_name(call), .device = label(bench),
                .cpu = bench->host.cpu, .hypervisor = bench->host.hypervisor,
                .result = bench_line_result(zone, result), .us = repeats_of(zone, result->unit_us),
                .ceiling = limit_of(zone, &result->limit));
}

static struct texts texts_of(struct zone *zone, const json_t *values)
{
    const char **each = zone_take(zone, json_array_size(values) * sizeof *each);
    struct texts ret = {.each = each};
    const json_t *value;
    for (size_t at = 0; (value = value_next(values, &at)) != NULL;)
        each[ret.count++] = value_text(value);
    return ret;
}

const struct line *bench_line_relation(const struct bench *bench, int index, struct zone *zone)
{
    const struct bench_relation *it = &bench->relations[index];
    const struct relation *relation = &it->relation;
    return LINE(zone, relation, .clause = relation->clause,
                .subject = {.device = label(bench),
                            .kernel = relation->kernel,
                            .path = path_name(it->path)},
                .shape = relation->shape, .against = relation->against,
                .against_shape = relation->against_shape, .regime = regime_name(relation->regime),
                .verdict = it->finding.verdict, .applies = it->applies, .note = it->finding.note,
                .ratio = repeats_of(zone, it->ratio), .least_ratio = relation->least_ratio,
                .most_ratio = relation->most_ratio, .gpus = texts_of(zone, relation->gpus));
}

const struct line *bench_line_sweep(const struct bench *bench, int row, struct zone *zone)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_row *it = &sweep->plan.rows[row];
    const struct bench_group *point = &sweep->plan.groups[it->group];
    const struct bench_result *result = &sweep->results[row], *library = &sweep->library,
                              *memcpy_result = &sweep->ceiling.memcpy_result,
                              *copy_result = &sweep->ceiling.copy_result;
    return LINE(zone, sweep, .figure = point->figure, .at = (uint64_t)point->at,
                .subject = subject_of(zone, bench, it->subject),
                .shaped = bench_line_shaped(zone, point),
                .element_bytes = (uint64_t)case_view(&point->test_case, 0).element_bytes,
                .work = bench_line_work(point, result->gbps[0].median),
                .result = bench_line_result(zone, result), .buffers = (uint64_t)result->buffers,
                .gbps = repeats_of(zone, result->gbps),
                .memcpy_gbps = repeats_of(zone, memcpy_result->gbps),
                .memcpy_verdict = {true, memcpy_result->finding.verdict},
                .copy_gbps = repeats_of(zone, copy_result->gbps),
                .copy_verdict = {true, copy_result->finding.verdict},
                .library = sweep->has_library ? zone_text(zone, library->finding.note) : NULL,
                .library_verdict = {sweep->has_library, library->finding.verdict},
                .library_gbps = sweep->has_library ? repeats_of(zone, library->gbps)
                                                   : (struct intervals){.count = 0});
}
