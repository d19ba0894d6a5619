/* The host device, opened for a test. */
#pragma once

#include "conformance/work/opened_device.h"
#include "spec/testing.h"

static inline void made_device(struct device *ret)
{
    struct cuda_driver driver;
    struct reason reason;
    int count;
    ck_assert_msg(device_driver(DEVICE_HOST, &driver, &count, &reason), "%s", reason.text);
    ck_assert_msg(device_open_with(ret, &driver, device_host, &reason), "%s", reason.text);
}
