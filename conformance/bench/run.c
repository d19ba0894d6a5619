/* A bench from its first group to its last relation (run.h). Clause:
 * bandwidth.verdict.repeats. */
#include "conformance/bench/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/sweep.h"

static bool is_row_of(const struct bench *bench, int row, int group)
{
    return bench->plan.rows[row].group == group;
}

/* All repeats of a group's rows, each repeat with its own ceiling and apart from the other repeats
 * by all the other rows. `only` NULL: every row. */
static void measure_group(struct bench *bench, int group, const bool *only, int samples)
{
    const struct bench_group *it = &bench->plan.groups[group];
    for (int repeat = 0; repeat < bench->repeats; repeat++) {
        bench_measure_ceiling(bench, it, repeat, samples, &bench->ceilings[group]);
        for (int row = 0; row < bench->plan.row_count; row++)
            if (is_row_of(bench, row, group) && (only == NULL || only[row]))
                bench_measure_kernel(bench, it, bench->plan.rows[row].check, repeat, samples,
                                     &bench->results[row]);
    }
}

/* A copy is held to no floor in its group: only what is wrong with it counts. */
static void count_copy(struct bench *bench, struct bench_result *copy)
{
    bench_judge_soundness(bench, copy);
    if (copy->verdict != VERDICT_PASS)
        bench->verdicts[copy->verdict]++;
}

void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling)
{
    count_copy(bench, &ceiling->memcpy_result);
    count_copy(bench, &ceiling->copy_result);
}

/* Rows that stay too near to their floor are measured again with twice and four times the samples,
 * and are INCONCLUSIVE if that does not decide. */
static void run_group(struct bench *bench, int group, const struct bench_report *report)
{
    bool undecided[BENCH_ROWS_MAX] = {false}, any = true;
    int samples = bench->samples;
    for (int escalation = 0; any && escalation <= BENCH_ESCALATIONS; escalation++, samples *= 2) {
        any = false;
        measure_group(bench, group, escalation ? undecided : NULL, samples);
        for (int row = 0; row < bench->plan.row_count; row++) {
            if (!is_row_of(bench, row, group) || (escalation && !undecided[row]))
                continue;
            undecided[row] = bench_judge_row(bench, row);
            any = any || undecided[row];
        }
    }
    bench_count_ceiling(bench, &bench->ceilings[group]);
    run_write_line(bench->run, bench_line_ceiling(bench, group));
    for (int row = 0; row < bench->plan.row_count; row++) {
        if (!is_row_of(bench, row, group))
            continue;
        bench->verdicts[bench->results[row].verdict]++;
        run_write_line(bench->run, bench_line_row(bench, row));
        if (report)
            report->row(bench, row);
    }
}

static void run_latencies(struct bench *bench)
{
    bool undecided[BENCH_LATENCIES_MAX] = {false}, any = true;
    int samples = bench->samples;
    bench->latency_count = bench_latency_count();
    for (int escalation = 0; any && escalation <= BENCH_ESCALATIONS; escalation++, samples *= 2) {
        for (int repeat = 0; repeat < bench->repeats; repeat++)
            for (int call = 0; call < bench->latency_count; call++)
                if (escalation == 0 || undecided[call])
                    bench_measure_latency(bench, call, repeat, samples);
        any = false;
        for (int call = 0; call < bench->latency_count; call++) {
            if (escalation == 0 || undecided[call])
                undecided[call] = bench_judge_latency(bench, call);
            any = any || undecided[call];
        }
    }
    for (int call = 0; call < bench->latency_count; call++) {
        bench->verdicts[bench->latencies[call].verdict]++;
        run_write_line(bench->run, bench_line_latency(bench, call));
    }
}

/* The best copy against the derived peak; where that is undecided, its group's copies again. */
static void run_peak(struct bench *bench)
{
    int samples = 2 * bench->samples;
    bool undecided = bench_judge_peak(bench);
    for (int escalation = 1; undecided && escalation <= BENCH_ESCALATIONS; escalation++) {
        int group = bench->peak_group;
        for (int repeat = 0; repeat < bench->repeats; repeat++)
            bench_measure_ceiling(bench, &bench->plan.groups[group], repeat, samples,
                                  &bench->ceilings[group]);
        bench_count_ceiling(bench, &bench->ceilings[group]);
        undecided = bench_judge_peak(bench);
        samples *= 2;
    }
    bench->verdicts[bench->peak.verdict]++;
    run_write_line(bench->run, bench_line_peak(bench));
}

/* A selected kernel that no shape fits was not looked at. */
static void count_unfit(struct bench *bench)
{
    for (int id = 0; id < catalog_count(); id++) {
        bool has_row = !bench->run->plan.selected[id];
        for (int row = 0; row < bench->plan.row_count && !has_row; row++)
            has_row = bench->plan.rows[row].check.kernel == id;
        if (!has_row)
            bench->verdicts[VERDICT_SKIP]++;
    }
}

void bench_execute(struct bench *bench, const struct bench_report *report)
{
    if (report)
        report->begin(bench);
    count_unfit(bench);
    if (bench->run->options->pattern_count == 0)
        run_latencies(bench);
    for (int group = 0; group < bench->plan.group_count && run_output_works(bench->run); group++)
        run_group(bench, group, report);
    run_peak(bench);
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        /* One that is not known to hold on this generation is knowledge, and nothing was due. */
        if (bench->relations[index].verdict != VERDICT_SKIP)
            bench->verdicts[bench->relations[index].verdict]++;
        run_write_line(bench->run, bench_line_relation(bench, index));
    }
    if (report)
        report->end(bench);
    if (bench->sweep)
        sweep_execute(bench, report);
}

/* What is measured through several paths is one floor: the least of them. */
static void add_measurement(struct floor_measurement *measurements, int *count,
                            struct floor_measurement it)
{
    for (int index = 0; index < *count; index++) {
        struct floor_measurement *other = &measurements[index];
        if (it.key.kernel == NULL || other->key.kernel == NULL ||
            strcmp(it.key.kernel, other->key.kernel) != 0 ||
            strcmp(it.key.shape, other->key.shape) != 0 || it.key.regime != other->key.regime ||
            it.key.element_bytes != other->key.element_bytes)
            continue;
        double spread = it.spread > other->spread ? it.spread : other->spread;
        if (it.median / it.ceiling_gbps < other->median / other->ceiling_gbps)
            *other = it;
        other->spread = spread;
        return;
    }
    measurements[(*count)++] = it;
}

bool bench_write_floors(const struct bench *bench, const char *path, char *why, size_t why_bytes)
{
    struct floor_measurement *measurements =
        calloc(BENCH_ROWS_MAX + BENCH_LATENCIES_MAX + 1, sizeof *measurements);
    char(*names)[CATALOG_NAME_BYTES] = calloc(BENCH_ROWS_MAX, sizeof *names);
    int count = 0, repeats = bench->repeats;
    if (measurements == NULL || names == NULL) {
        free(measurements);
        free(names);
        snprintf(why, why_bytes, "no memory for the floors");
        return false;
    }
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_result *result = &bench->results[row];
        if (!result->measured || bench_median(result->fraction, repeats) <= 0 ||
            result->samples_least < BENCH_SAMPLES_LEAST ||
            strcmp(result->clause, "bandwidth.sensors.ecc") == 0 ||
            catalog_mutant(bench->plan.rows[row].check.kernel))
            continue;
        struct floor_measurement it = {.key = bench_floor_key(bench, row, names[row]),
                                       .median = bench_median(result->gbps, repeats),
                                       .spread = bench_spread(result->fraction, repeats)};
        it.ceiling_gbps = it.median / bench_median(result->fraction, repeats);
        add_measurement(measurements, &count, it);
    }
    for (int call = 0; call < bench->latency_count; call++)
        if (bench->latencies[call].measured)
            add_measurement(measurements, &count,
                            (struct floor_measurement){
                                .latency = bench_latency_name(call),
                                .median = bench_median(bench->latencies[call].unit_us, repeats),
                                .spread = bench_spread(bench->latencies[call].unit_us, repeats)});
    if (bench->peak.measured && bench_peak_gbps(bench->info) > 0)
        add_measurement(
            measurements, &count,
            (struct floor_measurement){.median = bench_median(bench->peak.gbps, repeats),
                                       .ceiling_gbps = bench_peak_gbps(bench->info),
                                       .spread = bench_spread(bench->peak.gbps, repeats)});
    bool written =
        floors_write(bench->floors, bench->info, measurements, count, path, why, why_bytes);
    free(measurements);
    free(names);
    return written;
}
