/* Opens a driver's library that is missing, one that is not a driver, and complete ones: the fake
 * that has every function, as a driver of today or an older one, and the stand-in. */
#include "cuda/driver.h"
#include "spec/testing.h"

#include <dlfcn.h>
#include <unistd.h>

START_TEST(no_library_gives_the_reason, "driver.open.reason")
{
    struct cuda_driver driver = {.name = "untouched"};
    struct driver_refusal refusal = {.text = ""};
    ck_assert(!driver_open_library("libno_such_driver.so.1", &driver, &refusal));
    ASSERT_HAS(refusal.text, "libno_such_driver.so.1");
    ck_assert_str_eq(driver.name, "untouched");
}

START_TEST(missing_function_is_named, "driver.open.complete")
{
    struct cuda_driver driver = {.name = "untouched"};
    struct driver_refusal refusal = {.text = ""};
    ck_assert(!driver_open_library("libc.so.6", &driver, &refusal));
    ASSERT_HAS(refusal.text, "libc.so.6 has no cuInit");
    ck_assert_str_eq(driver.name, "untouched");
}

/* The number of calls.def's lines. */
enum {
    CALL_COUNT = 0
#define CALL(member, name, parameters, arguments) +1
#include "cuda/calls.def"
};

/* What only the emulation has comes after them. */
_Static_assert(offsetof(struct cuda_driver, set_schedule_seed) ==
                   sizeof(const char *) + CALL_COUNT * sizeof(void (*)(void)),
               "struct cuda_driver has a call that is not in calls.def");

static void check_call(const void *slot, void *library, const char *name)
{
    const void *filled, *symbol = dlsym(library, name);
    memcpy(&filled, slot, sizeof(filled));
    ck_assert_msg(symbol != NULL, "the library has no %s", name);
    ck_assert_msg(filled == symbol, "the table's %s is another function", name);
}

static struct cuda_driver open_fake(const char *variable, void **ret_library)
{
    const char *path = getenv(variable);
    struct cuda_driver driver = {.name = NULL};
    struct driver_refusal refusal = {.text = ""};
    ck_assert_msg(driver_open_library(path, &driver, &refusal), "%s", refusal.text);
    *ret_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_ptr_nonnull(*ret_library);
    ck_assert_str_eq(driver.name, path);
    ck_assert(driver.set_schedule_seed == NULL);
    ck_assert(driver.set_shared_refilled == NULL);
    ck_assert(driver.set_fault_note == NULL);
    ck_assert(driver.watch_reads == NULL);
    return driver;
}

/* The fake has the older names, too. */
START_TEST(every_call_is_loaded, "driver.open.complete", "driver.calls.everywhere")
{
    void *library;
    struct cuda_driver driver = open_fake("FAKE_DRIVER", &library);
#define CALL(member, name, parameters, arguments) check_call(&driver.member, library, #name);
#include "cuda/calls.def"
}

START_TEST(older_driver_is_loaded, "driver.open.complete")
{
    void *library;
    struct cuda_driver driver = open_fake("OLDER_DRIVER", &library);
    ck_assert_ptr_nonnull(dlsym(library, "cuEventElapsedTime"));
    ck_assert_ptr_null(dlsym(library, "cuEventElapsedTime_v2"));
#define CALL(member, name, parameters, arguments) check_call(&driver.member, library, #name);
#define CALL_RENAMED(member, name, older, parameters, arguments)                                   \
    check_call(&driver.member, library, #older);
#include "cuda/calls.def"
}

START_TEST(stand_in_has_every_call, "driver.calls.everywhere")
{
    void *library;
    struct cuda_driver driver = open_fake("STAND_IN_DRIVER", &library);
#define CALL(member, name, parameters, arguments) check_call(&driver.member, library, #name);
#include "cuda/calls.def"
    int version = 0;
    ck_assert_int_eq(driver.driver_get_version(&version), CU_SUCCESS);
    ck_assert_int_eq(version, 13000);
}

START_TEST(libcuda_opens_or_says_why, "driver.open.reason")
{
    struct cuda_driver driver = {.name = "untouched"};
    struct driver_refusal refusal = {.text = ""};
    if (driver_open_libcuda(&driver, &refusal))
        ck_assert_str_eq(driver.name, "libcuda.so.1");
    else
        ASSERT_HAS(refusal.text, "libcuda.so.1");
}

static bool is_absent(const char *library_name)
{
    struct cuda_driver driver;
    struct driver_refusal refusal;
    return !driver_open_library(library_name, &driver, &refusal) && refusal.absent;
}

/* FAKE_DRIVER is opened; an empty file and one that is no library are there all the same. */
START_TEST(absent_differs_from_broken, "driver.open.absent")
{
    static const char words[] =
        "no library at all, but long enough to have the header of one, which this is not";
    const char *path = testing_put(testing_folder(), "libempty.so.1", words, 0);
    ck_assert(!is_absent(path));
    unlink(path);
    ck_assert(is_absent("libno_such_driver.so.1"));
    ck_assert(is_absent(path));
    ck_assert(!is_absent("libc.so.6"));
    ck_assert(!is_absent(getenv("FAKE_DRIVER")));
    ck_assert(!is_absent(testing_put(testing_folder(), "libempty.so.1", words, sizeof words - 1)));
}
