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
    json_t *line = json_object();
    char reasons[24];
    snprintf(reasons, sizeof reasons, "0x%" PRIx64, it->reasons);
#define OF_reading , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_reading
    return line;
}

static json_t *floor_json(const struct limit *floor)
{
    json_t *line = json_object();
#define OF_limit , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_limit
    return line;
}

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

/* Fields that every result has. */
void bench_line_put_result(json_t *line, const struct bench_result *result)
{
    json_t *sensors = json_object();
    put_sensors_before(sensors, reading_json(&result->before));
    put_sensors_during(sensors, reading_json(&result->during));
    put_sensors_after(sensors, reading_json(&result->after));
    put_sensors_other_processes(sensors, (uint64_t)result->company.others);
#define OF_result , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_result
}

void bench_line_put_case(json_t *line, const struct bench_group *group)
{
    struct traffic traffic = bench_traffic(group);
    char text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
#define OF_shaped , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_shaped
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
    json_t *line = json_object();
    put_subject(line, bench, name, it->subject.path);
    bench_line_put_case(line, group);
    bench_line_put_result(line, result);
#define OF_bench , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_bench
    bench_line_put_work(line, group, gbps);
    if (raw_work_flops(line))
        put_bench_roofline_gbps(line, bench_roofline(bench, row, 0).median);
    return wrap_bench(line);
}

json_t *bench_line_ceiling(const struct bench *bench, int group)
{
    const struct bench_ceiling *it = &bench->ceilings[group];
    const char *note = it->memcpy_result.finding.note[0] ? it->memcpy_result.finding.note
                                                         : it->copy_result.finding.note;
    char name[CATALOG_NAME_BYTES];
    json_t *line = json_object();
#define OF_ceiling , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_ceiling
    bench_line_put_case(line, &bench->plan.groups[group]);
    return wrap_ceiling(line);
}

json_t *bench_line_peak(const struct bench *bench, enum regime regime)
{
    const struct bench_result *result = &bench->peaks[regime];
    json_t *line = json_object();
#define OF_peak , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_peak
    bench_line_put_result(line, result);
    return wrap_peak(line);
}

json_t *bench_line_latency(const struct bench *bench, int call)
{
    const struct bench_result *result = &bench->latencies[call];
    json_t *line = json_object();
#define OF_latency , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_latency
    bench_line_put_result(line, result);
    return wrap_latency(line);
}

json_t *bench_line_relation(const struct bench *bench, int index)
{
    const struct bench_relation *it = &bench->relations[index];
    const struct relation *relation = &it->relation;
    json_t *line = json_object();
#define OF_relation , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_relation
    put_subject(line, bench, relation->kernel, it->path);
    return wrap_relation(line);
}

json_t *bench_line_sweep(const struct bench *bench, int row)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_row *it = &sweep->plan.rows[row];
    const struct bench_group *point = &sweep->plan.groups[it->group];
    const struct bench_result *result = &sweep->results[row];
    char name[CATALOG_NAME_BYTES];
    json_t *line = json_object();
#define OF_sweep , VALUE_PUT
#include "conformance/record/form_values.inc"
#undef OF_sweep
    put_subject(line, bench, catalog_name(it->subject.kernel, name), it->subject.path);
    bench_line_put_case(line, point);
    bench_line_put_work(line, point, result->gbps[0].median);
    bench_line_put_result(line, result);
    if (sweep->has_library) {
        put_sweep_library(line, sweep->library.finding.note);
        put_sweep_library_verdict(line, sweep->library.finding.verdict);
        put_sweep_library_gbps(line, intervals_json(sweep->library.gbps));
    }
    return wrap_sweep(line);
}
