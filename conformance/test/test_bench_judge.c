/* Verdicts on figures made up for an H200: floors, sensors, ceilings, host calls and relations. */
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/run.h"
#include "spec/testing.h"

static struct options options;

static struct interval around(double value)
{
    return (struct interval){0.998 * value, value, 1.002 * value};
}

static void set_gbps(struct bench_result *result, double gbps)
{
    result->verdict = VERDICT_PASS;
    result->measured = true;
    result->samples = BENCH_REPEATS * BENCH_SAMPLES;
    result->samples_least = BENCH_SAMPLES;
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        result->gbps[repeat] = around(gbps);
        result->unit_us[repeat] = around(1e6 / gbps);
    }
}

/* A bench on an H200 in which every kernel reaches 2000 GB/s, and every copy 4236. */
static struct bench *make_bench(int ordinal, int capability)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct run *run = calloc(1, sizeof *run);
    struct floors *floors = calloc(1, sizeof *floors);
    char why[FLOORS_WHY_BYTES];
    ck_assert_msg(floors_open(NULL, floors, why, sizeof why), "%s", why);
    run->options = &options;
    run->device_count = 1;
    run->devices[0].info = (struct device_info){.ordinal = ordinal,
                                                .name = "NVIDIA H200",
                                                .memory_bytes = UINT64_C(150) << 30,
                                                .memory_clock_khz = 3201000,
                                                .memory_bus_bits = 6016,
                                                .sm_clock_khz = 1980000,
                                                .l2_bytes = 62914560,
                                                .limits = {.compute_capability = capability,
                                                           .warp_size = 32,
                                                           .multiprocessor_count = 132,
                                                           .max_threads_per_block = 1024,
                                                           .max_grid = {2147483647, 65535, 65535},
                                                           .shared_bytes_per_block = 49152}};
    bench->run = run;
    bench->info = &run->devices[0].info;
    bench->floors = floors;
    bench->own_sizes = true;
    bench->repeats = BENCH_REPEATS;
    for (int id = 0; id < kernel_count; id++)
        run->plan.selected[id] = true;
    run->plan.paths[PATH_SASS] = true;
    ck_assert(bench_plan_make(&bench->plan, &run->plan, bench->info, 0, 1, why, sizeof why));
    for (int row = 0; row < bench->plan.row_count; row++)
        set_gbps(&bench->results[row], 2000);
    for (int group = 0; group < bench->plan.group_count; group++) {
        set_gbps(&bench->ceilings[group].memcpy_result, 4236);
        set_gbps(&bench->ceilings[group].copy_result, 4200);
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
            bench->ceilings[group].best[repeat] = around(4236);
    }
    return bench;
}

static void free_bench(struct bench *bench)
{
    floors_close((struct floors *)bench->floors);
    free((struct floors *)bench->floors);
    free(bench->run);
    free(bench);
}

static int row_of(const struct bench *bench, const char *kernel, const char *shape,
                  enum regime regime)
{
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_group *group = &bench->plan.groups[bench->plan.rows[row].group];
        char name[CATALOG_NAME_BYTES];
        if (strcmp(catalog_name(bench->plan.rows[row].check.kernel, name), kernel) == 0 &&
            strcmp(bench_shapes[group->shape].name, shape) == 0 && group->regime == regime)
            return row;
    }
    ck_abort_msg("no row of %s %s", kernel, shape);
    return -1;
}

/* The verdict on one kernel that reaches `gbps`. */
static const struct bench_result *judge(struct bench *bench, double gbps)
{
    int row = row_of(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
    set_gbps(&bench->results[row], gbps);
    bench_judge_row(bench, row);
    return &bench->results[row];
}

START_TEST(a_slow_kernel_fails)
{
    CLAUSE("bandwidth.floor.kernel");
    struct bench *bench = make_bench(0, 90);
    double floor = 4236 * judge(bench, 3000)->floor.limit;
    ck_assert_int_eq(judge(bench, 1.01 * floor)->verdict, VERDICT_PASS);
    const struct bench_result *slow = judge(bench, 0.99 * floor);
    ck_assert_int_eq(slow->verdict, VERDICT_FAIL);
    ck_assert_str_eq(slow->clause, "bandwidth.floor.kernel");
    ck_assert(slow->floor.measured);
    ck_assert_int_eq(judge(bench, floor)->verdict, VERDICT_INCONCLUSIVE);
    free_bench(bench);
}
END_TEST

START_TEST(too_few_samples_decide_nothing)
{
    CLAUSE("bandwidth.samples.count");
    struct bench *bench = make_bench(0, 90);
    for (double gbps = 10; gbps < 4000; gbps += 3000) {
        int row = row_of(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
        set_gbps(&bench->results[row], gbps);
        bench->results[row].samples_least = BENCH_SAMPLES_LEAST - 1; /* the other repeats have 30 */
        bench->results[row].during.reasons = 0x4;
        ck_assert(!bench_judge_row(bench, row)); /* more samples under a power cap help nobody */
        ck_assert_int_eq(bench->results[row].verdict, VERDICT_INCONCLUSIVE);
        ck_assert_ptr_nonnull(strstr(bench->results[row].note, "power cap"));
    }
    free_bench(bench);
}
END_TEST

START_TEST(memory_errors_fail)
{
    CLAUSE("bandwidth.sensors.ecc");
    struct bench *bench = make_bench(0, 90);
    int row = row_of(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
    set_gbps(&bench->results[row], 4000);
    bench->results[row].before = (struct nvml_reading){.ecc_uncorrected = 0};
    bench->results[row].after = (struct nvml_reading){.ecc_uncorrected = 3, .ecc_known = true};
    bench_judge_row(bench, row); /* of old errors, where nobody told how many there were before */
    ck_assert_int_eq(bench->results[row].verdict, VERDICT_PASS);
    bench->results[row].before = (struct nvml_reading){.ecc_uncorrected = 2, .ecc_known = true};
    bench_judge_row(bench, row);
    ck_assert_int_eq(bench->results[row].verdict, VERDICT_FAIL);
    ck_assert_str_eq(bench->results[row].clause, "bandwidth.sensors.ecc");
    bench->ceilings[0].copy_result.before.ecc_known = true;
    bench->ceilings[0].copy_result.after =
        (struct nvml_reading){.ecc_uncorrected = 1, .ecc_known = true};
    bench_count_ceiling(bench, &bench->ceilings[0]);
    ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], 1);
    free_bench(bench);
}
END_TEST

START_TEST(the_host_has_no_floors)
{
    CLAUSE("bandwidth.verdict.host");
    struct bench *bench = make_bench(0, 90);
    ((struct device_info *)bench->info)->ordinal = DEVICE_ORDINAL_HOST;
    const struct bench_result *result = judge(bench, 1);
    ck_assert_int_eq(result->verdict, VERDICT_SKIP);
    ck_assert_ptr_nonnull(strstr(result->note, "the host device has no floors"));
    bench_judge_peak(bench);
    ck_assert_int_eq(bench->peak.verdict, VERDICT_SKIP);
    free_bench(bench);
}
END_TEST

/* Of a compute-bound shape the ceiling is the roofline; of any other the copy in the same repeat.
 */
START_TEST(fractions_are_of_their_own_ceiling)
{
    CLAUSE("bandwidth.ceiling.same_run");
    struct bench *bench = make_bench(0, 90);
    int copy = row_of(bench, "offset_copy/vector", "offset=0", REGIME_DRAM);
    bench->ceilings[bench->plan.rows[copy].group].best[1] = around(3000);
    ck_assert_double_eq(bench_roofline(bench, copy, 0).median, 4236);
    ck_assert_double_eq(bench_roofline(bench, copy, 1).median, 3000);
    int square = row_of(bench, "matmul/naive", "square", REGIME_DRAM);
    double roof = bench_roofline(bench, square, 0).median, intensity = 2048.0 / 6;
    ck_assert(roof * intensity > 66800 && roof * intensity < 67000);
    bench->ceilings[bench->plan.rows[copy].group].best[2] = (struct interval){0, 0, 0};
    bench_judge_row(bench, copy);
    ck_assert_int_eq(bench->results[copy].verdict, VERDICT_INCONCLUSIVE);
    free_bench(bench);
}
END_TEST

START_TEST(a_slow_memory_fails)
{
    CLAUSE("bandwidth.ceiling.floor");
    static const struct {
        double gbps;
        enum verdict verdict;
    } table[] = {{4236, VERDICT_PASS}, {3900, VERDICT_FAIL}, {100, VERDICT_FAIL}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = make_bench(0, 90);
        for (int group = 0; group < bench->plan.group_count; group++)
            for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
                bench->ceilings[group].best[repeat] = around(table[row].gbps);
        ck_assert(!bench_judge_peak(bench));
        ck_assert_int_eq(bench->peak.verdict, table[row].verdict);
        ck_assert_str_eq(bench->peak.clause,
                         table[row].verdict == VERDICT_PASS ? "" : "bandwidth.ceiling.floor");
        free_bench(bench);
    }
}
END_TEST

/* Faster than the memory's pins: the copies were served from the cache. */
START_TEST(an_impossible_ceiling_is_told)
{
    CLAUSE("bandwidth.ceiling.possible");
    struct bench *bench = make_bench(0, 90);
    for (int group = 0; group < bench->plan.group_count; group++)
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
            bench->ceilings[group].best[repeat] = around(4900);
    ck_assert(!bench_judge_peak(bench));
    ck_assert_int_eq(bench->peak.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_str_eq(bench->peak.clause, "bandwidth.ceiling.possible");
    free_bench(bench);
}
END_TEST

START_TEST(a_slow_host_call_fails)
{
    CLAUSE("bandwidth.latency.ceiling");
    struct bench *bench = make_bench(0, 90);
    const double us[] = {2.6, 100};
    const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_FAIL};
    for (int index = 0; index < 2; index++) {
        set_gbps(&bench->latencies[0], 1e6 / us[index]);
        bench_judge_latency(bench, 0);
        ck_assert_str_eq(bench_latency_name(0), "launch");
        ck_assert_int_eq(bench->latencies[0].verdict, verdicts[index]);
    }
    set_gbps(&bench->latencies[0], 1e6 / bench->latencies[0].floor.limit);
    ck_assert(bench_judge_latency(bench, 0)); /* and more samples may tell */
    ck_assert_int_eq(bench->latencies[0].verdict, VERDICT_INCONCLUSIVE);
    free_bench(bench);
}
END_TEST

/* Both kernels of a relation at figures of which the ratio is given. */
static enum verdict relation_verdict(const char *clause, double ratio, int capability,
                                     const char **ret_note)
{
    static char note[FINDING_NOTE_BYTES];
    struct bench *bench = make_bench(0, capability);
    enum verdict verdict = VERDICT_ERROR;
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        struct relation it = floors_relation(bench->floors, index);
        if (strcmp(it.clause, clause) != 0)
            continue;
        set_gbps(&bench->results[row_of(bench, it.kernel, it.shape, it.regime)], 1000 * ratio);
        set_gbps(&bench->results[row_of(bench, it.against, it.against_shape, it.regime)], 1000);
    }
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        if (strcmp(bench->relations[index].relation.clause, clause) != 0)
            continue;
        verdict = bench->relations[index].verdict;
        strcpy(note, bench->relations[index].note);
    }
    *ret_note = note;
    free_bench(bench);
    return verdict;
}

START_TEST(relations_of_the_documents)
{
    CLAUSE("bandwidth.relation.aat_padded");
    CLAUSE("bandwidth.relation.aat_coalesced");
    CLAUSE("bandwidth.relation.matmul_shared_ab");
    CLAUSE("bandwidth.relation.matmul_shared_a");
    CLAUSE("bandwidth.relation.difference_shared");
    CLAUSE("bandwidth.relation.stride_two");
    CLAUSE("bandwidth.relation.offset_one");
    static const struct {
        const char *clause;
        int capability;
        double measured; /* by the document, or on an H200 */
        double broken;
    } table[] = {
        {"bandwidth.relation.aat_padded", 70, 199.4 / 140.2, 0.9},
        {"bandwidth.relation.aat_padded", 90, 503.0 / 354, 0.9},
        {"bandwidth.relation.aat_coalesced", 70, 140.2 / 12.8, 3},
        {"bandwidth.relation.aat_coalesced", 90, 354 / 31.3, 3},
        {"bandwidth.relation.matmul_shared_ab", 70, 195.5 / 119.9, 1},
        {"bandwidth.relation.matmul_shared_ab", 90, 503.0 / 403, 1},
        {"bandwidth.relation.matmul_shared_a", 70, 144.4 / 119.9, 0.97},
        {"bandwidth.relation.difference_shared", 90, 1801.0 / 2183, 1.1},
        {"bandwidth.relation.stride_two", 70, 0.5, 0.3},
        {"bandwidth.relation.stride_two", 90, 1419.0 / 2476, 0.9},
        {"bandwidth.relation.offset_one", 70, 0.9, 0.7},
        {"bandwidth.relation.offset_one", 90, 2617.0 / 2731, 0.7},
    };
    const char *note;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        ck_assert_msg(relation_verdict(table[row].clause, table[row].measured,
                                       table[row].capability, &note) == VERDICT_PASS,
                      "%s: %s", table[row].clause, note);
        ck_assert_msg(relation_verdict(table[row].clause, table[row].broken, table[row].capability,
                                       &note) == VERDICT_FAIL,
                      "%s: %s", table[row].clause, note);
    }
}
END_TEST

/* Two thirds of the samples of one repeat were discarded: the ratio says nothing yet. */
START_TEST(a_relation_needs_samples)
{
    CLAUSE("bandwidth.samples.count");
    struct bench *bench = make_bench(0, 90);
    for (int row = 0; row < bench->plan.row_count; row++)
        bench->results[row].samples_least = BENCH_SAMPLES_LEAST - 1;
    bench_judge_relations(bench);
    ck_assert_int_gt(bench->relation_count, 0);
    for (int index = 0; index < bench->relation_count; index++)
        ck_assert_int_eq(bench->relations[index].verdict,
                         bench->relations[index].applies ? VERDICT_INCONCLUSIVE : VERDICT_SKIP);
    free_bench(bench);
}
END_TEST

/* "A in shared" no longer beats "simple" on Hopper: told with the ratio, and no failure. */
START_TEST(an_unknown_generation_is_told)
{
    CLAUSE("bandwidth.relation.known");
    const char *note;
    ck_assert_int_eq(relation_verdict("bandwidth.relation.matmul_shared_a", 391.0 / 403, 90, &note),
                     VERDICT_SKIP);
    ck_assert_ptr_nonnull(strstr(note, "does not hold here: the ratio is 0.970"));
    ck_assert_int_eq(relation_verdict("bandwidth.relation.aat_padded", 2, 120, &note),
                     VERDICT_SKIP);
    ck_assert_ptr_nonnull(strstr(note, "holds here: the ratio is 2.000"));
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a slow kernel fails", a_slow_kernel_fails},
        {"too few samples decide nothing", too_few_samples_decide_nothing},
        {"memory errors fail", memory_errors_fail},
        {"the host has no floors", the_host_has_no_floors},
        {"fractions are of their own ceiling", fractions_are_of_their_own_ceiling},
        {"a slow memory fails", a_slow_memory_fails},
        {"an impossible ceiling is told", an_impossible_ceiling_is_told},
        {"a slow host call fails", a_slow_host_call_fails},
        {"relations of the documents", relations_of_the_documents},
        {"a relation needs samples", a_relation_needs_samples},
        {"an unknown generation is told", an_unknown_generation_is_told},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "bench_judge", tests);
}
