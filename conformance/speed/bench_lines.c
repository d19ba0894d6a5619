/* The lines that a bench adds to a record (spec/record.md, spec/record.schema.json), one function
 * each. Clause: record.schema.complete. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_judge.h"
#include "conformance/speed/bench_lines.h"

static json_t *interval_json(struct interval it)
{
    return json_pack("{s:f, s:f, s:f}", "lower", it.lower, "median", it.median, "upper", it.upper);
}

/* The repeats that were measured. */
json_t *bench_line_intervals(const struct interval intervals[BENCH_REPEATS_MAX])
{
    json_t *array = json_array();
    for (int repeat = 0; repeat < BENCH_REPEATS_MAX; repeat++)
        if (intervals[repeat].median > 0)
            json_array_append_new(array, interval_json(intervals[repeat]));
    return array;
}

static json_t *reading_json(const struct nvml_reading *it)
{
    char reasons[24];
    snprintf(reasons, sizeof reasons, "0x%" PRIx64, it->reasons);
    return json_pack("{s:i, s:i, s:i, s:f, s:s, s:I}", "sm_mhz", (int)it->sm_mhz, "memory_mhz",
                     (int)it->memory_mhz, "temperature_c", (int)it->temperature_c, "power_w",
                     it->power_mw * 1e-3, "reasons", reasons, "ecc_uncorrected",
                     (json_int_t)it->ecc_uncorrected);
}

static json_t *sensors_json(const struct bench_result *result)
{
    return json_pack("{s:o, s:o, s:o, s:i}", "before", reading_json(&result->before), "during",
                     reading_json(&result->during), "after", reading_json(&result->after),
                     "other_processes", (int)result->company.others);
}

static json_t *floor_json(const struct floor *floor)
{
    json_t *object = json_pack("{s:f, s:b, s:s}", "limit", floor->limit, "measured",
                               floor->measured, "from", floor->from);
    if (floor->found_loss > 0)
        json_object_set_new(object, "found_loss", json_real(floor->found_loss));
    return object;
}

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

/* What every result has. */
void bench_line_put_result(json_t *object, const struct bench_result *result)
{
    json_object_set_new(object, "verdict", json_string(verdict_name(result->verdict)));
    json_object_set_new(object, "clause", json_string(result->clause));
    json_object_set_new(object, "note", json_string(result->note));
    json_object_set_new(object, "samples", json_integer(result->samples));
    json_object_set_new(object, "discarded_slowed", json_integer(result->throttled));
    json_object_set_new(object, "discarded_late", json_integer(result->late));
    json_object_set_new(object, "batch", json_integer(result->batch));
    json_object_set_new(object, "processes", json_integer(result->processes));
    json_object_set_new(object, "sensors", sensors_json(result));
}

void bench_line_put_case(json_t *object, const struct bench_group *group, const char *shape)
{
    struct traffic traffic = bench_traffic(group);
    uint64_t sectors = bench_sector_bytes(&group->test_case);
    char text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
    json_object_set_new(object, "shape", json_string(shape));
    json_object_set_new(object, "regime", json_string(regime_name(group->regime)));
    json_object_set_new(object, "case", json_string(text));
    json_object_set_new(object, "footprint_bytes",
                        json_integer((json_int_t)group->footprint_bytes));
    json_object_set_new(object, "read_bytes", json_integer((json_int_t)traffic.read_bytes));
    json_object_set_new(object, "written_bytes", json_integer((json_int_t)traffic.written_bytes));
    if (sectors > 0)
        json_object_set_new(object, "sector_bytes", json_integer((json_int_t)sectors));
}

const char *bench_replay(const struct bench *bench, int row, char ret_text[BENCH_REPLAY_BYTES])
{
    const struct options *options = bench->session->options;
    const struct subject *subject = &bench->plan.rows[row].subject;
    char name[CATALOG_NAME_BYTES], floors[288] = "", bytes[32] = "";
    if (options->floors)
        snprintf(floors, sizeof floors, " --floors '%.256s'", options->floors);
    if (options->bytes)
        snprintf(bytes, sizeof bytes, " --bytes %" PRIu64, options->bytes);
    snprintf(ret_text, BENCH_REPLAY_BYTES,
             "assay bench --device %s%s%s --repeats %d --samples %d --seed %" PRIu64 "%s%s %s",
             label(bench), bench->info->ordinal == DEVICE_ORDINAL_HOST ? "" : " --path ",
             bench->info->ordinal == DEVICE_ORDINAL_HOST ? "" : path_name(subject->path),
             bench->repeats, bench->samples, options->seed, bytes, floors,
             catalog_name(subject->kernel, name));
    return ret_text;
}

json_t *bench_line_row(const struct bench *bench, int row)
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_result *result = &bench->results[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    struct traffic traffic = bench_traffic(group);
    char name[CATALOG_NAME_BYTES];
    struct floor_key key = bench_floor_key(bench, row, name);
    double gbps = bench_median(result->gbps, bench->repeats),
           peak = bench_peak_gbps(bench->info, REGIME_DRAM);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:i}", "kernel", name, "device", label(bench), "path",
                  path_name(it->subject.path), "element_bytes", key.element_bytes);
    bench_line_put_case(object, group, bench_shapes[group->shape].name);
    bench_line_put_result(object, result);
    json_object_set_new(object, "buffers", json_integer(result->buffers));
    json_object_set_new(object, "gbps", bench_line_intervals(result->gbps));
    json_object_set_new(object, "fraction_of_ceiling", bench_line_intervals(result->fraction));
    json_object_set_new(object, "floor", floor_json(&result->floor));
    if (bench_is_open(result)) {
        char replay[BENCH_REPLAY_BYTES];
        json_object_set_new(object, "replay", json_string(bench_replay(bench, row, replay)));
    }
    if (gbps > 0 && peak > 0)
        json_object_set_new(object, "fraction_of_peak", json_real(gbps / peak));
    if (traffic.flops > 0) {
        json_object_set_new(object, "flops", json_integer((json_int_t)traffic.flops));
        json_object_set_new(object, "flops_per_byte", json_real(bench_intensity(group)));
        json_object_set_new(object, "gflops", json_real(gbps * bench_intensity(group)));
        json_object_set_new(object, "roofline_gbps",
                            json_real(bench_roofline(bench, row, 0).median));
    }
    return json_pack("{s:o}", "bench", object);
}

json_t *bench_line_ceiling(const struct bench *bench, int group)
{
    const struct bench_ceiling *it = &bench->ceilings[group];
    char name[CATALOG_NAME_BYTES];
    json_t *object = json_pack("{s:s}", "device", label(bench));
    bench_line_put_case(object, &bench->plan.groups[group],
                        bench_shapes[bench->plan.groups[group].shape].name);
    json_object_set_new(object, "copy_kernel",
                        json_string(catalog_name(bench->plan.copy_kernel.kernel, name)));
    json_object_set_new(object, "memcpy_verdict",
                        json_string(verdict_name(it->memcpy_result.verdict)));
    json_object_set_new(object, "memcpy_gbps", bench_line_intervals(it->memcpy_result.gbps));
    json_object_set_new(object, "copy_verdict", json_string(verdict_name(it->copy_result.verdict)));
    json_object_set_new(object, "copy_gbps", bench_line_intervals(it->copy_result.gbps));
    json_object_set_new(
        object, "note",
        json_string(it->memcpy_result.note[0] ? it->memcpy_result.note : it->copy_result.note));
    return json_pack("{s:o}", "ceiling", object);
}

json_t *bench_line_peak(const struct bench *bench, enum regime regime)
{
    const struct bench_result *result = &bench->peaks[regime];
    json_t *object =
        json_pack("{s:s, s:s, s:f, s:f}", "device", label(bench), "regime", regime_name(regime),
                  "derived_gbps", bench_peak_gbps(bench->info, regime), "derived_gflops",
                  bench_peak_gflops(bench->info));
    bench_line_put_result(object, result);
    json_object_set_new(object, "gbps", bench_line_intervals(result->gbps));
    json_object_set_new(object, "fraction_of_peak", bench_line_intervals(result->fraction));
    json_object_set_new(object, "floor", floor_json(&result->floor));
    json_object_set_new(object, "sensors_note", json_string(bench->sensors_why));
    return json_pack("{s:o}", "peak", object);
}

json_t *bench_line_latency(const struct bench *bench, int call)
{
    const struct bench_result *result = &bench->latencies[call];
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s}", "call", bench_latency_name(call), "device", label(bench),
                  "cpu", bench->host.cpu, "hypervisor", bench->host.hypervisor);
    bench_line_put_result(object, result);
    json_object_set_new(object, "us", bench_line_intervals(result->unit_us));
    json_object_set_new(object, "ceiling", floor_json(&result->floor));
    return json_pack("{s:o}", "latency", object);
}

json_t *bench_line_relation(const struct bench *bench, int index)
{
    const struct bench_relation *it = &bench->relations[index];
    const struct relation *relation = &it->relation;
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s}", "clause",
                  relation->clause, "device", label(bench), "path", path_name(it->path), "kernel",
                  relation->kernel, "shape", relation->shape, "against", relation->against,
                  "against_shape", relation->against_shape, "regime", regime_name(relation->regime),
                  "verdict", verdict_name(it->verdict), "applies", it->applies, "note", it->note);
    json_object_set_new(object, "ratio", bench_line_intervals(it->ratio));
    if (relation->least_ratio > 0)
        json_object_set_new(object, "least_ratio", json_real(relation->least_ratio));
    if (relation->most_ratio > 0)
        json_object_set_new(object, "most_ratio", json_real(relation->most_ratio));
    json_object_set_new(object, "from", json_integer(relation->from));
    json_object_set_new(object, "to", json_integer(relation->to));
    return json_pack("{s:o}", "relation", object);
}
