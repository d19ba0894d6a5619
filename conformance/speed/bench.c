/* A bench's room, and questions about it (bench.h). */
#include "conformance/speed/bench.h"

#include <stdlib.h>

#include "conformance/base/stop.h"

void bench_release_plan(struct bench *bench)
{
    bench_plan_free(&bench->plan);
    free(bench->results);
    free(bench->relations);
    bench->results = NULL;
    bench->relations = NULL;
    bench->relation_count = 0;
}

bool bench_make_plan(struct bench *bench, const struct plan *select, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason)
{
    bench_release_plan(bench);
    if (!bench_plan_make(&bench->plan, select, bench->info, bytes, seed, ret_reason))
        return false;
    const size_t rows = (size_t)bench->plan.row_count;
    const size_t relations = (size_t)floors_relation_count(bench->floors) * (size_t)path_count();
    bench->results = calloc(rows + 1, sizeof *bench->results);
    bench->relations = calloc(relations + 1, sizeof *bench->relations);
    return (bench->results && bench->relations) ||
           reason_set(ret_reason, REASON_SYSTEM, "no memory for what is measured");
}

bool bench_was_interrupted(const struct bench_result *result)
{
    return stop_is_signalled() && !result->measured &&
           result->finding.verdict == VERDICT_INCONCLUSIVE;
}

bool bench_is_open(const struct bench_result *result)
{
    return result->finding.verdict != VERDICT_PASS && result->finding.verdict != VERDICT_SKIP;
}

enum verdict bench_unmeasured(const struct bench *bench, int id)
{
    if (!bench->session->plan.selected[id])
        return VERDICT_PASS;
    for (int row = 0; row < bench->plan.row_count; row++)
        if (bench->plan.rows[row].subject.kernel == id)
            return VERDICT_PASS;
    return bench_shape_find(catalog_kernel(id)->algorithm, NULL) < 0 ? VERDICT_DECLINED
                                                                     : VERDICT_SKIP;
}

struct traffic bench_traffic(const struct bench_group *group)
{
    return algorithm_traffic(group->test_case.algorithm, group->test_case.axis);
}

double bench_intensity(const struct bench_group *group)
{
    struct traffic traffic = bench_traffic(group);
    return (double)traffic.flops / (double)(traffic.read_bytes + traffic.written_bytes);
}

struct interval bench_roofline(const struct bench *bench, int row, int repeat)
{
    int group = bench->plan.rows[row].group;
    struct interval ceiling = bench->ceilings[group].best[repeat];
    double intensity = bench_intensity(&bench->plan.groups[group]);
    double peak = bench_peak_gflops(bench->info);
    double slope = intensity > 0 && peak > 0 ? peak / intensity : 0;
    if (slope > 0 && slope < ceiling.median)
        return (struct interval){.lower = slope, .median = slope, .upper = slope};
    return ceiling;
}

int bench_repeats(const struct bench *bench, const struct bench_result *result)
{
    return result->settled > 0 ? result->settled : bench->taken > 0 ? bench->taken : bench->repeats;
}

double bench_median(const struct interval *intervals, int repeats)
{
    double medians[BENCH_REPEATS_MAX];
    for (int repeat = 0; repeat < repeats; repeat++)
        medians[repeat] = intervals[repeat].median;
    return statistics_median(medians, repeats);
}
