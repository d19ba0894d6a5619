/* Opening the driver's library where there is none, where it is something else, and where it is
 * whole: a library of stand-ins that has every function. */
#include "cuda/libcuda.h"
#include "spec/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(no_library_gives_the_reason)
{
    CLAUSE("driver.open.reason");
    struct cuda_driver driver = {.name = "untouched"};
    char why[256] = "";
    ck_assert(!driver_open_library("libno_such_driver.so.1", &driver, why, sizeof(why)));
    ck_assert_ptr_nonnull(strstr(why, "libno_such_driver.so.1"));
    ck_assert_str_eq(driver.name, "untouched");
}
END_TEST

START_TEST(missing_function_is_named)
{
    CLAUSE("driver.open.complete");
    struct cuda_driver driver = {.name = "untouched"};
    char why[256] = "";
    ck_assert(!driver_open_library("libc.so.6", &driver, why, sizeof(why)));
    ck_assert_ptr_nonnull(strstr(why, "libc.so.6 has no cuInit"));
    ck_assert_str_eq(driver.name, "untouched");
}
END_TEST

START_TEST(short_reason_is_cut)
{
    CLAUSE("driver.open.reason");
    struct cuda_driver driver = {.name = "untouched"};
    char why[8] = "1234567";
    ck_assert(!driver_open_library("libno_such_driver.so.1", &driver, why, 4));
    ck_assert_str_eq(why, "lib");
    ck_assert_str_eq(why + 4, "567");
}
END_TEST

/* The stand-in answers 7 from its newest names and 8 from what is only its older ones. */
START_TEST(every_function_is_filled)
{
    CLAUSE("driver.open.complete");
    struct cuda_driver driver = {.name = NULL};
    char why[256] = "";
    ck_assert_msg(driver_open_library(getenv("FAKE_DRIVER"), &driver, why, sizeof(why)), "%s", why);
    ck_assert_str_eq(driver.name, getenv("FAKE_DRIVER"));
    const unsigned char *bytes = (const unsigned char *)&driver;
    const size_t end = offsetof(struct cuda_driver, set_schedule_seed);
    for (size_t at = 0; at < end; at += sizeof(void *)) {
        const void *pointer;
        memcpy(&pointer, bytes + at, sizeof(pointer));
        ck_assert_msg(pointer != NULL, "the pointer at byte %zu is not filled", at);
    }
    ck_assert(driver.set_schedule_seed == NULL);
    ck_assert(driver.set_fault_note == NULL);
    ck_assert(driver.watch_reads == NULL);
    ck_assert_int_eq(driver.init(0), 7);
    ck_assert_int_eq(driver.mem_free(0), 7);
    ck_assert_int_eq(driver.event_elapsed_ms(NULL, NULL, NULL), 8);
}
END_TEST

START_TEST(libcuda_opens_or_says_why)
{
    CLAUSE("driver.open.reason");
    struct cuda_driver driver = {.name = "untouched"};
    char why[256] = "";
    if (driver_open_libcuda(&driver, why, sizeof(why)))
        ck_assert_str_eq(driver.name, "libcuda.so.1");
    else
        ck_assert_ptr_nonnull(strstr(why, "libcuda.so.1"));
}
END_TEST

/* FAKE_DRIVER is opened; an empty file and one that is no library are there all the same. */
START_TEST(absent_is_told_from_broken)
{
    CLAUSE("driver.open.absent");
    char folder[] = "/tmp/assay-driver-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/libempty.so.1", folder);
    ck_assert(driver_library_is_absent("libno_such_driver.so.1"));
    ck_assert(driver_library_is_absent(path));
    ck_assert(!driver_library_is_absent("libc.so.6"));
    ck_assert(!driver_library_is_absent(getenv("FAKE_DRIVER")));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert(!driver_library_is_absent(path));
    fputs("no library at all, but long enough to have the header of one, which this is not", file);
    fclose(file);
    ck_assert(!driver_library_is_absent(path));
    unlink(path);
    rmdir(folder);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"no_library_gives_the_reason", no_library_gives_the_reason},
        {"missing_function_is_named", missing_function_is_named},
        {"short_reason_is_cut", short_reason_is_cut},
        {"every_function_is_filled", every_function_is_filled},
        {"absent_is_told_from_broken", absent_is_told_from_broken},
        {"libcuda_opens_or_says_why", libcuda_opens_or_says_why},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "driver", tests);
}
