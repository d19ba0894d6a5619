/* The host device as its tests use it (test_device.h). */
#include "cuda/host/test_device.h"
#include "spec/testing.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_device(void *kept)
{
    struct test_device *device = kept;
    ck_assert_int_eq(device->driver.primary_ctx_release(0), CU_SUCCESS);
    device->driver.set_fault_note(NULL, 0);
}

struct test_device *test_device_open(void)
{
    struct test_device *device = testing_new(sizeof *device);
    struct cuda_driver *driver = &device->driver;
    driver_open_host(driver);
    driver->set_fault_note(device->note, sizeof device->note);
    cu_device ordinal;
    cu_context context;
    ck_assert_int_eq(driver->init(0), CU_SUCCESS);
    ck_assert_int_eq(driver->device_get(&ordinal, 0), CU_SUCCESS);
    ck_assert_int_eq(driver->primary_ctx_retain(&context, ordinal), CU_SUCCESS);
    ck_assert_int_eq(driver->ctx_set_current(context), CU_SUCCESS);
    testing_keep(device, close_device);
    return device;
}

void *test_device_memory(struct test_device *device, size_t bytes, const void *source)
{
    cu_address address = 0;
    ck_assert_int_eq(device->driver.mem_alloc(&address, bytes), CU_SUCCESS);
    if (source)
        ck_assert_int_eq(device->driver.memcpy_htod_async(address, source, bytes, NULL),
                         CU_SUCCESS);
    return (void *)(uintptr_t)address;
}

cu_result test_device_launch(struct test_device *device, const char *unit, const char *name,
                             struct test_shape shape, struct test_call call)
{
    const struct cuda_driver *driver = &device->driver;
    cu_module module;
    cu_function function;
    unsigned char *sms = NULL;
    void *parameters[] = {&call, &sms};
    cu_result result = driver->module_load_data(&module, unit, 0, NULL, NULL);
    if (result == CU_SUCCESS)
        result = driver->module_get_function(&function, module, name);
    if (result == CU_SUCCESS)
        result = driver->launch_kernel(function, shape.grid_x, shape.grid_y, shape.grid_z,
                                       shape.block_x, shape.block_y, shape.block_z,
                                       shape.shared_bytes, NULL, parameters, NULL);
    if (result == CU_SUCCESS)
        result = driver->ctx_synchronize();
    return result;
}

int test_device_die(struct test_device *device, const char *unit, const char *name,
                    struct test_shape shape, struct test_call call)
{
    char *note =
        mmap(NULL, sizeof device->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(note, MAP_FAILED);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        device->driver.set_fault_note(note, sizeof device->note);
        test_device_launch(device, unit, name, shape, call);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    memcpy(device->note, note, sizeof device->note);
    munmap(note, sizeof device->note);
    return status;
}
