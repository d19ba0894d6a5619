/* Verdicts on figures made up for an H200: floors, sensors, ceilings and host calls. */
#include <unistd.h>

#include "conformance/test/made_bench.h"
#include "conformance/test/made_device.h"

/* The verdict on one kernel that reaches `gbps`. More samples are asked for where that is too near
 * to its floor, and nowhere else. */
static const struct bench_result *judge(struct bench *bench, double gbps)
{
    int row = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
    made_gbps(&bench->results[row], gbps);
    bool more = bench_judge_row(bench, row);
    ck_assert_int_eq(more, strstr(bench->results[row].finding.note, "too near to") != NULL);
    return &bench->results[row];
}

START_TEST(a_slow_kernel_fails, "bandwidth.floor.kernel")
{
    struct bench *bench = made_bench(90);
    double floor = 4236 * judge(bench, 3000)->limit.value;
    ck_assert_int_eq(judge(bench, 1.01 * floor)->finding.verdict, VERDICT_PASS);
    const struct bench_result *slow = judge(bench, 0.99 * floor);
    ck_assert_int_eq(slow->finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(slow->finding.clause, "bandwidth.floor.kernel");
    ck_assert(slow->limit.measured);
    ck_assert_int_eq(judge(bench, floor)->finding.verdict, VERDICT_INCONCLUSIVE);
}

/* A product at the speed of any would be far below its floor of what copies reach. */
START_TEST(without_a_clock_products_have_no_roofline, "bandwidth.ceiling.clock")
{
    struct bench *bench = made_bench(137);
    struct device_info info = *bench->info;
    const int row = made_row(bench, "matmul/naive", "square", REGIME_DRAM);
    bench->info = &info;
    for (info.sm_clock_khz = 1980000; info.sm_clock_khz >= 0; info.sm_clock_khz -= 1980000) {
        made_gbps(&bench->results[row], 1e-3);
        bench_judge_row(bench, row);
        ck_assert_int_eq(bench->results[row].finding.verdict,
                         info.sm_clock_khz ? VERDICT_FAIL : VERDICT_PASS);
    }
    ck_assert_str_eq(bench->results[row].finding.clause, "bandwidth.ceiling.clock");
    ASSERT_HAS(bench->results[row].finding.note, "recorded, not judged");
}

/* GPUs that do not exist, each at four fifths of its own peaks. */
START_TEST(any_healthy_gpu_fails_nothing, "driver.host.pretended")
{
    for (int seed = 0; seed < 100; seed++) {
        struct device device;
        struct reason reason;
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        ck_assert_int_eq(setenv("ASSAY_HOST_GPU", text, 1), 0);
        const struct cuda_driver driver = made_driver();
        ck_assert(
            device_open_with(&device, &driver, (struct device_set){.kind = DEVICE_GPU}, &reason));
        struct bench *bench = made_bench_of(&device.info);
        device_close(&device);
        for (int group = 0; group < bench->plan.group_count; group++) {
            const double peak = bench_peak_gbps(bench->info, bench->plan.groups[group].regime);
            for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
                bench->ceilings[group].best[repeat] = made_around(peak > 0 ? 0.8 * peak : 1000);
        }
        for (int row = 0; row < bench->plan.row_count; row++) {
            const double roofline = bench_roofline(bench, row, 0).median;
            made_gbps(&bench->results[row], roofline > 0 ? 0.8 * roofline : 500);
            bench_judge_row(bench, row);
            ck_assert_msg(bench->results[row].finding.verdict != VERDICT_FAIL, "GPU %d: %s", seed,
                          bench->results[row].finding.note);
        }
        for (enum regime regime = REGIME_DRAM; regime <= REGIME_L2; regime++) {
            bench_judge_peak(bench, regime);
            ck_assert_msg(bench->peaks[regime].finding.verdict != VERDICT_FAIL, "GPU %d: %s", seed,
                          bench->peaks[regime].finding.note);
        }
        bench_judge_relations(bench);
        for (int relation = 0; relation < bench->relation_count; relation++)
            ck_assert_int_ne(bench->relations[relation].finding.verdict, VERDICT_FAIL);
    }
    unsetenv("ASSAY_HOST_GPU");
}

START_TEST(too_few_samples_decide_nothing, "bandwidth.samples.count")
{
    struct bench *bench = made_bench(90);
    for (double gbps = 10; gbps < 4000; gbps += 3000) {
        int row = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
        made_gbps(&bench->results[row], gbps);
        bench->results[row].samples_least =
            BENCH_SAMPLES_LEAST - 1; /* the other repeats have enough */
        bench->results[row].during.reasons = 0x4;
        ck_assert(!bench_judge_row(bench, row)); /* more samples under a power cap help nobody */
        ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_INCONCLUSIVE);
        ASSERT_HAS(bench->results[row].finding.note, "power cap");
        made_gbps(&bench->results[row], 4000);
        bench->results[row].samples_least = BENCH_SAMPLES_LEAST; /* as many are enough */
        bench_judge_row(bench, row);
        ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_PASS);
        made_gbps(&bench->results[row], gbps); /* launches that took no time at all */
        bench->results[row].measured = false;
        ck_assert(!bench_judge_row(bench, row));
        ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_INCONCLUSIVE);
        ck_assert_str_eq(bench->results[row].finding.clause, "bandwidth.samples.count");
    }
}

START_TEST(memory_errors_fail, "bandwidth.sensors.ecc")
{
    struct bench *bench = made_bench(90);
    int row = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
    made_gbps(&bench->results[row], 4000);
    bench->results[row].before = (struct nvml_reading){.ecc_uncorrected = 0};
    bench->results[row].after = (struct nvml_reading){.ecc_uncorrected = 3, .ecc_known = true};
    bench_judge_row(bench, row); /* of old errors, where it is unknown how many there were before */
    ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_PASS);
    bench->results[row].before.ecc_known = true;
    bench->results[row].after.ecc_known = false; /* nor where it is unknown how many are now */
    bench_judge_row(bench, row);
    ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_PASS);
    bench->results[row].after.ecc_known = true;
    bench->results[row].before = (struct nvml_reading){.ecc_uncorrected = 2, .ecc_known = true};
    bench_judge_row(bench, row);
    ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(bench->results[row].finding.clause, "bandwidth.sensors.ecc");
    bench->ceilings[0].copy_result.before.ecc_known = true;
    bench->ceilings[0].copy_result.after =
        (struct nvml_reading){.ecc_uncorrected = 1, .ecc_known = true};
    bench_count_ceiling(bench, &bench->ceilings[0]);
    ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], 1);
}

START_TEST(the_host_has_no_floors, "bandwidth.verdict.host")
{
    struct bench *bench = made_bench(90);
    ((struct device_info *)bench->info)->id = device_host;
    const struct bench_result *result = judge(bench, 1);
    ck_assert_int_eq(result->finding.verdict, VERDICT_SKIP);
    ASSERT_HAS(result->finding.note, "the host device has no floors");
    bench_judge_peak(bench, REGIME_DRAM);
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_SKIP);
}

/* Of a compute-bound shape the ceiling is the roofline; of any other the copy in the same repeat.
 */
START_TEST(fractions_are_of_their_own_ceiling, "bandwidth.ceiling.same_run")
{
    struct bench *bench = made_bench(90);
    int copy = made_row(bench, "offset_copy/vector", "offset=0", REGIME_DRAM);
    bench->ceilings[bench->plan.rows[copy].group].best[1] = made_around(3000);
    ck_assert_double_eq(bench_roofline(bench, copy, 0).median, 4236);
    ck_assert_double_eq(bench_roofline(bench, copy, 1).median, 3000);
    int line = made_row(bench, "adjacent_difference/global", "line", REGIME_DRAM);
    ck_assert_double_eq(bench_roofline(bench, line, 0).median, 4236); /* 1/8 of a flop a byte */
    int square = made_row(bench, "matmul/naive", "square", REGIME_DRAM);
    double roof = bench_roofline(bench, square, 0).median, intensity = 2048.0 / 6;
    ck_assert(roof * intensity > 66800 && roof * intensity < 67000);
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        made_gbps(&bench->results[copy], 10);
        bench->ceilings[bench->plan.rows[copy].group].best[repeat] = (struct interval){0, 0, 0};
        ck_assert(!bench_judge_row(bench, copy));
        ck_assert_int_eq(bench->results[copy].finding.verdict, VERDICT_INCONCLUSIVE);
        ASSERT_HAS(bench->results[copy].finding.note, "was not measured");
        bench->ceilings[bench->plan.rows[copy].group].best[repeat] = made_around(4236);
    }
}

/* Each row asks for its own floor: that of its regime, its elements and its sectors. */
START_TEST(floors_are_of_their_own_row, "bandwidth.floor.kernel")
{
    struct bench *bench = made_bench(90);
    int l2 = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_L2);
    int dram = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
    int bytes = made_row(bench, "offset_copy/scalar", "element=8", REGIME_DRAM);
    const int rows[] = {l2, dram, bytes};
    for (size_t index = 0; index < 3; index++) {
        bench_judge_row(bench, rows[index]);
        ck_assert(bench->results[rows[index]].limit.measured);
    }
    const struct floor_key key = {.kernel = "offset_copy/scalar",
                                  .shape = "offset=0",
                                  .element_bytes = 4,
                                  .regime = REGIME_L2,
                                  .sector_efficiency = 1};
    double limit = floors_kernel(bench->floors, bench->info, &key).value;
    ck_assert_double_eq(bench->results[l2].limit.value, limit);
    ck_assert_double_ne(bench->results[dram].limit.value, limit);
    bench = made_bench(91); /* nobody's floors */
    int strided = made_row(bench, "strided_copy/scalar", "stride=8", REGIME_DRAM);
    bench_judge_row(bench, strided);
    ck_assert_double_eq_tol(bench->results[strided].limit.value, 0.25 / 8, 1e-6);
}

/* Floors say nothing of other sizes, nor of a peak that nobody knows. */
START_TEST(what_has_no_floor_is_skipped, "bandwidth.ceiling.floor")
{
    struct bench *bench = made_bench(90);
    struct device_info *info = (struct device_info *)bench->info;
    bench->own_sizes = false;
    ck_assert_int_eq(judge(bench, 3000)->finding.verdict, VERDICT_SKIP);
    ASSERT_HAS(judge(bench, 1)->finding.note, "not for --bytes");
    ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_SKIP);
    ASSERT_HAS(bench->peaks[REGIME_DRAM].finding.note, "not for --bytes");
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++)
        ck_assert_int_eq(bench->relations[index].finding.verdict, VERDICT_SKIP);
    bench->own_sizes = true;
    info->memory_clock_khz = 0;
    ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_SKIP);
    ASSERT_HAS(bench->peaks[REGIME_DRAM].finding.note, "does not report the clock");
}

START_TEST(a_slow_host_call_fails, "bandwidth.latency.ceiling")
{
    struct bench *bench = made_bench(90);
    ck_assert_str_eq(bench_latency_name(0), "launch");
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        made_gbps(&bench->latencies[0], 1e6 / (is_slow ? 100 : 2.6));
        bench_judge_latency(bench, 0);
        ck_assert_int_eq(bench->latencies[0].finding.verdict,
                         is_slow ? VERDICT_FAIL : VERDICT_PASS);
    }
    made_gbps(&bench->latencies[0], 1e6 / bench->latencies[0].limit.value);
    ck_assert(bench_judge_latency(bench, 0)); /* and more samples may show it */
    ck_assert_int_eq(bench->latencies[0].finding.verdict, VERDICT_INCONCLUSIVE);
}

static void write_all(struct bench *bench)
{
    for (int call = 0; call < bench->latency_count; call++)
        session_write_line(bench->session, bench_line_latency(bench, call, made_zone()));
    for (int row = 0; row < bench->plan.row_count; row++)
        session_write_line(bench->session, bench_line_row(bench, row, made_zone()));
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        session_write_line(bench->session,
                           bench_line_peak(bench, (enum regime)regime, made_zone()));
}

/* Everything that is shown of a bench. */
static char *written_by(enum output_format format, struct bench *bench)
{
    return made_bench_shown(bench, format, write_all);
}

/* A floor comes with what it finds, in text, TAP and record; a derived one finds nobody knows
 * what. */
START_TEST(floors_come_with_what_they_find, "bandwidth.floor.found_loss")
{
    struct bench *bench = made_bench(90);
    for (int row = 0; row < bench->plan.row_count; row++)
        bench_judge_row(bench, row);
    bench_judge_peak(bench, REGIME_DRAM);
    bench_judge_peak(bench, REGIME_L2);
    int row = made_row(bench, "offset_copy/scalar", "element=8", REGIME_L2);
    double found = bench->results[row].limit.found_loss;
    const double floor = bench->results[row].limit.value;
    char expected[64], loss[NUMBER_TEXT_BYTES], *text = written_by(FORMAT_TEXT, bench);
    char *tap = written_by(FORMAT_TAP, bench);
    ck_assert(found > 0.12 && found < 0.13);
    snprintf(expected, sizeof expected, "%.4f  %s", floor, number_loss(found, loss));
    ASSERT_HAS(text, expected);
    double worst = 0;
    for (int other = 0; other < bench->plan.row_count; other++)
        worst = bench->results[other].limit.found_loss > worst
                    ? bench->results[other].limit.found_loss
                    : worst;
    ck_assert(worst >= found);
    char most[NUMBER_TEXT_BYTES];
    snprintf(expected, sizeof expected, "The worst here is %s", number_loss(worst, most));
    ASSERT_HAS(text, expected);
    ASSERT_HAS(text, "best copy, l2 ");
    snprintf(expected, sizeof expected, "measured floor %.4f, finds %s", floor, loss);
    ASSERT_HAS(tap, expected);
    const struct line_bench *line = LINE_AS(bench, bench_line_row(bench, row, made_zone()));
    ck_assert_double_eq(line->floor->found_loss, found);
    bench = made_bench(91);
    bench_judge_row(bench, row);
    ck_assert_double_eq(bench->results[row].limit.found_loss, 0);
    text = written_by(FORMAT_TEXT, bench);
    ASSERT_LACKS(text, "\nfinds ");
}

/* A ceiling of one host says nothing of another, which has a derived one that finds a broken host.
 */
START_TEST(host_calls_are_of_their_host, "bandwidth.latency.host")
{
    static const struct {
        const char *cpu, *hypervisor;
        double us;
        enum verdict verdict;
    } table[] = {
        {"made", "none", 2.6, VERDICT_PASS},
        {"made", "none", 100, VERDICT_FAIL},
        {"made", "KVMKVMKVM", 2.6, VERDICT_PASS},
        {"another", "none", 2.6, VERDICT_PASS},
        {"another", "none", 100, VERDICT_PASS},
        {"another", "none", 2000, VERDICT_FAIL}, /* on no host */
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct bench *bench = made_bench(90);
        snprintf(bench->host.cpu, sizeof bench->host.cpu, "%s", table[row].cpu);
        snprintf(bench->host.hypervisor, sizeof bench->host.hypervisor, "%s",
                 table[row].hypervisor);
        made_gbps(&bench->latencies[0], 1e6 / table[row].us);
        ck_assert(!bench_judge_latency(bench, 0)); /* more samples show no more of it */
        const struct bench_result *result = &bench->latencies[0];
        ck_assert_msg(result->finding.verdict == table[row].verdict, "%zu: %s", row,
                      result->finding.note);
        const bool is_known = row < 2;
        ck_assert(result->limit.measured == is_known);
        ck_assert_double_eq(result->limit.value, is_known ? 8 : 1000);
        const struct line *line = bench_line_latency(bench, 0, made_zone());
        ck_assert_str_eq(LINE_AS(latency, line)->cpu, table[row].cpu);
    }
}

/* Nobody has measured them: a kernel whose lanes take turns is held to that. */
START_TEST(lanes_that_take_turns_have_lower_floors, "bandwidth.floor.derived")
{
    static const struct {
        const char *kernel, *shape;
        double floor;
    } rows[] = {{"table_lookup/constant", "distinct=1", 0.25},
                {"table_lookup/constant", "distinct=32", 0.25 / 32},
                {"table_lookup/global", "distinct=32", 0.25}};
    struct bench *bench = made_bench(90);
    for (int index = 0; index < 3; index++) {
        char name[CATALOG_NAME_BYTES];
        const int row = made_row(bench, rows[index].kernel, rows[index].shape, REGIME_DRAM);
        const struct floor_key key = bench_floor_key(bench, row, name);
        ck_assert_double_eq_tol(0.25 * key.sector_efficiency, rows[index].floor,
                                rows[index].floor / 1000);
    }
}

/* Code at a level that is named: floors were measured of other code. */
START_TEST(options_have_no_floors, "bandwidth.floor.options")
{
    struct bench *bench = made_bench(90);
    const int path = path_find_or_add("ptx-O0"),
              row = made_row(bench, "aat/padded", "k=32", REGIME_DRAM);
    ck_assert_int_ge(path, 0);
    made_gbps(&bench->results[row], 1); /* below every floor */
    ck_assert(!bench_judge_row(bench, row));
    ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_FAIL);
    made_gbps(&bench->results[row], 1);
    bench->plan.rows[row].subject.path = (uint16_t)path;
    ck_assert(!bench_judge_row(bench, row));
    ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_SKIP);
    ASSERT_HAS(bench->results[row].finding.note, "options of its compiler");
    bench->plan.copy_kernel.path = (uint16_t)path;
    bench_judge_peak(bench, REGIME_DRAM);
    ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict, VERDICT_SKIP);
    bench = made_bench(90);
    bench->session->plan.paths = "ptx-O0";
    bench_make_plan(bench, &bench->session->plan, 0, 1);
    for (int index = 0; index < bench->plan.row_count; index++)
        made_gbps(&bench->results[index], 2000);
    bench_judge_relations(bench);
    ck_assert_int_gt(bench->relation_count, 0);
    for (int index = 0; index < bench->relation_count; index++)
        ck_assert_int_eq(bench->relations[index].finding.verdict, VERDICT_SKIP);
}

/* The line that has the words begins with these, as a line of TAP with its verdict does. */
static void assert_line(const char *text, const char *words, const char *start)
{
    const char *at = strstr(text, words);
    ck_assert_msg(at != NULL, "no '%s' in:\n%.2000s", words, text);
    while (at > text && at[-1] != '\n')
        at--;
    ck_assert_msg(strncmp(at, start, strlen(start)) == 0, "%.100s", at);
}

/* The best copy of each regime and each host call, as what it is. */
START_TEST(all_that_is_judged_is_reported, "runner.tap.verdict")
{
    struct bench *bench = made_bench(90);
    bench->latency_count = 2;
    for (int which = 0; which < 2; which++) {
        made_gbps(&bench->peaks[which], 100 + which);
        made_gbps(&bench->latencies[which], 1e6 / (3 + which));
        bench->peaks[which].finding.verdict = which ? VERDICT_FAIL : VERDICT_PASS;
        bench->latencies[which].finding.verdict = which ? VERDICT_PASS : VERDICT_FAIL;
    }
    char *text = written_by(FORMAT_TEXT, bench);
    char *tap = written_by(FORMAT_TAP, bench);
    assert_line(tap, "dram: 100.0 GB/s", "ok ");
    assert_line(tap, "l2: 101.0 GB/s", "not ok ");
    assert_line(tap, ": 3.000 us", "not ok ");
    assert_line(tap, ": 4.000 us", "ok ");
    assert_line(text, "100 GB/s", "best copy, dram ");
    assert_line(text, "101 GB/s", "best copy, l2 ");
    assert_line(text, "    4.000 ", bench_latency_name(1));
}

/* Against the link's 63 GB/s; and where NVML reports none. */
START_TEST(copies_are_held_to_the_link, "bandwidth.link.floor", "bandwidth.link.unknown",
           "bandwidth.link.shared")
{
    static const struct {
        const char *kernel;
        double gbps;
        uint32_t generation;
        enum verdict verdict;
    } rows[] = {
        {"host_copy/upload", 55, 5, VERDICT_PASS},
        {"host_copy/upload", 40, 5, VERDICT_FAIL},
        {"host_copy/download_mapped", 40, 5, VERDICT_FAIL},
        {"host_copy/upload", 24, 4, VERDICT_PASS},
        {"host_copy/download_pageable", 4, 5, VERDICT_PASS},
        {"host_copy/download_pageable", 1, 5, VERDICT_FAIL},
        {"host_copy/upload", 1, 9, VERDICT_PASS},
    };
    struct bench *bench = made_bench(90);
    struct board *board = &bench->session->devices[bench->device].board;
    board->known = UINT32_C(1) << BOARD_PCIE_GENERATION_MAX | UINT32_C(1) << BOARD_PCIE_WIDTH_MAX;
    board->values[BOARD_PCIE_WIDTH_MAX] = 16;
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        const int row = made_row(bench, rows[index].kernel, "line", REGIME_DRAM);
        struct bench_result *result = &bench->results[row];
        const struct bench_group *group = &bench->plan.groups[bench->plan.rows[row].group];
        const struct traffic traffic = bench_traffic(group); /* the bytes count once */
        ck_assert_uint_eq(traffic.read_bytes, 0);
        ck_assert_uint_eq(traffic.written_bytes, group->footprint_bytes / 2);
        board->values[BOARD_PCIE_GENERATION_MAX] = rows[index].generation;
        made_gbps(result, rows[index].gbps);
        bench_judge_row(bench, row);
        ck_assert_msg(result->finding.verdict == rows[index].verdict, "%zu: %s", index,
                      result->finding.note);
        if (rows[index].verdict == VERDICT_FAIL) {
            ck_assert_str_eq(result->finding.clause, "bandwidth.link.floor");
            made_gbps(result, rows[index].gbps);
            bench->session->device_count = 2;
            bench_judge_row(bench, row);
            bench->session->device_count = 1;
            ck_assert_int_eq(result->finding.verdict, VERDICT_INCONCLUSIVE);
            ck_assert_str_eq(result->finding.clause, "bandwidth.link.shared");
        }
        ck_assert(!result->limit.measured);
        if (rows[index].generation == 9) {
            ck_assert_str_eq(result->finding.clause, "bandwidth.link.unknown");
            ASSERT_HAS(result->finding.note, "recorded, not judged");
        }
    }
}
