/* Verdicts on the best copy of each regime, on figures made up for an H200. */
#include "conformance/test/made_bench.h"

/* The peak is of DRAM, and comes with the better copy's samples. */
START_TEST(the_peak_is_of_the_best_copy, "bandwidth.ceiling.floor")
{
    struct bench *bench = made_bench(90);
    made_copies(bench, 3900, 9000);
    for (int group = 0; group < bench->plan.group_count; group++)
        bench->ceilings[group].copy_result.samples_least = 1;
    bench_judge_peak(bench, REGIME_DRAM);
    ck_assert_int_eq(bench->plan.groups[bench->peak_groups[REGIME_DRAM]].regime, REGIME_DRAM);
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_FAIL);
    for (int group = 0; group < bench->plan.group_count; group++)
        bench->ceilings[group].memcpy_result.samples_least = 1;
    bench_judge_peak(bench, REGIME_DRAM);
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_INCONCLUSIVE);
}

START_TEST(a_slow_memory_fails, "bandwidth.ceiling.floor")
{
    static const struct {
        double gbps;
        enum verdict verdict;
    } table[] = {{4236, VERDICT_PASS}, {3900, VERDICT_FAIL}, {100, VERDICT_FAIL}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = made_bench(90);
        made_copies(bench, table[row].gbps, table[row].gbps);
        ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
        ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, table[row].verdict);
        ck_assert_str_eq(bench->peaks[REGIME_DRAM].finding.clause,
                         table[row].verdict == VERDICT_PASS ? "" : "bandwidth.ceiling.floor");
    }
}

/* Copies without a speed make no best copy: it is undecided if they are, and else not measured. */
START_TEST(copies_that_are_undecided_make_no_best_copy, "bandwidth.samples.clock")
{
    static const struct {
        enum verdict copies, best;
    } table[] = {{VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
                 {VERDICT_FAIL, VERDICT_SKIP},
                 {VERDICT_SKIP, VERDICT_SKIP}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = made_bench(90);
        made_copies(bench, 0, 0);
        for (int group = 0; group < bench->plan.group_count; group++)
            finding_set(&bench->ceilings[group].copy_result.finding, table[row].copies,
                        "bandwidth.samples.clock", "its events tell another time");
        ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
        ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, table[row].best);
        ck_assert_str_eq(bench->peaks[REGIME_DRAM].finding.clause,
                         table[row].best == VERDICT_SKIP ? "" : "bandwidth.samples.clock");
    }
}

/* The best copy is as fast as ever, and those in the largest buffers are not. */
START_TEST(large_buffers_that_are_slow_fail, "bandwidth.ceiling.alike")
{
    static const struct {
        double gbps;
        int others;
        enum verdict verdict;
    } table[] = {{3900, 0, VERDICT_PASS},
                 {3300, 0, VERDICT_PASS},
                 {2118, 0, VERDICT_FAIL},
                 {2118, 1, VERDICT_INCONCLUSIVE}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = made_bench(90);
        made_copies(bench, 4236, 5050);
        for (int group = 0; group < bench->plan.group_count; group++) {
            const struct bench_group *it = &bench->plan.groups[group];
            if (it->regime != REGIME_DRAM || it->footprint_bytes < UINT64_C(1) << 30)
                continue;
            bench->ceilings[group].copy_result.company.others = table[row].others;
            for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
                bench->ceilings[group].best[repeat] = made_around(table[row].gbps);
        }
        bench_judge_peak(bench, REGIME_DRAM);
        const struct finding *finding = &bench->peaks[REGIME_DRAM].finding;
        ck_assert_int_eq(finding->verdict, table[row].verdict);
        ck_assert_str_eq(finding->clause, table[row].verdict == VERDICT_PASS ? ""
                                          : table[row].others ? "bandwidth.sensors.alone"
                                                              : "bandwidth.ceiling.alike");
    }
}

/* So does a slow L2 cache, whose copies are as slow as its kernels. */
START_TEST(a_slow_cache_fails, "bandwidth.ceiling.floor")
{
    static const struct {
        double gbps;
        enum verdict verdict;
    } table[] = {{5050, VERDICT_PASS}, {4600, VERDICT_FAIL}, {2525, VERDICT_FAIL}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = made_bench(90);
        made_copies(bench, 4236, table[row].gbps);
        /* Copies of a product's few bytes are no measure of it. */
        for (int group = 0; group < bench->plan.group_count; group++)
            for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
                if (bench_intensity(&bench->plan.groups[group]) > 1)
                    bench->ceilings[group].best[repeat] = made_around(9000);
        ck_assert(!bench_judge_peak(bench, REGIME_L2));
        const struct bench_result *peak = &bench->peaks[REGIME_L2];
        ck_assert_int_eq(peak->finding.verdict, table[row].verdict);
        ck_assert_str_eq(peak->finding.clause,
                         table[row].verdict == VERDICT_PASS ? "" : "bandwidth.ceiling.floor");
        ck_assert(peak->limit.measured && peak->limit.found_loss > 0.05);
        const struct line_peak *it = LINE_AS(peak, bench_line_peak(bench, REGIME_L2, made_zone()));
        ck_assert_str_eq(it->regime, "l2");
        ck_assert_double_eq_tol(it->derived_gbps, 16727.04, 0.01);
        ck_assert_double_eq(it->floor->found_loss, peak->limit.found_loss);
    }
}

/* One of half the speed on a GPU that assay has no row for: its derived floor finds what is broken,
 * and the floors of its own file find this one. */
START_TEST(a_new_gpus_slow_cache_fails_its_own_floors, "bandwidth.ceiling.floor")
{
    for (int has_floors = 0; has_floors < 2; has_floors++) {
        struct bench *bench = made_bench(137);
        json_t *gpu = json_array_get(json_object_get(bench->floors->root, "gpus"), 0);
        if (has_floors)
            json_object_set_new(gpu, "compute_capability", json_integer(137));
        made_copies(bench, 4236, 2525);
        bench_judge_peak(bench, REGIME_L2);
        const struct finding *finding = &bench->peaks[REGIME_L2].finding;
        ck_assert_int_eq(finding->verdict, has_floors ? VERDICT_FAIL : VERDICT_PASS);
        if (has_floors)
            ASSERT_HAS(finding->note, "the best copy reaches 0.15");
    }
}

/* Where products alone are measured, the roofline is their ceiling in the L2 cache. */
START_TEST(products_need_no_cache, "bandwidth.ceiling.floor")
{
    struct bench *bench = made_bench(90);
    ck_assert(bench_has_peak(bench, REGIME_L2) && bench_has_peak(bench, REGIME_DRAM));
    for (int group = 0; group < bench->plan.group_count; group++)
        if (bench_intensity(&bench->plan.groups[group]) <= 1)
            bench->plan.groups[group].regime = REGIME_DRAM;
    ck_assert(!bench_has_peak(bench, REGIME_L2) && bench_has_peak(bench, REGIME_DRAM));
}

/* Square products lie in the cache in part, whose copies reach no floor of large ones. */
START_TEST(small_copies_have_no_floor, "bandwidth.ceiling.floor")
{
    struct bench *bench = made_bench(90);
    for (int group = 0; group < bench->plan.group_count; group++)
        bench->plan.groups[group].footprint_bytes =
            bench->plan.groups[group].rotation.cold_bytes - 1;
    ck_assert(!bench_has_peak(bench, REGIME_DRAM));
    bench->own_sizes = false; /* a line says that --bytes has no floor */
    ck_assert(bench_has_peak(bench, REGIME_DRAM));
}

/* Faster than the memory's pins: the copies were served from the cache. */
START_TEST(an_impossible_ceiling_is_reported, "bandwidth.ceiling.possible")
{
    struct bench *bench = made_bench(90);
    made_copies(bench, 4900, 4900);
    ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_str_eq(bench->peaks[REGIME_DRAM].finding.clause, "bandwidth.ceiling.possible");
}
