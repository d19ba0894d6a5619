/* Tests of a stream's window in L2, and of how much of it is set aside. */
#include "cuda/host/test_device.h"
#include "spec/testing.h"

#include <math.h>

/* The document's tuning asks for a share of 2 where the hot data is 10 MB. */
START_TEST(windows_are_kept_or_refused, "driver.host.windows")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    static unsigned char base[8];
    const struct cu_window right = {.base = base,
                                    .bytes = 2048,
                                    .hit_ratio = 1,
                                    .hit_property = CU_ACCESS_PERSISTING,
                                    .miss_property = CU_ACCESS_STREAMING};
    struct cu_window wrong[] = {right, right, right, right, right, right, right}, found;
    wrong[0].bytes = 2049;
    wrong[1].hit_ratio = 2;
    wrong[2].hit_ratio = -0.25f;
    wrong[3].hit_ratio = NAN;
    wrong[4].miss_property = CU_ACCESS_PERSISTING;
    wrong[5].hit_property = 3;
    wrong[6].miss_property = -1;
    cu_stream stream, streams[2] = {NULL};
    ck_assert_int_eq(driver->stream_create(&stream, 1), 0);
    streams[1] = stream;
    for (int index = 0; index < 2; index++) {
        ck_assert_int_eq(driver->stream_get_attribute(streams[index], 1, &found), 0);
        ck_assert_uint_eq(found.bytes, 0);
        ck_assert_int_eq(driver->stream_set_attribute(streams[index], 1, &right), 0);
        for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++)
            ck_assert_int_eq(driver->stream_set_attribute(streams[index], 1, &wrong[at]),
                             CU_ERROR_INVALID_VALUE);
        ck_assert_int_eq(driver->stream_set_attribute(streams[index], 2, &right),
                         CU_ERROR_INVALID_VALUE);
        ck_assert_int_eq(driver->stream_get_attribute(streams[index], 1, &found), 0);
        ck_assert_ptr_eq(found.base, base);
        ck_assert_uint_eq(found.bytes, 2048);
        ck_assert(found.hit_ratio == 1.0f);
    }
    size_t aside = 0;
    const int limit = CU_LIMIT_PERSISTING_L2_CACHE_SIZE;
    ck_assert_int_eq(driver->ctx_set_limit(limit, 1 << 20), 0);
    ck_assert_int_eq(driver->ctx_set_limit(limit, (1 << 20) + 1), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->ctx_get_limit(&aside, limit), 0);
    ck_assert_uint_eq(aside, 1 << 20);
    ck_assert_int_eq(driver->ctx_set_limit(0, 1), CU_ERROR_UNSUPPORTED_LIMIT);
    ck_assert_int_eq(driver->ctx_get_limit(&aside, 0), CU_ERROR_UNSUPPORTED_LIMIT);
    ck_assert_int_eq(driver->ctx_reset_persisting_l2(), 0);
    ck_assert_int_eq(driver->stream_destroy(stream), 0);
    ck_assert_int_eq(driver->stream_set_attribute(stream, 1, &right), 400);
    ck_assert_int_eq(driver->stream_get_attribute(stream, 1, &found), 400);
}
