/* The host device, opened till the test ends. */
#pragma once

#include "conformance/work/opened_device.h"
#include "spec/testing.h"

/* What a test's own launch_kernel is called with, and hands on to the driver's. */
#define LAUNCH_PARAMETERS                                                                          \
    cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,     \
        unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream,               \
        void **parameters, void **extra
#define LAUNCH_ARGUMENTS                                                                           \
    function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters, \
        extra

/* The host device's driver, initialised. */
static inline struct cuda_driver made_driver(void)
{
    struct cuda_driver driver;
    driver_open_host(&driver);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    return driver;
}

static inline void made_device_release(void *device)
{
    device_close(device);
}

/* With a driver that a test has changed, which need not be initialised. */
static inline struct device *made_device_with(const struct cuda_driver *driver)
{
    struct device *device = testing_new(sizeof *device);
    struct reason reason;
    ck_assert_int_eq(driver->init(0), CU_SUCCESS);
    ck_assert_msg(device_open_with(device, driver, device_host, &reason), "%s", reason.text);
    testing_keep(device, made_device_release);
    return device;
}

static inline struct device *made_device(void)
{
    struct cuda_driver driver;
    struct reason reason;
    int count;
    ck_assert_msg(device_driver(DEVICE_HOST, &driver, &count, &reason), "%s", reason.text);
    return made_device_with(&driver);
}

/* A function of the kernel's module. */
static inline cu_function made_function(struct device *device, const struct kernel *kernel,
                                        const char *entry)
{
    struct reason reason;
    cu_function function;
    ck_assert_int_eq(
        device_function(device, kernel, path_find("host"), NULL, entry, &function, &reason),
        CU_SUCCESS);
    return function;
}
