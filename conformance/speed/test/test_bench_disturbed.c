/* A GPU that is not the bench's alone, or whose owner holds its clocks down: what NVML says of it,
 * and what follows from a speed that is too low then. */
#include <unistd.h>

#include "conformance/test/held_stream.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/made_device.h"
#include "conformance/test/made_record.h"

/* The stand-in NVML with these processes. */
static struct nvml open_nvml(const char *processes)
{
    struct nvml nvml;
    struct reason reason = {.text = ""};
    setenv("ASSAY_STAND_IN_NVML", processes, 1);
    ck_assert_msg(nvml_open_library(getenv("NVML"), &nvml, "GPU-0", &reason), "%s", reason.text);
    return nvml;
}

START_TEST(others_are_seen, "bandwidth.sensors.alone")
{
    static const struct {
        const char *processes;
        int others;
        unsigned pid;
    } table[] = {
        {"self", 0, 0},
        {"", 0, 0},
        {"refused", 0, 0},
        {"4242", 0, 0}, /* this process, by the host's count of a container */
        {"self 4242", 1, 4242},
        {"4242 self", 1, 4242},
        {"4242 self 4243", 2, 4243},
        {"4242 4243", 1, 0}, /* one of them is this process */
        {"self mps 4242", 1, 4242},
        {"4242 mps self", 1, 4242}, /* MPS and its client */
        {"many", 127, 0},           /* two full lists */
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct nvml nvml = open_nvml(table[row].processes);
        struct nvml_company company = nvml_look_around(&nvml);
        ck_assert_msg(company.others == table[row].others && company.pid == table[row].pid,
                      "%s: %d, %u", table[row].processes, company.others, company.pid);
        nvml.processes[0] = nvml.processes[1] = NULL; /* an old library */
        ck_assert_int_eq(nvml_look_around(&nvml).others, 0);
        nvml_close(&nvml);
        ck_assert_int_eq(nvml_look_around(&nvml).others, 0);
    }
}

/* What the library has no function for, or no answer to, is unknown, and so is all of a GPU that
 * NVML does not know. */
START_TEST(a_board_is_read_as_far_as_it_answers, "runner.environment.board")
{
    static const struct {
        enum board_value value;
        uint32_t is;
    } known[] = {{BOARD_ECC, 1},
                 {BOARD_PCIE_GENERATION, 1},
                 {BOARD_PCIE_GENERATION_MAX, 5},
                 {BOARD_PCIE_WIDTH, 8},
                 {BOARD_POWER_LIMIT, 650000},
                 {BOARD_POWER_LIMIT_DEFAULT, 700000},
                 {BOARD_APPLICATION_SM_MHZ, 1410},
                 {BOARD_APPLICATION_MEMORY_MHZ, 3201}};
    struct nvml nvml = open_nvml("");
    struct board board = nvml_read_board(&nvml);
    uint32_t mask = 0;
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
        mask |= UINT32_C(1) << known[index].value;
        ck_assert_uint_eq(board.values[known[index].value], known[index].is);
    }
    ck_assert_uint_eq(board.known, mask);
    ck_assert_str_eq(board.vbios, "96.00.A5.00.01");
    ck_assert_str_eq(board.serial, "1650223012345");
    setenv("ASSAY_STAND_IN_NVML", "endless", 1);
    board = nvml_read_board(&nvml);
    ck_assert_uint_eq(strnlen(board.vbios, sizeof board.vbios), sizeof board.vbios - 1);
    ck_assert_uint_eq(strnlen(board.serial, sizeof board.serial), sizeof board.serial - 1);
    nvml_close(&nvml);
    board = nvml_read_board(&nvml);
    ck_assert(board.known == 0 && board.vbios[0] == 0 && board.serial[0] == 0);
}

/* Before the samples and after them, of kernels and of host calls; the record has the readings. */
START_TEST(each_job_looks_around, "bandwidth.sensors.alone", "bandwidth.sensors.optional")
{
    struct device *device = made_device();
    for (int crowded = 0; crowded < 2; crowded++) {
        struct nvml nvml = open_nvml(crowded ? "self 4242" : "self");
        int launches = 0;
        struct bench_timer timer = {device,    device->stream, &nvml,         launch_nothing,
                                    &launches, NULL,           TIMER_HOLD_MS, bench_warm_up_s(1)};
        struct callable callable = {.device = device, .stream = device->stream};
        struct callable_operands operands = {.address = 0};
        struct bench_times times = {0}, calls = {0};
        int synchronize = 0;
        while (strcmp(bench_latency_name(synchronize), "synchronize") != 0)
            synchronize++;
        ck_assert_int_eq(bench_time(&timer, 2, &times), CU_SUCCESS);
        callable_host_call(&callable, synchronize, 0, NULL);
        ck_assert_int_eq(bench_latency_time(&callable, &operands, &nvml, 2, &calls), CU_SUCCESS);
        ck_assert_int_eq(times.company.others, crowded);
        ck_assert_int_eq(calls.company.others, crowded);
        ck_assert_uint_eq(times.company.pid, crowded ? 4242 : 0);
        const struct nvml_reading *readings[] = {&times.before, &times.during, &times.after,
                                                 &calls.before, &calls.during, &calls.after};
        for (size_t index = 0; index < sizeof readings / sizeof readings[0]; index++) {
            ck_assert_uint_eq(readings[index]->sm_mhz, 1980);
            ck_assert_uint_eq(readings[index]->memory_mhz, 3201);
            ck_assert_uint_eq(readings[index]->power_mw, 350500);
        }
        nvml_close(&nvml);
    }
}

struct disturbance {
    struct nvml_company company;
    uint32_t sm_mhz, memory_mhz;
    uint64_t reasons;
    const char *clause; /* NULL: none */
    const char *says;
    int slowed; /* samples that count */
};

static const char alone[] = "bandwidth.sensors.alone", clocks[] = "bandwidth.sensors.clocks",
                  slowed[] = "bandwidth.samples.slowed";
static const struct disturbance disturbances[] = {
    {{0, 0}, 1980, 3201, 0, NULL, NULL, 0},
    {{0, 0}, 0, 0, 0, NULL, NULL, 0}, /* no readings */
    {{0, 0}, 1930, 3150, 0, NULL, NULL, 0},
    {{1, 4242}, 1980, 3201, 0, alone, "1 other process (4242) on the GPU", 0},
    {{2, 4242}, 1980, 3201, 0, alone, "2 other processes (one is 4242) on the GPU", 0},
    {{1, 0}, 1980, 3201, 0, alone, "1 other process on the GPU", 0},
    {{0, 0},
     1200,
     3201,
     0,
     clocks,
     "its SM clock ran at 1200 of 1980 MHz and nothing slowed it",
     0},
    {{0, 0}, 1200, 3201, 2, clocks, "its SM clock ran at 1200", 0},
    {{0, 0}, 1980, 1593, 0, clocks, "its memory clock ran at 1593 of 3201", 0},
    {{0, 0}, 1965, 3201, 4, slowed, "the GPU was slowed (power cap) in 1 sample of", 1},
};

static void disturb(struct bench_result *result, const struct disturbance *it)
{
    result->company = it->company;
    result->sm_mhz_least = it->sm_mhz;
    result->memory_mhz_least = it->memory_mhz;
    result->during.reasons = it->reasons;
    result->slowed = it->slowed;
}

static void check(const struct bench_result *result, const struct disturbance *it, bool slow)
{
    enum verdict wanted = !slow ? VERDICT_PASS : it->clause ? VERDICT_INCONCLUSIVE : VERDICT_FAIL;
    ck_assert_msg(result->finding.verdict == wanted, "%s", result->finding.note);
    if (wanted != VERDICT_INCONCLUSIVE)
        return;
    ck_assert_str_eq(result->finding.clause, it->clause);
    ck_assert_msg(strncmp(result->finding.note, it->says, strlen(it->says)) == 0, "%s",
                  result->finding.note);
}

START_TEST(a_disturbed_speed_does_not_fail, "bandwidth.sensors.alone", "bandwidth.sensors.clocks",
           "bandwidth.samples.slowed")
{
    for (size_t index = 0; index < sizeof disturbances / sizeof disturbances[0]; index++)
        for (int slow = 0; slow < 2; slow++) {
            const struct disturbance *it = &disturbances[index];
            struct bench *bench = made_bench(90);
            int row = made_row(bench, "offset_copy/scalar", "offset=0", REGIME_DRAM);
            made_gbps(&bench->results[row], slow ? 2000 : 2800);
            disturb(&bench->results[row], it);
            ck_assert(!bench_judge_row(bench, row));
            check(&bench->results[row], it, slow);
            for (int group = 0; group < bench->plan.group_count; group++)
                disturb(&bench->ceilings[group].memcpy_result, it);
            if (slow)
                made_copies(bench, 3000, 3000);
            ck_assert(!bench_judge_peak(bench, REGIME_DRAM));
            check(&bench->peaks[REGIME_DRAM], it, slow);
        }
}

/* Bits that are wrong, and memory errors, are wrong in any company. */
START_TEST(wrong_bits_fail_in_company, "bandwidth.sensors.alone")
{
    struct bench *bench = made_bench(90);
    struct bench_result *result = &bench->results[0];
    result->finding.verdict = VERDICT_FAIL;
    result->company.others = 1;
    bench_judge_row(bench, 0);
    ck_assert_int_eq(result->finding.verdict, VERDICT_FAIL);
    made_gbps(result, 2800);
    result->before.ecc_known = result->after.ecc_known = true;
    result->after.ecc_uncorrected = 1;
    bench_judge_row(bench, 0);
    ck_assert_int_eq(result->finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(result->finding.clause, "bandwidth.sensors.ecc");
}

START_TEST(a_disturbed_relation_does_not_fail, "bandwidth.sensors.alone")
{
    static const char *const names[] = {"aat/padded", "aat/coalesced"};
    for (int disturbed = 0; disturbed < 3; disturbed++) {
        struct bench *bench = made_bench(90);
        made_gbps(&bench->results[made_row(bench, "aat/padded", "k=32", REGIME_DRAM)], 1000);
        if (disturbed < 2)
            bench->results[made_row(bench, names[disturbed], "k=32", REGIME_DRAM)].company.others =
                1;
        bench_judge_relations(bench);
        int index = 0;
        while (strcmp(bench->relations[index].relation.clause, "bandwidth.relation.aat_padded") !=
                   0 ||
               bench->relations[index].path != path_find("sass"))
            index++;
        const struct bench_relation *relation = &bench->relations[index];
        ck_assert_int_eq(relation->finding.verdict,
                         disturbed < 2 ? VERDICT_INCONCLUSIVE : VERDICT_FAIL);
        ck_assert(disturbed == 2 ||
                  strstr(relation->finding.note, "1 other process on the GPU: does not"));
    }
}

/* What passed in company, or at a lower clock, may have been slower than alone. */
START_TEST(disturbed_speeds_make_no_floors, "bandwidth.sensors.alone", "bandwidth.sensors.clocks")
{
    static const struct {
        int others, sm_mhz, memory_mhz;
        const char *reasons, *why;
    } table[] = {
        {0, 1980, 3201, "0x1", ""},
        {0, 0, 0, "0x0", ""},
        {1, 1980, 3201, "0x0", "r: another process used the GPU at the same time"},
        {0, 1900, 3201, "0x2", "r: the GPU's clocks were below its own, and nothing slowed it"},
        {0, 1980, 1593, "0x0", "r: the GPU's clocks were below its own, and nothing slowed it"},
        {0, 1900, 3201, "0x4", ""}, /* a power cap, whose samples were discarded */
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements *all = made_measurements(false);
        struct made made;
        struct reason reason = {.text = ""};
        made_begin(&made, "NVIDIA B400", "GPU-1");
        made.bytes -= strlen("}}\n");
        made_add(&made, ",\"sm_clock_khz\":1980000,\"memory_clock_khz\":3201000}}\n");
        made_add_kernel(&made, "sass", 0.5, "PASS", "");
        made.bytes -= strlen("}}\n");
        made_add(&made,
                 ",\"sensors\":{\"other_processes\":%d,\"sm_mhz\":%d,"
                 "\"memory_mhz\":%d,\"reasons\":\"%s\"}}}\n",
                 table[row].others, table[row].sm_mhz, table[row].memory_mhz, table[row].reasons);
        made_end(&made);
        ck_assert_int_eq(made_take(all, &made, &reason), !table[row].why[0]);
        ck_assert(strncmp(reason.text, table[row].why, strlen(table[row].why)) == 0);
    }
}

/* One that passed though the GPU was slowed is left out, and another of its record is not. */
START_TEST(slowed_speeds_make_no_floors, "bandwidth.samples.slowed")
{
    for (int count = 0; count < 2; count++) {
        struct floor_measurements *all = made_measurements(false);
        struct made made;
        struct reason reason = {.text = ""};
        made_begin(&made, "NVIDIA B400", "GPU-1");
        made_add_kernel(&made, "sass", 0.5, "PASS", "");
        made_add_kernel(&made, "ptx", 0.5, "PASS", "");
        made.bytes -= strlen("}}\n");
        made_add(&made, ",\"slowed\":%d}}\n", count);
        made_end(&made);
        ck_assert(made_take(all, &made, &reason));
        ck_assert_uint_eq(all->count, count ? 1 : 2);
    }
}

/* The record has the samples during which the GPU was slowed, where there are any. */
START_TEST(slowed_samples_are_recorded, "bandwidth.samples.slowed")
{
    for (int count = 0; count < 2; count++) {
        const struct bench_result result = {.samples = 30, .slowed = count};
        ck_assert_uint_eq(bench_line_result(made_zone(), &result).slowed, (uint64_t)count);
    }
}
