/* What a bench plans for a GPU, and how it takes times. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/run.h"
#include "conformance/bench/time.h"
#include "spec/testing.h"

static struct device_info h200(void)
{
    return (struct device_info){.ordinal = 0,
                                .name = "NVIDIA H200",
                                .memory_bytes = UINT64_C(150) << 30,
                                .memory_clock_khz = 3201000,
                                .memory_bus_bits = 6016,
                                .sm_clock_khz = 1980000,
                                .l2_bytes = 62914560,
                                .limits = {.compute_capability = 90,
                                           .warp_size = 32,
                                           .multiprocessor_count = 132,
                                           .max_threads_per_block = 1024,
                                           .max_grid = {2147483647, 65535, 65535},
                                           .shared_bytes_per_block = 49152}};
}

static struct bench_plan *make_plan(const struct device_info *info, uint64_t bytes)
{
    struct plan *select = calloc(1, sizeof *select);
    struct bench_plan *plan = calloc(1, sizeof *plan);
    char why[FINDING_NOTE_BYTES];
    for (int id = 0; id < kernel_count; id++)
        select->selected[id] = true;
    select->paths[PATH_SASS] = select->paths[PATH_PTX] = true;
    ck_assert_msg(bench_plan_make(plan, select, info, bytes, 7, why, sizeof why), "%s", why);
    free(select);
    return plan;
}

START_TEST(regimes_are_cold_and_resident)
{
    CLAUSE("bandwidth.regime.cold");
    struct device_info info = h200();
    struct bench_plan *plan = make_plan(&info, 0);
    uint64_t l2 = (uint64_t)info.l2_bytes, largest = 0;
    int cold = 0, resident = 0;
    for (int index = 0; index < plan->group_count; index++) {
        const struct bench_group *group = &plan->groups[index];
        bool dram = group->regime == REGIME_DRAM;
        cold += dram;
        resident += !dram;
        ck_assert_uint_ge(group->footprint_bytes, 1 << 20);
        ck_assert_uint_eq(group->cold_bytes, dram ? 4 * l2 : 0);
        ck_assert(dram || group->footprint_bytes <= l2 / 2);
        largest = group->footprint_bytes > largest ? group->footprint_bytes : largest;
    }
    ck_assert_int_ge(cold, 10);
    ck_assert_int_ge(resident, 5);
    ck_assert_uint_eq(largest, UINT64_C(2) << 30); /* 256 Mi floats there and 256 Mi back */
    free(plan);
    info.memory_bytes = UINT64_C(8) << 30;
    plan = make_plan(&info, 0);
    for (int index = 0; index < plan->group_count; index++)
        ck_assert_uint_le(plan->groups[index].footprint_bytes, UINT64_C(1) << 30);
    free(plan);
}
END_TEST

START_TEST(every_kernel_has_rows)
{
    CLAUSE("bandwidth.traffic.algorithm");
    struct device_info info = h200();
    struct bench_plan *plan = make_plan(&info, 0);
    for (int id = 0; id < kernel_count; id++) {
        int rows[PATH_COUNT] = {0};
        for (int row = 0; row < plan->row_count; row++)
            if (plan->rows[row].check.kernel == id)
                rows[plan->rows[row].check.path]++;
        char name[CATALOG_NAME_BYTES];
        ck_assert_msg(rows[PATH_SASS] > 0, "%s is never measured", catalog_name(id, name));
        ck_assert_int_eq(rows[PATH_SASS], rows[PATH_PTX]);
        ck_assert_int_eq(rows[PATH_HOST], 0);
    }
    free(plan);
}
END_TEST

START_TEST(sectors_of_the_documents)
{
    CLAUSE("bandwidth.traffic.sectors");
    static const struct {
        const char *text;
        uint64_t sectors; /* of a warp, of both operands */
    } table[] = {
        {"offset_copy n=32 offset=0 fill=equal seed=0", 4 + 4},
        {"offset_copy n=32 offset=1 fill=equal seed=0", 5 + 5},
        {"offset_copy n=32 offset=8 fill=equal seed=0", 4 + 4},
        {"offset_copy n=32 offset=31 fill=equal seed=0", 5 + 5},
        {"offset_copy n=32 element=16 fill=equal seed=0", 16 + 16},
        {"strided_copy n=32 stride=2 fill=equal seed=0", 8 + 8},
        {"strided_copy n=32 stride=5 fill=equal seed=0", 20 + 20},
        {"strided_copy n=32 stride=8 fill=equal seed=0", 32 + 32},
        {"strided_copy n=32 stride=32 fill=equal seed=0", 32 + 32},
        {"strided_copy n=64 stride=2 fill=equal seed=0", 16 + 16},
        {"adjacent_difference n=32 fill=equal seed=0", 4 + 4},
        {"matmul m=2 n=1 k=1 fill=equal seed=0", 0},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct fuzz_case test_case;
        struct case_error error;
        ck_assert_msg(case_parse(table[row].text, &test_case, &error), "%s", error.message);
        ck_assert_msg(bench_sector_bytes(&test_case) == 32 * table[row].sectors, "%s: %llu sectors",
                      table[row].text, (unsigned long long)bench_sector_bytes(&test_case) / 32);
    }
}
END_TEST

START_TEST(peaks_are_derived)
{
    CLAUSE("bandwidth.ceiling.floor");
    struct device_info info = h200();
    ck_assert(bench_peak_gbps(&info) > 4813 && bench_peak_gbps(&info) < 4815);
    ck_assert(bench_peak_gflops(&info) > 66800 && bench_peak_gflops(&info) < 67000);
    info.limits.compute_capability = 80;
    ck_assert(bench_peak_gflops(&info) < 33500);
    info.limits.compute_capability = 0;
    ck_assert(bench_peak_gflops(&info) <= 0);
}
END_TEST

/* A GPU's asynchronous stream in place of the emulation's: the host function runs beside. */
static pthread_t holder;
static void (*held_function)(void *);

static void *run_held(void *context)
{
    held_function(context);
    return NULL;
}

static cu_result launch_beside(cu_stream stream, void (*function)(void *), void *context)
{
    (void)stream;
    held_function = function;
    return pthread_create(&holder, NULL, run_held, context) == 0 ? CU_SUCCESS : CU_ERROR_UNKNOWN;
}

static cu_result wait_for_holder(cu_stream stream)
{
    (void)stream;
    if (held_function)
        pthread_join(holder, NULL);
    held_function = NULL;
    return CU_SUCCESS;
}

static cu_result launch_nothing(void *context, uint64_t turn)
{
    (void)turn;
    ++*(int *)context;
    return CU_SUCCESS;
}

static struct bench_times time_nothing(bool beside, const struct nvml *nvml)
{
    struct device device;
    struct bench_times times = {0};
    char why[FINDING_NOTE_BYTES];
    int launches = 0;
    ck_assert(device_open(&device, DEVICE_ORDINAL_HOST, why, sizeof why));
    struct device gpu = device;
    gpu.info.ordinal = 0;
    if (beside) {
        gpu.driver.launch_host_function = launch_beside;
        gpu.driver.stream_synchronize = wait_for_holder;
    }
    struct bench_timer timer = {&gpu, device.stream, nvml, launch_nothing, &launches};
    ck_assert_int_eq(bench_time(&timer, 2, &times), CU_SUCCESS);
    ck_assert_int_gt(launches, 2 * times.batch);
    device_close(&device);
    return times;
}

START_TEST(the_stream_is_held)
{
    CLAUSE("bandwidth.samples.held");
    struct nvml nvml = {0};
    struct bench_times held = time_nothing(true, &nvml);
    ck_assert_int_eq(held.sample_count, 2);
    ck_assert_int_eq(held.late, 0);
    /* The emulation runs the holding function to its end before anything is enqueued. */
    struct bench_times late = time_nothing(false, &nvml);
    ck_assert_int_eq(late.sample_count, 0);
    ck_assert_int_eq(late.late, 2);
}
END_TEST

static int tell_clock(void *device, int type, unsigned *ret)
{
    *ret = type == 1 ? 1980 : 3201;
    return device != NULL;
}

static int tell_slowed(void *device, unsigned long long *ret)
{
    *ret = 0x4 | 0x1; /* power cap, idle */
    return device != NULL;
}

static int tell_idle(void *device, unsigned long long *ret)
{
    *ret = 0x1 | 0x2; /* idle, the owner's clocks */
    return device != NULL;
}

static int tell_temperature(void *device, int sensor, unsigned *ret)
{
    *ret = 40 + (unsigned)sensor;
    return device != NULL;
}

static int tell_power(void *device, unsigned *ret)
{
    *ret = 350500;
    return device != NULL;
}

static int tell_errors(void *device, int type, int counter, unsigned long long *ret)
{
    *ret = (unsigned long long)(type == 1 && counter == 0 ? 3 : 0);
    return device != NULL;
}

START_TEST(slowed_samples_are_discarded)
{
    CLAUSE("bandwidth.samples.throttled");
    struct nvml nvml = {.library = &nvml,
                        .clock_info = tell_clock,
                        .reasons = tell_slowed,
                        .temperature = tell_temperature,
                        .power = tell_power,
                        .ecc_errors = tell_errors};
    char text[80];
    struct bench_times slowed = time_nothing(true, &nvml);
    ck_assert_int_eq(slowed.sample_count, 0);
    ck_assert_int_eq(slowed.throttled, 2);
    ck_assert_str_eq(nvml_reasons_text(slowed.during.reasons, text, sizeof text), "power cap");
    ck_assert_uint_eq(slowed.after.sm_mhz, 1980);
    ck_assert_uint_eq(slowed.after.memory_mhz, 3201);
    ck_assert_uint_eq(slowed.after.ecc_uncorrected, 3);
    nvml.reasons = tell_idle;
    struct bench_times idle = time_nothing(true, &nvml);
    ck_assert_int_eq(idle.sample_count, 2);
    ck_assert(nvml_slows(UINT64_C(1) << 40)); /* a reason that nobody knows yet */
    ck_assert_str_eq(nvml_reasons_text(0x48, text, sizeof text),
                     "hardware slowdown, hardware thermal slowdown");
    ck_assert_str_eq(nvml_reasons_text(3, text, sizeof text), "none");
}
END_TEST

START_TEST(sensors_are_optional)
{
    CLAUSE("bandwidth.sensors.optional");
    struct nvml nvml = {.library = NULL};
    char why[128] = "";
    ck_assert(!nvml_open_library("libno_such_nvml.so.1", &nvml, "GPU-0", why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "libno_such_nvml.so.1"));
    ck_assert(!nvml_open_library("libc.so.6", &nvml, "GPU-0", why, sizeof why));
    ck_assert_str_eq(why, "libc.so.6 has no nvmlShutdown");
    ck_assert_uint_eq(nvml_read(&nvml).sm_mhz, 0);
    nvml_close(&nvml);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"regimes are cold and resident", regimes_are_cold_and_resident},
        {"every kernel has rows", every_kernel_has_rows},
        {"sectors of the documents", sectors_of_the_documents},
        {"peaks are derived", peaks_are_derived},
        {"the stream is held", the_stream_is_held},
        {"slowed samples are discarded", slowed_samples_are_discarded},
        {"sensors are optional", sensors_are_optional},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "bench", tests);
}
