/* The host device, opened till the test ends. */
#pragma once

#include "conformance/work/opened_device.h"
#include "spec/testing.h"

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
