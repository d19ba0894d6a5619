/* The lines that a bench adds to a record (spec/record.md, spec/record.schema.json), one function
 * each. Clause: record.schema.complete. */
#include "conformance/speed/bench.h"

#include <inttypes.h>
#include <string.h>

/* The repeats that were measured. */
static json_t *intervals_json(const struct interval intervals[BENCH_REPEATS_MAX])
{
    json_t *array = json_array();
    for (int repeat = 0; repeat < BENCH_REPEATS_MAX; repeat++) {
        if (!(intervals[repeat].median > 0))
            continue;
        json_t *object = json_object();
        put_interval_lower(object, intervals[repeat].lower);
        put_interval_median(object, intervals[repeat].median);
        put_interval_upper(object, intervals[repeat].upper);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *reading_json(const struct nvml_reading *it)
{
    json_t *object = json_object();
    char reasons[24];
    snprintf(reasons, sizeof reasons, "0x%" PRIx64, it->reasons);
    put_reading_sm_mhz(object, it->sm_mhz);
    put_reading_memory_mhz(object, it->memory_mhz);
    put_reading_temperature_c(object, it->temperature_c);
    put_reading_power_w(object, it->power_mw * 1e-3);
    put_reading_reasons(object, reasons);
    put_reading_ecc_uncorrected(object, it->ecc_uncorrected);
    return object;
}

static json_t *floor_json(const struct limit *floor)
{
    json_t *object = json_object();
    put_limit_limit(object, floor->value);
    put_limit_measured(object, floor->measured);
    put_limit_from(object, floor->from);
    if (floor->found_loss > 0)
        put_limit_found_loss(object, floor->found_loss);
    return object;
}

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

/* Fields that every result has. */
void bench_line_put_result(json_t *object, const struct bench_result *result)
{
    json_t *sensors = json_object();
    put_result_verdict(object, result->finding.verdict);
    put_result_clause(object, result->finding.clause);
    put_result_note(object, result->finding.note);
    put_result_samples(object, (uint64_t)result->samples);
    if (result->slowed > 0)
        put_result_slowed(object, (uint64_t)result->slowed);
    put_result_discarded_slowed(object, (uint64_t)result->throttled);
    put_result_discarded_late(object, (uint64_t)result->late);
    put_result_batch(object, (uint64_t)result->batch);
    put_result_processes(object, (uint64_t)result->processes);
    if (result->settled > 0)
        put_result_settled_of(object, (uint64_t)result->settled_of);
    put_sensors_before(sensors, reading_json(&result->before));
    put_sensors_during(sensors, reading_json(&result->during));
    put_sensors_after(sensors, reading_json(&result->after));
    put_sensors_other_processes(sensors, (uint64_t)result->company.others);
    put_result_sensors(object, sensors);
}

void bench_line_put_case(json_t *object, const struct bench_group *group)
{
    struct traffic traffic = bench_traffic(group);
    uint64_t sectors = bench_model_bytes(&group->test_case, 0);
    char text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
    put_shaped_shape(object, group->name);
    put_shaped_regime(object, regime_name(group->regime));
    put_shaped_case(object, text);
    put_shaped_footprint_bytes(object, group->footprint_bytes);
    put_shaped_read_bytes(object, traffic.read_bytes);
    put_shaped_written_bytes(object, traffic.written_bytes);
    if (sectors > 0)
        put_shaped_sector_bytes(object, sectors);
    if (group->memory_bytes > 0)
        put_shaped_memory_bytes(object, group->memory_bytes);
}

void bench_line_put_work(json_t *object, const struct bench_group *group, double gbps)
{
    struct traffic traffic = bench_traffic(group);
    if (traffic.flops == 0)
        return;
    put_work_flops(object, traffic.flops);
    put_work_flops_per_byte(object, bench_intensity(group));
    put_work_gflops(object, gbps * bench_intensity(group));
}

static void put_subject(json_t *object, const struct bench *bench, const char *kernel, int path)
{
    put_subject_kernel(object, kernel);
    put_subject_device(object, label(bench));
    put_subject_path(object, path_name(path));
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

json_t *bench_line_row(const struct bench *bench, int row)
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_result *result = &bench->results[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    char name[CATALOG_NAME_BYTES], replay[BENCH_REPLAY_BYTES];
    struct floor_key key = bench_floor_key(bench, row, name);
    double gbps = bench_median(result->gbps, bench_repeats(bench, result)),
           peak = bench_peak_gbps(bench->info, REGIME_DRAM);
    json_t *object = json_object();
    put_subject(object, bench, name, it->subject.path);
    put_bench_element_bytes(object, (uint64_t)key.element_bytes);
    bench_line_put_case(object, group);
    bench_line_put_result(object, result);
    put_bench_buffers(object, (uint64_t)result->buffers);
    put_bench_gbps(object, intervals_json(result->gbps));
    put_bench_fraction_of_ceiling(object, intervals_json(result->fraction));
    put_bench_floor(object, floor_json(&result->limit));
    if (bench_is_open(result))
        put_bench_replay(object, bench_replay(bench, row, replay));
    if (gbps > 0 && peak > 0)
        put_bench_fraction_of_peak(object, gbps / peak);
    bench_line_put_work(object, group, gbps);
    if (raw_work_flops(object))
        put_bench_roofline_gbps(object, bench_roofline(bench, row, 0).median);
    return wrap_bench(object);
}

json_t *bench_line_ceiling(const struct bench *bench, int group)
{
    const struct bench_ceiling *it = &bench->ceilings[group];
    const char *note = it->memcpy_result.finding.note[0] ? it->memcpy_result.finding.note
                                                         : it->copy_result.finding.note;
    char name[CATALOG_NAME_BYTES];
    json_t *object = json_object();
    put_ceiling_device(object, label(bench));
    bench_line_put_case(object, &bench->plan.groups[group]);
    put_ceiling_copy_kernel(object, catalog_name(bench->plan.copy_kernel.kernel, name));
    put_ceiling_memcpy_verdict(object, it->memcpy_result.finding.verdict);
    put_ceiling_memcpy_gbps(object, intervals_json(it->memcpy_result.gbps));
    put_ceiling_copy_verdict(object, it->copy_result.finding.verdict);
    put_ceiling_copy_gbps(object, intervals_json(it->copy_result.gbps));
    put_ceiling_note(object, note);
    if (it->copy_result.settled > 0)
        put_ceiling_settled_of(object, (uint64_t)it->copy_result.settled_of);
    return wrap_ceiling(object);
}

json_t *bench_line_peak(const struct bench *bench, enum regime regime)
{
    const struct bench_result *result = &bench->peaks[regime];
    json_t *object = json_object();
    put_peak_device(object, label(bench));
    put_peak_regime(object, regime_name(regime));
    put_peak_derived_gbps(object, bench_peak_gbps(bench->info, regime));
    put_peak_derived_gflops(object, bench_peak_gflops(bench->info));
    bench_line_put_result(object, result);
    put_peak_gbps(object, intervals_json(result->gbps));
    put_peak_fraction_of_peak(object, intervals_json(result->fraction));
    put_peak_floor(object, floor_json(&result->limit));
    put_peak_sensors_note(object, bench->sensors_why);
    return wrap_peak(object);
}

json_t *bench_line_latency(const struct bench *bench, int call)
{
    const struct bench_result *result = &bench->latencies[call];
    json_t *object = json_object();
    put_latency_call(object, bench_latency_name(call));
    put_latency_device(object, label(bench));
    put_latency_cpu(object, bench->host.cpu);
    put_latency_hypervisor(object, bench->host.hypervisor);
    bench_line_put_result(object, result);
    put_latency_us(object, intervals_json(result->unit_us));
    put_latency_ceiling(object, floor_json(&result->limit));
    return wrap_latency(object);
}

json_t *bench_line_relation(const struct bench *bench, int index)
{
    const struct bench_relation *it = &bench->relations[index];
    const struct relation *relation = &it->relation;
    json_t *object = json_object();
    put_relation_clause(object, relation->clause);
    put_subject(object, bench, relation->kernel, it->path);
    put_relation_shape(object, relation->shape);
    put_relation_against(object, relation->against);
    put_relation_against_shape(object, relation->against_shape);
    put_relation_regime(object, regime_name(relation->regime));
    put_relation_verdict(object, it->finding.verdict);
    put_relation_applies(object, it->applies);
    put_relation_note(object, it->finding.note);
    put_relation_ratio(object, intervals_json(it->ratio));
    if (relation->least_ratio > 0)
        put_relation_least_ratio(object, relation->least_ratio);
    if (relation->most_ratio > 0)
        put_relation_most_ratio(object, relation->most_ratio);
    put_relation_from(object, relation->from);
    put_relation_to(object, relation->to);
    return wrap_relation(object);
}

json_t *bench_line_sweep(const struct bench *bench, int row)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_row *it = &sweep->plan.rows[row];
    const struct bench_group *point = &sweep->plan.groups[it->group];
    const struct bench_result *result = &sweep->results[row];
    char name[CATALOG_NAME_BYTES];
    json_t *object = json_object();
    put_sweep_figure(object, point->figure);
    put_sweep_at(object, (uint64_t)point->at);
    put_subject(object, bench, catalog_name(it->subject.kernel, name), it->subject.path);
    put_sweep_element_bytes(object, (uint64_t)case_view(&point->test_case, 0).element_bytes);
    bench_line_put_case(object, point);
    bench_line_put_work(object, point, result->gbps[0].median);
    bench_line_put_result(object, result);
    put_sweep_buffers(object, (uint64_t)result->buffers);
    put_sweep_gbps(object, intervals_json(result->gbps));
    put_sweep_memcpy_verdict(object, sweep->ceiling.memcpy_result.finding.verdict);
    put_sweep_memcpy_gbps(object, intervals_json(sweep->ceiling.memcpy_result.gbps));
    put_sweep_copy_verdict(object, sweep->ceiling.copy_result.finding.verdict);
    put_sweep_copy_gbps(object, intervals_json(sweep->ceiling.copy_result.gbps));
    if (sweep->has_library) {
        put_sweep_library(object, sweep->library.finding.note);
        put_sweep_library_verdict(object, sweep->library.finding.verdict);
        put_sweep_library_gbps(object, intervals_json(sweep->library.gbps));
    }
    return wrap_sweep(object);
}
