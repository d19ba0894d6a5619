/* What was measured in words, and what is looked up for it (failure.h). Clause:
 * report.failure.told. */
#include "conformance/report/failure.h"
#include "conformance/record/record_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/figure.h"
#include "conformance/base/number.h"

const json_t *failure_reduced(const struct loaded_record *record, const json_t *finding)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_REDUCED];
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *reduced = lines->lines[index];
        if (strcmp(field_reduced_from(reduced), field_finding_case(finding)) == 0 &&
            strcmp(field_subject_kernel(reduced), field_subject_kernel(finding)) == 0 &&
            strcmp(field_subject_path(reduced), field_subject_path(finding)) == 0 &&
            strcmp(field_subject_device(reduced), field_subject_device(finding)) == 0)
            return reduced;
    }
    return NULL;
}

const char *failure_row(const json_t *row)
{
    return field_row_reason(row)[0] ? field_row_reason(row) : field_row_layer(row);
}

bool failure_is_measured(const json_t *line)
{
    static const char *const keys[] = {FIELD_KEY(result, verdict), FIELD_KEY(sweep, memcpy_verdict),
                                       FIELD_KEY(sweep, copy_verdict)};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        if (verdict_is_failure(value_verdict(json_object_get(line, keys[index]))))
            return true;
    return false;
}

static void write_kernel(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES,
             "%.64s %.31s, %.64s, %.16s: %s GB/s, floor %s GB/s (%.4f of its ceiling, floor %.4f)",
             field_subject_kernel(line), field_subject_path(line), field_shaped_shape(line),
             field_shaped_regime(line), number_short(field_bench_gbps(line).median, text[0]),
             number_short(figure_floor_gbps(line), text[1]),
             field_bench_fraction_of_ceiling(line).median,
             field_limit_limit(field_bench_floor(line)));
}

/* The copies' verdicts, where the record has them. */
static void write_sweep(const json_t *line, char *ret)
{
    char text[NUMBER_TEXT_BYTES], copies[80] = "";
    if (raw_sweep_memcpy_verdict(line))
        snprintf(copies, sizeof copies, "; driver's copy %.16s, copy kernel %.16s",
                 value_text(raw_sweep_memcpy_verdict(line)),
                 value_text(raw_sweep_copy_verdict(line)));
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s %.31s, %.16s %llu: %.16s, %s GB/s%s",
             field_subject_kernel(line), field_subject_path(line), field_sweep_figure(line),
             (unsigned long long)field_sweep_at(line), value_text(raw_result_verdict(line)),
             number_short(field_bench_gbps(line).median, text), copies);
}

static void write_ceiling(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES,
             "copies for %.64s, %.16s: driver's copy %.16s, copy kernel "
             "%.16s",
             field_shaped_shape(line), field_shaped_regime(line),
             value_text(raw_sweep_memcpy_verdict(line)), value_text(raw_sweep_copy_verdict(line)));
}

static void write_peak(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    const char *regime = field_shaped_regime(line);
    snprintf(ret, FAILURE_TEXT_BYTES,
             "best copy%s%.8s: %s GB/s, %.4f of the derived peak of %s GB/s, floor %.4f",
             regime[0] ? ", " : "", regime, number_short(field_bench_gbps(line).median, text[0]),
             value_spread(raw_bench_fraction_of_peak(line)).median,
             number_short(field_peak_derived_gbps(line), text[1]),
             field_limit_limit(field_bench_floor(line)));
}

static void write_latency(const json_t *line, char *ret)
{
    char text[2][NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "host call %.64s: %s us, at most %s us",
             field_latency_call(line), number_short(field_latency_us(line).median, text[0]),
             number_short(field_limit_limit(field_latency_ceiling(line)), text[1]));
}

static void write_relation(const json_t *line, char *ret)
{
    char text[NUMBER_TEXT_BYTES];
    snprintf(ret, FAILURE_TEXT_BYTES, "%.64s (%.32s) is %s times as fast as %.64s (%.32s)",
             field_subject_kernel(line), field_shaped_shape(line),
             number_short(field_relation_ratio(line).median, text), field_relation_against(line),
             field_relation_against_shape(line));
}

static void write_codegen(const json_t *line, char *ret)
{
    snprintf(ret, FAILURE_TEXT_BYTES, "%.96s through %.32s for %.16s: %.200s",
             field_codegen_function(line), field_subject_path(line), field_subject_device(line),
             field_codegen_note(line));
}

void failure_measured(enum loaded_kind kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    static void (*const writers[LOADED_KIND_COUNT])(const json_t *line, char *ret) = {
        [LOADED_BENCH] = write_kernel,      [LOADED_CEILING] = write_ceiling,
        [LOADED_PEAK] = write_peak,         [LOADED_LATENCY] = write_latency,
        [LOADED_RELATION] = write_relation, [LOADED_SWEEP] = write_sweep,
        [LOADED_CODEGEN] = write_codegen,
    };
    ret_text[0] = 0;
    if (writers[kind])
        writers[kind](line, ret_text);
}
