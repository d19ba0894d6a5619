/* What a gate's baseline settles: the same speed of the same GPU, and nothing else. */
#include "conformance/gate/gate_baseline.h"
#include "conformance/gate/gate_shown.h"
#include "conformance/test/fake_worker.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"
#include "conformance/test/scripted_bench.h"

/* The record of a bench, as a gate's baseline has it, and then once more the first row of another.
 */
static struct loaded *record_of(const struct bench *bench, const struct bench *again)
{
    struct loaded *loaded = made_loaded();
    json_t *lines = made_json(json_array());
    json_array_append_new(lines, made_lines_header("standard", 1));
    json_array_append_new(lines, line_json(session_device_line(
                                     bench->session, &bench->session->devices[0], made_zone())));
    for (int row = 0; row < bench->plan.row_count; row++)
        json_array_append_new(lines, line_json(bench_line_row(bench, row, made_zone())));
    if (again)
        json_array_append_new(lines, line_json(bench_line_row(again, 0, made_zone())));
    for (int group = 0; group < bench->plan.group_count; group++)
        json_array_append_new(lines, line_json(bench_line_ceiling(bench, group, made_zone())));
    for (int call = 0; call < bench->latency_count; call++)
        json_array_append_new(lines, line_json(bench_line_latency(bench, call, made_zone())));
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        json_array_append_new(lines,
                              line_json(bench_line_peak(bench, (enum regime)regime, made_zone())));
    made_pair_add(loaded, lines, "base");
    return loaded;
}

/* Scales what was measured. */
static void scale(struct interval *it, double times)
{
    *it = (struct interval){times * it->lower, times * it->median, times * it->upper};
}

/* How many of a row, copies, a best copy and a host call are settled by a first repeat that is that
 * many times the baseline's. */
static int count_settled(const struct loaded *baseline, const struct bench *bench, double times)
{
    const struct bench_known known = gate_known(baseline);
    struct bench *now = malloc(sizeof *now);
    struct bench_result row = bench->results[0];
    int settled = 0;
    *now = *bench;
    now->results = &row;
    for (int repeat = 0; repeat < BENCH_REPEATS_MAX; repeat++) {
        const double scaled = repeat == 0 ? times : 0;
        scale(&row.gbps[repeat], scaled);
        scale(&now->ceilings[0].memcpy_result.gbps[repeat], scaled);
        scale(&now->peaks[0].gbps[repeat], scaled);
        scale(&now->latencies[0].unit_us[repeat], scaled);
    }
    const struct line *const lines[] = {
        bench_line_row(now, 0, made_zone()), bench_line_ceiling(now, 0, made_zone()),
        bench_line_peak(now, REGIME_DRAM, made_zone()), bench_line_latency(now, 0, made_zone())};
    for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++)
        settled += known.is_settled(known.context, now, lines[line]);
    free(now);
    return settled;
}

START_TEST(the_same_is_settled, "gate.parts.settled")
{
    struct bench *bench = scripted_bench_run("steady steady steady", NULL);
    struct device_info *info = &bench->session->devices[0].info;
    strcpy(bench->session->devices[0].label, "cuda:0");
    strcpy(info->uuid, "GPU-1");
    struct loaded *baseline = record_of(bench, NULL);
    ck_assert_int_eq(count_settled(baseline, bench, 1), 4);
    ck_assert_int_eq(count_settled(baseline, bench, 1.005), 4);
    ck_assert_int_eq(count_settled(baseline, bench, 0.985), 1); /* but for a host call */
    ck_assert_int_eq(count_settled(baseline, bench, 1.015), 4); /* a gain needs no more repeats */
    ck_assert_int_eq(count_settled(baseline, bench, 2), 3);
    ck_assert_int_eq(count_settled(baseline, bench, 0.3), 1);
    strcpy(bench->host.cpu, "another");
    ck_assert_int_eq(count_settled(baseline, bench, 1), 3);
    bench->plan.groups[0].test_case.seed++;
    /* The best copy of all, and the copies of as many bytes. */
    ck_assert_int_eq(count_settled(baseline, bench, 1), 2);
    strcpy(info->uuid, "GPU-2");
    ck_assert_int_eq(count_settled(baseline, bench, 1), 0);
    strcpy(info->uuid, "");
    ck_assert_int_eq(count_settled(baseline, bench, 1), 0);
}

/* A baseline that failed, or where another process was on the GPU, settles nothing. */
START_TEST(what_did_not_pass_settles_nothing, "gate.parts.settled")
{
    struct bench *bench = scripted_bench_run("steady steady steady", NULL);
    strcpy(bench->session->devices[0].label, "cuda:0");
    strcpy(bench->session->devices[0].info.uuid, "GPU-1");
    bench->results[0].finding.verdict = VERDICT_INCONCLUSIVE;
    bench->peaks[0].finding.verdict = VERDICT_FAIL;
    bench->ceilings[0].copy_result.finding.verdict = VERDICT_FAIL;
    struct bench passed = *bench;
    struct bench_result row = bench->results[0];
    row.finding.verdict = VERDICT_PASS;
    passed.results = &row;
    struct loaded *baseline = record_of(bench, &passed); /* the first line counts */
    ck_assert_int_eq(count_settled(baseline, bench, 1), 1);
}

START_TEST(a_gate_says_what_the_baseline_was, "gate.verdict.whole")
{
    ASSERT_HAS(gate_shown_agreed(CHANGE_SAME), "SAME");
    ASSERT_HAS(gate_shown_agreed(CHANGE_BETTER), "BETTER");
}
