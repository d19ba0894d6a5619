/* A device as its driver describes it: each number in its place, and which step failed. */
#include <stdio.h>
#include <string.h>

#include "conformance/work/opened_device.h"
#include "spec/testing.h"

/* Of each attribute another number. */
static cu_result number_of(int *ret, int attribute, cu_device device)
{
    (void)device;
    *ret = 1000 + attribute;
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

static cu_result is_unknown(int *ret, int attribute, cu_device device)
{
    return attribute == CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK
               ? CU_ERROR_INVALID_VALUE
               : number_of(ret, attribute, device);
}

static cu_result is_less_than_none(int *ret, int attribute, cu_device device)
{
    (void)device;
    *ret = attribute == CU_ATTRIBUTE_WARP_SIZE ? 32 : -attribute;
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
    struct device device;
    struct reason reason = {.text = ""};
    open_host(&driver);
    driver.device_get_attribute = answer;
    ck_assert_msg(device_open_with(&device, &driver, device_host, &reason), "%s", reason.text);
    const struct device_info info = device.info;
    device_close(&device);
    return info;
}

START_TEST(each_number_is_the_drivers)
{
    CLAUSE("driver.device.read");
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
        ck_assert_int_eq(table[index].got, 1000 + table[index].attribute);
    ck_assert_int_eq(limits->compute_capability,
                     10 * (1000 + CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) + 1000 +
                         CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

/* An older driver does not know the last attribute; some answer less than none. */
START_TEST(what_the_driver_does_not_know_is_none)
{
    CLAUSE("driver.device.read");
    ck_assert_int_ge(info_of(is_unknown).sm.shared_reserved, 0);
    const struct device_info info = info_of(is_less_than_none);
    ck_assert_int_eq(info.sm.shared_reserved, 0);
    ck_assert_int_eq(info.sm.blocks, 0);
    ck_assert_uint_eq(info.limits.persisting_bytes, 0);
    ck_assert_uint_eq(info.limits.window_bytes, 0);
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

START_TEST(the_step_that_failed_is_named)
{
    CLAUSE("driver.device.read");
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
