/* The table whose nth call fails: every call goes through it, and the nth alone fails, or all from
 * it on where a GPU would be lost. */
#include "conformance/test/faults.h"

static struct cuda_driver inner, driver;

static void wrap(int call, cu_result error)
{
    driver_open_host(&inner);
    driver = inner;
    faults_wrap(&driver, call, error);
}

static void check_wrapped(const void *slot, const void *inner_slot, const char *name)
{
    bool is_words = strcmp(name, "get_error_name") == 0;
    bool is_inner = memcmp(slot, inner_slot, sizeof(void (*)(void))) == 0;
    ck_assert_msg(is_inner == is_words, "%s %s wrapped", name, is_inner ? "is not" : "is");
}

START_TEST(every_call_is_wrapped, "driver.calls.everywhere")
{
    wrap(0, CU_SUCCESS);
#define CALL(member, name, parameters, arguments)                                                  \
    check_wrapped(&driver.member, &inner.member, #member);
#include "cuda/calls.def"
    ck_assert(driver.watch_reads == inner.watch_reads);
    ck_assert_str_eq(driver.name, inner.name);
}

START_TEST(the_nth_call_fails, "driver.calls.everywhere")
{
    int count = 0;
    wrap(2, CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    ck_assert_int_eq(driver.device_get_count(&count), CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(count, 0);
    ck_assert_int_eq(driver.device_get_count(&count), CU_SUCCESS);
    ck_assert_int_eq(count, 1);
}

START_TEST(a_lost_device_stays_lost, "driver.calls.everywhere")
{
    int count = 0;
    wrap(2, CU_ERROR_DEVICE_UNAVAILABLE);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    ck_assert_int_eq(driver.device_get_count(&count), CU_ERROR_DEVICE_UNAVAILABLE);
    ck_assert_int_eq(driver.device_get_count(&count), CU_ERROR_DEVICE_UNAVAILABLE);
    ck_assert_int_eq(count, 0);
}
