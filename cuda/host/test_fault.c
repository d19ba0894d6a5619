/* Tests of how the host device reports a kernel's mistakes: failed launches with their notes, and
 * deaths of the process with theirs. */
#include "cuda/host/sanitizer.h"
#include "cuda/host/test_device.h"
#include "spec/testing.h"

#include <signal.h>
#include <sys/wait.h>

static const struct test_shape one_warp = {1, 1, 1, 32, 1, 1, 0};

/* Launches a kernel of test_faults that must fail, and checks the note and that the error stays. */
static void expect_failure(const char *name, struct test_shape shape, const char *note)
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    cu_stream stream;
    ck_assert_int_eq(driver->stream_create(&stream, 0), CU_SUCCESS);
    struct test_call call = {.words = test_device_memory(device, 128, NULL)};
    const cu_address address = (cu_address)(uintptr_t)call.words;
    ck_assert_int_eq(test_device_launch(device, "test_faults", name, shape, call),
                     CU_ERROR_LAUNCH_FAILED);
    ck_assert_str_eq(device->note, note);

    cu_address other;
    unsigned word;
    cu_event event;
    cu_module module;
    ck_assert_int_eq(driver->ctx_synchronize(), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(driver->stream_synchronize(stream), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(driver->mem_alloc(&other, 4), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(driver->memcpy_dtoh_async(&word, address, 4, NULL), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(driver->event_create(&event, 0), CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(driver->module_load_data(&module, "test_lone", 0, NULL, NULL),
                     CU_ERROR_LAUNCH_FAILED);
    ck_assert_int_eq(test_device_launch(device, "test_lone", "test_lone", one_warp, call),
                     CU_ERROR_LAUNCH_FAILED);
    /* Teardown continues. */
    ck_assert_int_eq(driver->mem_free(address), CU_SUCCESS);
    ck_assert_int_eq(driver->stream_destroy(stream), CU_SUCCESS);
}

START_TEST(divergent_lines, "driver.host.divergent_barrier")
{
    expect_failure("test_divergent_lines", one_warp,
                   "divergent barrier in block (0,0,0): thread (0,0,0) waits at test_faults.cu:11, "
                   "thread (5,0,0) at test_faults.cu:9");
}

START_TEST(divergent_end, "driver.host.divergent_barrier")
{
    expect_failure("test_divergent_end", one_warp,
                   "divergent barrier in block (0,0,0): thread (0,0,0) waits at test_faults.cu:20, "
                   "thread (5,0,0) has ended");
}

START_TEST(divergent_warp, "driver.host.divergent_barrier")
{
    expect_failure("test_divergent_warp", one_warp,
                   "divergent barrier in block (0,0,0): thread (0,0,0) waits at test_faults.cu:28, "
                   "thread (16,0,0) at test_faults.cu:30");
}

START_TEST(wrong_mask, "driver.host.divergent_barrier")
{
    expect_failure("test_wrong_mask", one_warp,
                   "block (0,0,0), thread (31,0,0): test_faults.cu:37: a width that is not a power "
                   "of two up to 32, or a mask without the thread itself");
}

/* Another device's memory is closed to a launch, until access was asked for. */
START_TEST(memory_without_access, "driver.host.devices")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    cu_context own, other;
    cu_address address;
    setenv("ASSAY_HOST_DEVICES", "2", 1);
    ck_assert_int_eq(driver->primary_ctx_retain(&own, 0), 0);
    ck_assert_int_eq(driver->primary_ctx_release(0), 0);
    ck_assert_int_eq(driver->primary_ctx_retain(&other, 1), 0);
    ck_assert_int_eq(driver->ctx_set_current(other), 0);
    ck_assert_int_eq(driver->mem_alloc(&address, 4096), 0);
    ck_assert_int_eq(driver->ctx_set_current(own), 0);
    const struct test_call call = {.words = (unsigned *)(uintptr_t)address, .place = 5};
    const int status = test_device_die(device, "test_faults", "test_stray_write", one_warp, call);
    ck_assert(WIFSIGNALED(status));
    ASSERT_HAS(device->note, "5 bytes into a 4096-byte allocation of a device without access");
    ck_assert_int_eq(driver->ctx_enable_peer_access(other, 0), 0);
    ck_assert_int_eq(test_device_launch(device, "test_faults", "test_stray_write", one_warp, call),
                     0);
    ck_assert_uint_eq(((const unsigned char *)call.words)[5], 1);
    ck_assert_int_eq(driver->primary_ctx_release(1), 0);
    unsetenv("ASSAY_HOST_DEVICES");
}

/* A GPU would hang. */
START_TEST(waiting_for_nothing, "driver.host.bulk_copy")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.n = 8};
    call.source = test_device_memory(device, 8 * sizeof(float), NULL);
    call.target = test_device_memory(device, 8 * sizeof(float), NULL);
    const struct test_shape one_thread = {1, 1, 1, 1, 1, 1, 32}; /* starts the first copy alone */
    ck_assert_int_eq(
        test_device_launch(device, "test_cooperation", "test_bulk_copy", one_thread, call),
        CU_ERROR_LAUNCH_FAILED);
}

START_TEST(trap, "driver.host.trap")
{
    expect_failure("test_trap", (struct test_shape){1, 2, 1, 32, 1, 1, 0},
                   "trap in block (0,1,0), thread (3,0,0) at test_faults.cu:43");
}

/* Launches a kernel with a place that must die of the signal with a note that begins so. */
static void expect_death(struct test_device *device, const char *name, struct test_call call,
                         long long place, int signal_number, const char *note)
{
    call.place = place;
    const int status = test_device_die(device, "test_faults", name, one_warp, call);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == signal_number,
                  "%s at %lld: status %#x, note '%s'", name, call.place, (unsigned)status,
                  device->note);
    ck_assert_msg(strncmp(device->note, note, strlen(note)) == 0, "note '%s', not '%s'",
                  device->note, note);
}

/* What a launch reads of 256 bytes that it may read but for byte 40. */
static struct driver_watch watched(struct test_device *device, const char *name, long long place)
{
    static unsigned char readable[256];
    struct test_call call = {.words = test_device_memory(device, 4096, NULL), .place = place};
    call.target = test_device_memory(device, 4, NULL);
    memset(readable, 1, sizeof readable);
    readable[40] = 0;
    struct driver_watch watch = {.address = (cu_address)(uintptr_t)call.words,
                                 .bytes = sizeof readable,
                                 .readable = readable};
    device->driver.watch_reads(&watch);
    ck_assert_int_eq(test_device_launch(device, "test_faults", name, one_warp, call), CU_SUCCESS);
    device->driver.watch_reads(NULL);
    return watch;
}

START_TEST(watched_reads, "driver.host.watched_reads")
{
    static const struct {
        const char *kernel;
        long long place;
        bool strayed;
    } reads[] = {{"test_stray_read", 39, false}, {"test_stray_read", 40, true},
                 {"test_stray_read", 41, false}, {"test_stray_read", 256, false},
                 {"test_wide_read", 16, false},  {"test_wide_read", 32, true},
                 {"test_wide_read", 48, false},  {"test_stray_write", 40, false},
                 {"test_short_read", 38, false}, {"test_short_read", 40, true},
                 {"test_long_read", 32, false},  {"test_long_read", 40, true},
                 {"test_long_read", 248, false}};
    struct test_device *device = test_device_open();
    for (size_t index = 0; index < sizeof reads / sizeof reads[0]; index++) {
        struct driver_watch watch = watched(device, reads[index].kernel, reads[index].place);
        ck_assert_msg(watch.strayed == reads[index].strayed, "%s at %lld", reads[index].kernel,
                      reads[index].place);
        ck_assert(!watch.strayed || watch.stray_byte == 40);
    }
    struct driver_watch watch = watched(device, "test_stray_read", 40);
    ck_assert_str_eq(watch.stray_thread, "block (0,0,0), thread (3,0,0)");
}

/* A tile has no closed page after it, as another one may lie there. */
START_TEST(shared_overrun, "driver.host.shared_bounds")
{
    static const unsigned char readable[64];
    struct test_device *device = test_device_open();
    struct test_call call = {.words = test_device_memory(device, 64, NULL), .place = 7};
    struct driver_watch watch = {.address = (cu_address)(uintptr_t)call.words,
                                 .bytes = sizeof readable,
                                 .readable = readable};
    device->driver.watch_reads(&watch);
    ck_assert_int_eq(test_device_die(device, "test_faults", "test_shared_index", one_warp, call),
                     0);
    expect_death(device, "test_shared_index", call, 8, SIGILL, "block (0,0,0), thread (");
    ASSERT_HAS(device->note, "an index outside its array");
    expect_death(device, "test_shared_index", call, -1, SIGILL, "block (0,0,0), thread (");
    device->driver.watch_reads(NULL);
}

START_TEST(stray_access, "driver.host.stray_access")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.words = test_device_memory(device, 4096, NULL)};
    call.target = test_device_memory(device, 4, NULL);
    expect_death(device, "test_stray_write", call, 4096, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray access 0 bytes past the end of a 4096-byte "
                 "allocation");
    expect_death(device, "test_stray_read", call, 4108, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray access 12 bytes past the end of a 4096-byte "
                 "allocation");
    expect_death(device, "test_stray_write", call, -1, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray access 1 byte before the start of a "
                 "4096-byte allocation");
    call.place = 4095; /* nothing is wrong with the last byte */
    ck_assert_int_eq(test_device_die(device, "test_faults", "test_stray_write", one_warp, call), 0);
    if (SANITIZER_ADDRESS) { /* sees even what lies in the same page */
        call.words = test_device_memory(device, 1001, NULL);
        expect_death(device, "test_stray_write", call, 1001, SIGSEGV,
                     "block (0,0,0), thread (3,0,0): stray access 0 bytes past the end of a "
                     "1001-byte allocation (a write)");
    }
}

START_TEST(freed_access, "driver.host.freed_access")
{
    struct test_device *device = test_device_open();
    struct test_call call = {
        .words = test_device_memory(device, 8192, NULL),
    };
    call.target = test_device_memory(device, 4, NULL);
    ck_assert_int_eq(device->driver.mem_free((cu_address)(uintptr_t)call.words), CU_SUCCESS);
    for (int i = 0; i < 20; i++)
        test_device_memory(device, 8192, NULL);
    expect_death(device, "test_stray_read", call, 100, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray access 100 bytes into a freed 8192-byte "
                 "allocation");
}

START_TEST(impossible_access, "driver.host.stray_access")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.target = test_device_memory(device, 4, NULL)};
    expect_death(device, "test_stray_read", call, 16, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray");
    expect_death(device, "test_stray_write", call, (long long)1 << 62, SIGSEGV,
                 "block (0,0,0), thread (3,0,0): stray");
}

START_TEST(misaligned_access, "driver.host.misaligned_access")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.words = test_device_memory(device, 64, NULL)};
    call.target = test_device_memory(device, 4, NULL);
    call.place = 16;
    ck_assert_int_eq(test_device_die(device, "test_faults", "test_wide_read", one_warp, call), 0);
    expect_death(device, "test_wide_read", call, 8, SIGILL, "block (0,0,0), thread (");
    ASSERT_HAS(device->note, "misaligned access");
}

/* Of either address. */
START_TEST(misaligned_copy, "driver.host.misaligned_access")
{
    struct test_device *device = test_device_open();
    const float source[16] = {0};
    const struct test_shape shape = {1, 1, 1, 1, 1, 1, 80};
    struct test_call call = {.source = test_device_memory(device, sizeof source, source)};
    call.words = test_device_memory(device, 64, NULL);
    for (int variant = 0; variant < 2; variant++) {
        struct test_call wrong = call;
        wrong.place = variant == 0 ? 4 : 0;
        wrong.source += variant == 0 ? 0 : 1;
        const int status =
            test_device_die(device, "test_cooperation", "test_async_widths", shape, wrong);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGILL);
        ASSERT_HAS(device->note, "misaligned access");
    }
}

START_TEST(stack_overflow, "driver.host.stray_access")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.words = test_device_memory(device, 64, NULL)};
    const int status = test_device_die(device, "test_faults", "test_deep_stack", one_warp, call);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    ASSERT_HAS(device->note, "): stack overflow");
}

START_TEST(dynamic_shared_overrun, "driver.host.dynamic_shared")
{
    struct test_device *device = test_device_open();
    float source[4] = {1, 2, 3, 4};
    struct test_call call = {.n = 1, .place = 1};
    call.source = test_device_memory(device, sizeof source, source);
    call.target = test_device_memory(device, sizeof source, NULL);
    const struct test_shape shape = {1, 1, 1, 4, 1, 1, 16};
    const int status = test_device_die(device, "test_cooperation", "test_turn", shape, call);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    ck_assert_str_eq(device->note, "block (0,0,0), thread (0,0,0): stray access 0 bytes past the "
                                   "end of a 16-byte dynamic shared memory (a read)");
}
