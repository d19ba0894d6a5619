/* Ending repeats early (bench_settle.h). Clause: bandwidth.repeat.settled. */
#include "conformance/speed/bench_settle.h"

#include "conformance/speed/bench_judge.h"

bool bench_group_has_work(const struct bench *bench, int group)
{
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        if (bench->peaks[regime].due && group == bench->peak_groups[regime])
            return true;
    for (int row = 0; row < bench->plan.row_count; row++)
        if (bench->plan.rows[row].group == group && bench->results[row].due)
            return true;
    return false;
}

static struct bench_result *result_of(struct bench *bench, enum bench_sort sort, int index)
{
    return sort == BENCH_SORT_ROW    ? &bench->results[index]
           : sort == BENCH_SORT_PEAK ? &bench->peaks[index]
                                     : &bench->latencies[index];
}

static bool judge(struct bench *bench, enum bench_sort sort, int index)
{
    return sort == BENCH_SORT_ROW    ? bench_judge_row(bench, index)
           : sort == BENCH_SORT_PEAK ? bench_judge_peak(bench, (enum regime)index)
                                     : bench_judge_latency(bench, index);
}

static bool is_known(const struct bench *bench, enum bench_sort sort, int index,
                     const struct interval *intervals)
{
    const struct bench_known *known = bench->session->options->known;
    double medians[BENCH_REPEATS_MAX];
    for (int repeat = 0; repeat < bench->taken; repeat++)
        medians[repeat] = intervals[repeat].median;
    return known->is_settled(known->context, bench, sort, index, medians, bench->taken);
}

/* Of a kernel the copies beside it, too: as soon as nothing is compared with them they end. */
static bool is_settled(const struct bench *bench, enum bench_sort sort, int index,
                       const struct bench_result *it)
{
    const int group = sort == BENCH_SORT_ROW ? bench->plan.rows[index].group : 0;
    return it->finding.verdict == VERDICT_PASS &&
           is_known(bench, sort, index, sort == BENCH_SORT_CALL ? it->unit_us : it->gbps) &&
           (sort != BENCH_SORT_ROW ||
            is_known(bench, BENCH_SORT_COPY, group, bench->ceilings[group].memcpy_result.gbps));
}

/* What is not settled is as it was: a verdict on half of the repeats is none. */
static void settle(struct bench *bench, enum bench_sort sort, int index)
{
    struct bench_result *it = result_of(bench, sort, index);
    const struct bench_result before = *it;
    if (!before.due || (sort == BENCH_SORT_ROW && bench_is_related(bench, index)))
        return;
    if (judge(bench, sort, index) || !is_settled(bench, sort, index, it)) {
        *it = before;
        return;
    }
    it->due = false;
    it->settled = bench->taken;
    it->settled_of = bench->repeats;
}

/* Copies of a group that nothing is compared with any more. */
static void settle_copies(struct bench *bench, int group)
{
    struct bench_result *copies[] = {&bench->ceilings[group].memcpy_result,
                                     &bench->ceilings[group].copy_result};
    for (int copy = 0; copy < 2; copy++)
        if (copies[copy]->settled == 0 && !bench_group_has_work(bench, group)) {
            copies[copy]->settled = bench->taken;
            copies[copy]->settled_of = bench->repeats;
        }
}

void bench_settle(struct bench *bench, int repeats)
{
    if (bench->session->options->known == NULL || repeats >= bench->repeats)
        return;
    bench->taken = repeats;
    for (int row = 0; row < bench->plan.row_count; row++)
        settle(bench, BENCH_SORT_ROW, row);
    for (int call = 0; call < bench->latency_count; call++)
        settle(bench, BENCH_SORT_CALL, call);
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        settle(bench, BENCH_SORT_PEAK, regime);
    for (int group = 0; group < bench->plan.group_count; group++)
        settle_copies(bench, group);
    bench->taken = 0;
}
