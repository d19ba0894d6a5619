/* Questions about a bench (bench.h). */
#include "conformance/speed/bench.h"

#include "conformance/base/stop.h"

bool bench_was_interrupted(const struct bench_result *result)
{
    return stop_is_signalled() && !result->measured &&
           result->finding.verdict == VERDICT_INCONCLUSIVE;
}

bool bench_is_open(const struct bench_result *result)
{
    return result->finding.verdict != VERDICT_PASS && result->finding.verdict != VERDICT_SKIP;
}

bool bench_is_unfit(const struct bench *bench, int id)
{
    bool has_row = !bench->session->plan.selected[id];
    for (int row = 0; row < bench->plan.row_count && !has_row; row++)
        has_row = bench->plan.rows[row].subject.kernel == id;
    return !has_row;
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

double bench_median(const struct interval *intervals, int repeats)
{
    double medians[BENCH_REPEATS_MAX];
    for (int repeat = 0; repeat < repeats; repeat++)
        medians[repeat] = intervals[repeat].median;
    return statistics_median(medians, repeats);
}
