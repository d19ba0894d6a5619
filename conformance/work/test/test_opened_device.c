/* A device as its driver describes it: each number in its place, and which step failed. */
#include <math.h>

#include "conformance/plan/plan.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/floors.h"
#include "conformance/work/callable.h"
#include "conformance/work/closing.h"
#include "conformance/work/opened_device.h"
#include "conformance/test/made_device.h"

/* Of each attribute another number, of the warp's the only one that is taken. */
static int number(int attribute)
{
    return attribute == CU_ATTRIBUTE_WARP_SIZE ? 32 : 1000 + attribute;
}

static cu_result number_of(int *ret, int attribute, cu_device device)
{
    (void)device;
    *ret = number(attribute);
    return CU_SUCCESS;
}

static cu_result attribute_fails(int *ret, int attribute, cu_device device)
{
    (void)ret, (void)attribute, (void)device;
    return CU_ERROR_OUT_OF_MEMORY;
}

static cu_result reserved_fails(int *ret, int attribute, cu_device device)
{
    return attribute == CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK
               ? CU_ERROR_OUT_OF_MEMORY
               : number_of(ret, attribute, device);
}

/* Those without which nothing can be launched. */
static bool is_needed(int attribute)
{
    static const int needed[] = {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                 CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                 CU_ATTRIBUTE_WARP_SIZE,
                                 CU_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                 CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                 CU_ATTRIBUTE_MAX_GRID_DIM_X,
                                 CU_ATTRIBUTE_MAX_GRID_DIM_Y,
                                 CU_ATTRIBUTE_MAX_GRID_DIM_Z,
                                 CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK};
    for (size_t index = 0; index < sizeof needed / sizeof needed[0]; index++)
        if (needed[index] == attribute)
            return true;
    return false;
}

static cu_result is_unknown(int *ret, int attribute, cu_device device)
{
    return is_needed(attribute) ? number_of(ret, attribute, device) : CU_ERROR_INVALID_VALUE;
}

static cu_result is_less_than_none(int *ret, int attribute, cu_device device)
{
    (void)device;
    *ret = is_needed(attribute) ? number(attribute) : -attribute;
    return CU_SUCCESS;
}

static int odd_attribute, odd_value;
static cu_result has_an_odd_one(int *ret, int attribute, cu_device device)
{
    (void)device;
    *ret = attribute == odd_attribute ? odd_value : number(attribute);
    return CU_SUCCESS;
}

static void open_host(struct cuda_driver *ret)
{
    driver_open_host(ret);
    ck_assert_int_eq(ret->init(0), CU_SUCCESS);
}

static struct device_info info_of(cu_result (*answer)(int *, int, cu_device))
{
    struct cuda_driver driver;
    open_host(&driver);
    driver.device_get_attribute = answer;
    return made_device_with(&driver)->info;
}

START_TEST(each_number_is_the_drivers, "driver.device.read")
{
    const struct device_info info = info_of(number_of);
    const struct device_limits *limits = &info.limits;
    const struct sm_limits *sm = &info.sm;
    const struct {
        long long got;
        int attribute;
    } table[] = {
        {limits->warp_size, CU_ATTRIBUTE_WARP_SIZE},
        {limits->multiprocessor_count, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {limits->max_threads_per_block, CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
        {limits->max_grid[0], CU_ATTRIBUTE_MAX_GRID_DIM_X},
        {limits->max_grid[1], CU_ATTRIBUTE_MAX_GRID_DIM_Y},
        {limits->max_grid[2], CU_ATTRIBUTE_MAX_GRID_DIM_Z},
        {(long long)limits->shared_bytes_per_block, CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
        {(long long)limits->shared_bytes_opt_in, CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
        {(long long)limits->persisting_bytes, CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE},
        {(long long)limits->window_bytes, CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE},
        {info.memory_clock_khz, CU_ATTRIBUTE_MEMORY_CLOCK_RATE},
        {info.memory_bus_bits, CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
        {info.sm_clock_khz, CU_ATTRIBUTE_CLOCK_RATE},
        {info.compute_mode, CU_ATTRIBUTE_COMPUTE_MODE},
        {info.l2_bytes, CU_ATTRIBUTE_L2_CACHE_SIZE},
        {sm->warp_size, CU_ATTRIBUTE_WARP_SIZE},
        {sm->block_threads, CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
        {sm->block_shared, CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
        {sm->threads, CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
        {sm->blocks, CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
        {sm->registers, CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
        {sm->shared_bytes, CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
        {sm->shared_reserved, CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++)
        ck_assert_int_eq(table[index].got, number(table[index].attribute));
    ck_assert_int_eq(limits->compute_capability,
                     10 * (1000 + CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) + 1000 +
                         CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

/* A driver may not know an attribute, or answer less than none: an SM's numbers are those of the
 * nearest architecture then. */
START_TEST(what_the_driver_does_not_know_is_none, "driver.device.read")
{
    const struct device_info infos[] = {info_of(is_unknown), info_of(is_less_than_none)};
    for (int index = 0; index < 2; index++) {
        const struct device_info *info = &infos[index];
        struct sm_limits table;
        sm_limits_of(info->limits.compute_capability, &table);
        ck_assert_int_ge(info->sm.shared_reserved, 0);
        ck_assert_int_eq(info->sm.blocks, table.blocks);
        ck_assert_int_eq(info->sm.registers, table.registers);
        ck_assert_uint_eq(info->limits.persisting_bytes, 0);
        ck_assert_uint_eq(info->limits.window_bytes, 0);
        ck_assert_uint_eq(info->limits.shared_bytes_opt_in, info->limits.shared_bytes_per_block);
        ck_assert_int_eq(info->sm_clock_khz, 0);
        ck_assert_int_eq(info->memory_clock_khz, 0);
        ck_assert_int_eq(info->l2_bytes, 0);
    }
}

static cu_result has_a_place(int *ret, int attribute, cu_device device)
{
    static const int places[][2] = {{CU_ATTRIBUTE_PCI_DOMAIN_ID, 0x1f},
                                    {CU_ATTRIBUTE_PCI_BUS_ID, 0xe3},
                                    {CU_ATTRIBUTE_PCI_DEVICE_ID, 0}};
    (void)device;
    *ret = number(attribute);
    for (size_t index = 0; index < sizeof places / sizeof places[0]; index++)
        if (places[index][0] == attribute)
            *ret = places[index][1];
    return CU_SUCCESS;
}

START_TEST(a_gpu_has_an_address, "runner.environment.machine")
{
    ck_assert_str_eq(info_of(has_a_place).pci, "0000001f:e3:00.0");
    ck_assert_str_eq(info_of(is_unknown).pci, "");
    ck_assert_str_eq(info_of(is_less_than_none).pci, "");
}

START_TEST(a_device_without_launches_is_refused_with_the_attribute, "driver.device.usable")
{
    static const struct {
        int attribute, value;
        const char *reason;
    } table[] = {
        {CU_ATTRIBUTE_WARP_SIZE, 64,
         "host has warps of 64 threads, and assay supports only warps of 32"},
        {CU_ATTRIBUTE_WARP_SIZE, 0,
         "host has warps of 0 threads, and assay supports only warps of 32"},
        {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0, "host: the driver reports 0 as its number of SMs"},
        {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, -5,
         "host: the driver reports 0 as the most threads of a block"},
        {CU_ATTRIBUTE_MAX_GRID_DIM_X, 0, "host: the driver reports 0 as the most blocks along x"},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Y, 0, "host: the driver reports 0 as the most blocks along y"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct cuda_driver driver;
        struct device device;
        struct reason reason = {.text = ""};
        open_host(&driver);
        driver.device_get_attribute = has_an_odd_one;
        odd_attribute = table[index].attribute;
        odd_value = table[index].value;
        ck_assert(!device_open_with(&device, &driver, device_host, &reason));
        ck_assert_str_eq(reason.text, table[index].reason);
    }
}

/* What is planned for one GPU: launches within its limits, or a reason; finite speeds; floors. */
static void plan_all(const struct device_info *info, const struct plan *select,
                     const struct floors *floors)
{
    const struct device_limits *limits = &info->limits;
    struct bench_plan bench = {.group_count = 0};
    for (int id = 0; id < kernel_count; id++) {
        const struct code_figures figures = {.registers = 40, .shared_bytes = 1024};
        struct block_needs needs;
        if (block_needs_of(&info->sm, &kernels[id], &figures, &needs)) {
            const struct occupancy occupancy = occupancy_of(&info->sm, &needs);
            ck_assert_int_ge(occupancy.blocks, 0);
            ck_assert(isfinite(occupancy_percent(&occupancy)));
        }
        for (uint64_t at = 0; at < select->corpus_count; at++) {
            const struct fuzz_case *test_case = &select->corpus[at].test_case;
            struct launch launch = {.entry = NULL};
            char why[FINDING_NOTE_BYTES] = "";
            if (strcmp(kernels[id].algorithm, test_case->algorithm->name) != 0 ||
                kernels[id].remote.operand)
                continue;
            const enum verdict verdict = launch_plan(&kernels[id], test_case, limits, &launch, why);
            ck_assert_int_eq(verdict == VERDICT_SKIP, why[0] != 0);
            for (int axis = 0; verdict == VERDICT_PASS && axis < 3; axis++)
                ck_assert_int_le(launch.grid[axis], limits->max_grid[axis]);
            ck_assert_uint_le(launch.shared_bytes, kernels[id].opts_in
                                                       ? limits->shared_bytes_opt_in
                                                       : limits->shared_bytes_per_block);
        }
    }
    bench_plan_make(&bench, select, info, 0, 1);
    ck_assert_int_gt(bench.group_count, 0);
    for (int group = 0; group < bench.group_count; group++) {
        const enum regime regime = bench.groups[group].regime;
        const double peak = bench_peak_gbps(info, regime);
        ck_assert_uint_le(bench.groups[group].footprint_bytes, info->memory_bytes / 2);
        ck_assert(regime == REGIME_DRAM || info->l2_bytes > 0);
        ck_assert(isfinite(peak) && peak >= 0);
        ck_assert(floors_ceiling(floors, info, regime).value > 0);
    }
    ck_assert(isfinite(device_peak_gflops(info)));
    bench_plan_free(&bench);
}

START_TEST(any_gpu_is_planned_for, "driver.host.pretended")
{
    static struct plan select;
    struct corpus corpus = {.count = 0};
    struct floors floors = {NULL};
    struct reason reason;
    ck_assert_msg(plan_select(&select, NULL, 0, &reason), "%s", reason.text);
    ck_assert(plan_corpus_gather(NULL, false, &select, &corpus));
    plan_open(&select, &(struct plan_options){.tier = TIER_SMOKE, .elements_max = 1 << 20},
              corpus.cases, corpus.count);
    ck_assert_msg(floors_open(NULL, &floors, &reason), "%s", reason.text);
    for (int seed = 0; seed < 100; seed++) {
        struct cuda_driver driver;
        struct device device;
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        ck_assert_int_eq(setenv("ASSAY_HOST_GPU", text, 1), 0);
        open_host(&driver);
        ck_assert_msg(
            device_open_with(&device, &driver, (struct device_set){.kind = DEVICE_GPU}, &reason),
            "GPU %d: %s", seed, reason.text);
        if (seed == 0)
            ck_assert_int_eq(device.info.limits.compute_capability, 137);
        plan_all(&device.info, &select, &floors);
        device_close(&device);
    }
    unsetenv("ASSAY_HOST_GPU");
    floors_close(&floors);
    corpus_free(&corpus);
}

static cu_result device_fails(cu_device *ret, int ordinal)
{
    (void)ret, (void)ordinal;
    return CU_ERROR_OUT_OF_MEMORY;
}

static cu_result retain_fails(cu_context *ret, cu_device device)
{
    (void)ret, (void)device;
    return CU_ERROR_OUT_OF_MEMORY;
}

static cu_result current_fails(cu_context context)
{
    (void)context;
    return CU_ERROR_OUT_OF_MEMORY;
}

static cu_result stream_fails(cu_stream *ret, unsigned flags)
{
    (void)ret, (void)flags;
    return CU_ERROR_OUT_OF_MEMORY;
}

static int released;
static cu_result count_release(cu_device device)
{
    (void)device;
    released++;
    return CU_SUCCESS;
}

START_TEST(the_step_that_failed_is_named, "driver.device.read")
{
    struct cuda_driver host, broken[6];
    static const struct {
        const char *step;
        int released; /* a context that was made is given back */
    } table[6] = {{"finding the device", 0},
                  {"reading the device's attributes", 0},
                  {"reading the device's attributes", 0},
                  {"making a context", 0},
                  {"making a context", 1},
                  {"making a stream", 1}};
    open_host(&host);
    host.primary_ctx_release = count_release;
    for (int index = 0; index < 6; index++)
        broken[index] = host;
    broken[0].device_get = device_fails;
    broken[1].device_get_attribute = attribute_fails;
    broken[2].device_get_attribute = reserved_fails;
    broken[3].primary_ctx_retain = retain_fails;
    broken[4].ctx_set_current = current_fails;
    broken[5].stream_create = stream_fails;
    for (int index = 0; index < 6; index++) {
        struct device device;
        struct reason reason;
        char text[128];
        released = 0;
        ck_assert(!device_open_with(&device, &broken[index], device_host, &reason));
        snprintf(text, sizeof text, "host: %s: CUDA_ERROR_OUT_OF_MEMORY", table[index].step);
        ck_assert_str_eq(reason.text, text);
        ck_assert_int_eq(released, table[index].released);
    }
}

static const struct device_set pair = {.kind = DEVICE_HOST, .others = 1, .ordinal = {1, 0}};

/* The host with two devices, of which calls are counted. */
static struct cuda_driver two_hosts(void)
{
    struct cuda_driver driver;
    setenv("ASSAY_HOST_DEVICES", "2", 1);
    open_host(&driver);
    return driver;
}

START_TEST(a_set_opens_each_of_its_devices, "runner.device.set")
{
    const struct cuda_driver driver = two_hosts();
    struct device device;
    struct reason reason;
    cu_address word;
    ck_assert_msg(device_open_with(&device, &driver, pair, &reason), "%s", reason.text);
    ck_assert(device_is_same(device.info.id, pair));
    ck_assert_int_eq(device.peer_count, 1);
    ck_assert(device_is_same(device.peers[0]->info.id, device_host));
    ck_assert(device.context != device.peers[0]->context);
    ck_assert(device.info.limits.has_peer_access);
    ck_assert_str_eq(device.info.uuid, "GPU-61737361-7920-686f-7374-000000000001+"
                                       "GPU-61737361-7920-686f-7374-000000000000");
    /* The first one's context is current, and reaches memory of the other. */
    ck_assert_int_eq(driver.stream_synchronize(device.stream), 0);
    ck_assert_int_eq(device_make_current(device.peers[0]), 0);
    ck_assert_int_eq(driver.stream_synchronize(device.peers[0]->stream), 0);
    ck_assert_int_eq(driver.mem_alloc(&word, 4), 0);
    ck_assert_int_eq(device_make_current(&device), 0);
    ck_assert_int_eq(driver.memcpy_dtod_async(word, word, 4, device.stream), 0);
    struct finding finding;
    ck_assert(!device_misaligned(&device, &finding));
    device.peers[0]->misaligned = 24;
    ck_assert(device_misaligned(&device, &finding));
    device_close(&device);
    ck_assert_int_eq(driver.ctx_set_current(device.context), 201);
    unsetenv("ASSAY_HOST_DEVICES");
}

START_TEST(a_set_without_access_opens, "runner.device.set")
{
    const struct cuda_driver driver = two_hosts();
    struct device device;
    struct reason reason;
    setenv("ASSAY_HOST_FAULT", "peer_no_access", 1);
    ck_assert_msg(device_open_with(&device, &driver, pair, &reason), "%s", reason.text);
    ck_assert(!device.info.limits.has_peer_access);
    device_close(&device);
    unsetenv("ASSAY_HOST_FAULT");
    unsetenv("ASSAY_HOST_DEVICES");
}

static cu_result second_fails(cu_context *ret, cu_device device)
{
    struct cuda_driver host;
    driver_open_host(&host);
    return device == pair.ordinal[1] ? CU_ERROR_OUT_OF_MEMORY
                                     : host.primary_ctx_retain(ret, device);
}

static cu_result access_fails(cu_context peer, unsigned flags)
{
    (void)peer, (void)flags;
    return CU_ERROR_UNKNOWN;
}

START_TEST(what_a_set_opened_is_closed_if_one_does_not_open, "runner.device.set")
{
    struct cuda_driver driver = two_hosts(), broken = driver;
    struct device device;
    struct reason reason;
    broken.primary_ctx_retain = second_fails;
    broken.primary_ctx_release = count_release;
    released = 0;
    ck_assert(!device_open_with(&device, &broken, pair, &reason));
    ck_assert_str_eq(reason.text, "host: making a context: CUDA_ERROR_OUT_OF_MEMORY");
    ck_assert_int_eq(released, 1);
    broken.primary_ctx_retain = driver.primary_ctx_retain;
    broken.ctx_enable_peer_access = access_fails;
    released = 0;
    ck_assert(!device_open_with(&device, &broken, pair, &reason));
    ck_assert_str_eq(reason.text, "host:1+0: enabling peer access: CUDA_ERROR_UNKNOWN");
    ck_assert_int_eq(released, 2);
    unsetenv("ASSAY_HOST_DEVICES");
}

static cu_result destroy_fails(cu_stream stream)
{
    (void)stream;
    return CU_ERROR_UNKNOWN;
}

/* The first one's table may be watched, which sees what fails of the others. */
START_TEST(the_others_close_by_the_first_ones_table, "runner.worker.closed")
{
    const struct cuda_driver driver = two_hosts();
    struct device device;
    struct reason reason;
    ck_assert_msg(device_open_with(&device, &driver, pair, &reason), "%s", reason.text);
    device.driver.stream_destroy = destroy_fails;
    closing_watch(&device.driver, NULL, 0);
    device_close(&device);
    ck_assert_str_eq(closing_fault(),
                     "cuStreamDestroy_v2: CUDA_ERROR_UNKNOWN, and 1 failed call after it");
    unsetenv("ASSAY_HOST_DEVICES");
}
