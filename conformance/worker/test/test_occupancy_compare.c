/* The model of occupancy against a driver: the emulation's, which has limits of its own, and one
 * that answers what the test wants. */
#include "conformance/worker/code_worker.h"
#include "conformance/test/made_device.h"

static struct device *device, made_up;
static cu_function function;

/* A kernel with 2 KiB of static shared memory. */
static void open_tiled(void)
{
    const struct kernel *tiled = catalog_known_kernel("matmul/tiled");
    ck_assert_ptr_nonnull(tiled);
    device = made_device();
    function = made_function(device, tiled, tiled->entry);
}

/* The driver of an SM with 65,536 registers, of which the function takes 40: a warp has 1,280, and
 * 48 fit. Shared memory: 228 KiB, of which 1 KiB is reserved for each block. */
static int made_limit, made_wrong_threads;

static cu_result made_blocks(int *ret, cu_function asked, int threads, size_t bytes)
{
    (void)asked;
    const int warps = (threads + 31) / 32, all = (int)bytes + 2048;
    const int by_shared = (228 << 10) / ((all + 1024 + 127) / 128 * 128);
    int blocks = 48 / warps;
    blocks = blocks < 32 ? blocks : 32;
    blocks = blocks < by_shared ? blocks : by_shared;
    if (all > made_limit)
        return CU_ERROR_INVALID_VALUE;
    *ret = blocks + (threads == made_wrong_threads);
    return CU_SUCCESS;
}

static const struct code_figures made = {
    .registers = 40, .shared_bytes = 2048, .max_threads = 1024};

static cu_result made_opt_in(cu_function asked, int attribute, int value)
{
    (void)asked;
    ck_assert_int_eq(attribute, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    made_limit = value + 2048;
    return CU_SUCCESS;
}

static cu_result failing_blocks(int *ret, cu_function asked, int threads, size_t bytes)
{
    (void)ret, (void)asked, (void)bytes;
    return threads > 100 ? CU_ERROR_LAUNCH_FAILED : CU_ERROR_INVALID_VALUE;
}

static void open_made(void)
{
    device = &made_up;
    memset(device, 0, sizeof *device);
    sm_limits_of(90, &device->info.sm);
    device->info.limits.shared_bytes_per_block = 48 << 10;
    device->info.limits.shared_bytes_opt_in = 227 << 10;
    device->driver.occupancy_blocks = made_blocks;
    device->driver.func_set_attribute = made_opt_in;
    made_limit = 48 << 10;
    made_wrong_threads = 0;
}

START_TEST(the_emulation_agrees, "occupancy.driver.equal", "occupancy.driver.host")
{
    const struct code_figures tiled = {.shared_bytes = 2048, .max_threads = 1024};
    struct occupancy_comparison comparison;
    open_tiled();
    ck_assert_int_eq(device->info.sm.blocks, 1);
    ck_assert_int_eq(occupancy_compare(device, function, &tiled, &comparison), CU_SUCCESS);
    ck_assert_int_gt(comparison.compared, 200);
    ck_assert_int_eq(comparison.differing, 0);
}

START_TEST(a_gpu_agrees, "occupancy.driver.equal")
{
    struct occupancy_comparison comparison;
    open_made();
    ck_assert_int_eq(occupancy_compare(device, NULL, &made, &comparison), CU_SUCCESS);
    ck_assert_int_gt(comparison.compared, 4000);
    ck_assert_int_eq(comparison.differing, 0);
    ck_assert_int_eq(made_limit, 48 << 10);
}

START_TEST(a_difference_is_found, "occupancy.driver.equal")
{
    struct occupancy_comparison comparison;
    open_made();
    made_wrong_threads = 96;
    ck_assert_int_eq(occupancy_compare(device, NULL, &made, &comparison), CU_SUCCESS);
    ck_assert_int_gt(comparison.differing, 0);
    ck_assert_int_eq(comparison.needs.threads, 96);
    ck_assert_int_eq(comparison.needs.registers, 40);
    ck_assert_int_eq(comparison.needs.shared_bytes, 2048);
    ck_assert_int_eq(comparison.model, 16);
    ck_assert_int_eq(comparison.driver, 17);
    /* One byte too early is seen, too, and one register's unit. */
    const struct {
        int *limit, value;
    } others[] = {{&device->info.sm.shared_unit, 256},
                  {&device->info.sm.shared_reserved, 1023},
                  {&device->info.sm.register_unit, 512},
                  {&device->info.sm.blocks, 31},
                  {&device->info.sm.shared_bytes, (228 << 10) - 1}};
    for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
        open_made();
        *others[index].limit = others[index].value;
        ck_assert_int_eq(occupancy_compare(device, NULL, &made, &comparison), CU_SUCCESS);
        ck_assert_msg(comparison.differing > 0, "limit %zu", index);
    }
}

START_TEST(an_error_is_the_drivers, "occupancy.driver.equal")
{
    struct occupancy_comparison comparison = {.compared = -1};
    open_made();
    device->driver.occupancy_blocks = failing_blocks;
    ck_assert_int_eq(occupancy_compare(device, NULL, &made, &comparison), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(comparison.compared, -1);
}
