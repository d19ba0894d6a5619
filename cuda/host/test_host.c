/* Tests of the host driver's table: limits, memory, modules, streams and events. */
#include "cuda/host/test_device.h"
#include "spec/testing.h"

static const struct test_shape one_thread = {1, 1, 1, 1, 1, 1, 0};

START_TEST(full_table, "driver.host.same_table", "driver.calls.everywhere")
{
    struct cuda_driver driver;
    driver_open_host(&driver);
    /* Pointers all of one size, so that a row that was forgotten shows. */
    void (*functions[(sizeof driver - sizeof driver.name) / sizeof(void (*)(void))])(void);
    memcpy(functions, (const char *)&driver + sizeof driver.name, sizeof functions);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        ck_assert_msg(functions[i] != NULL, "function %zu of the table is missing", i);
    ck_assert_str_eq(driver.name, "host");
}

START_TEST(before_init, "driver.host.call_order")
{
    struct cuda_driver driver;
    cu_context context;
    cu_address address;
    int count = 0;
    driver_open_host(&driver);
    ck_assert_int_eq(driver.device_get_count(&count), CU_ERROR_NOT_INITIALIZED);
    ck_assert_int_eq(driver.primary_ctx_retain(&context, 0), CU_ERROR_NOT_INITIALIZED);
    ck_assert_int_eq(driver.init(1), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    ck_assert_int_eq(driver.mem_alloc(&address, 4), 201);
    ck_assert_int_eq(driver.primary_ctx_retain(&context, 1), CU_ERROR_INVALID_DEVICE);
    ck_assert_int_eq(driver.primary_ctx_retain(&context, 0), CU_SUCCESS);
    ck_assert_int_eq(driver.mem_alloc(&address, 4), 201);
    ck_assert_int_eq(driver.ctx_set_current(context), CU_SUCCESS);
    ck_assert_int_eq(driver.mem_alloc(&address, 4), CU_SUCCESS);
    ck_assert_int_eq(driver.primary_ctx_release(0), CU_SUCCESS);
    ck_assert_int_eq(driver.mem_free(address), 201);
    ck_assert_int_eq(driver.primary_ctx_release(0), 201);
}

START_TEST(description, "driver.host.attributes")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    char name[64];
    unsigned char uuid[16];
    size_t total = 0;
    size_t free_bytes = 0;
    int value = -1;
    ck_assert_int_eq(driver->device_get_name(name, sizeof name, 0), 0);
    ck_assert_int_eq(strncmp(name, "host (", 6), 0);
    ck_assert_int_eq(driver->device_get_name(name, sizeof name, 1), CU_ERROR_INVALID_DEVICE);
    ck_assert_int_eq(driver->device_get_uuid(uuid, 0), 0);
    ck_assert_int_eq(driver->driver_get_version(&value), 0);
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(driver->device_get_attribute(&value, CU_ATTRIBUTE_WARP_SIZE, 0), 0);
    ck_assert_int_eq(value, 32);
    ck_assert_int_eq(driver->device_get_attribute(&value, 12345, 0), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->device_total_mem(&total, 0), 0);
    ck_assert_uint_gt(total, 1 << 20);
    ck_assert_int_eq(driver->mem_get_info(&free_bytes, &total), 0);
    ck_assert_uint_le(free_bytes, total);
}

/* Devices 0 to 2, the contexts of the first two of them, and a word of each. */
struct several {
    const struct cuda_driver *driver;
    cu_context contexts[2];
    cu_address words[2];
    cu_stream streams[2];
};

static void forget_devices(void *kept)
{
    const struct several *it = kept;
    ck_assert_int_eq(it->driver->primary_ctx_release(1), 0);
    unsetenv("ASSAY_HOST_DEVICES");
}

static struct several *open_several(void)
{
    struct test_device *device = test_device_open();
    struct several *it = testing_new(sizeof *it);
    const struct cuda_driver *driver = it->driver = &device->driver;
    setenv("ASSAY_HOST_DEVICES", "3", 1);
    ck_assert_int_eq(driver->primary_ctx_retain(&it->contexts[0], 0), 0);
    ck_assert_int_eq(driver->primary_ctx_release(0), 0); /* test_device_open has it, too */
    ck_assert_int_eq(driver->primary_ctx_retain(&it->contexts[1], 1), 0);
    for (int index = 0; index < 2; index++) {
        ck_assert_int_eq(driver->ctx_set_current(it->contexts[index]), 0);
        ck_assert_int_eq(driver->mem_alloc(&it->words[index], 4), 0);
        ck_assert_int_eq(driver->stream_create(&it->streams[index], 1), 0);
    }
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[0]), 0);
    testing_keep(it, forget_devices);
    return it;
}

START_TEST(as_many_devices_as_asked_for, "driver.host.devices")
{
    const struct cuda_driver *driver = open_several()->driver;
    unsigned char uuids[2][16];
    cu_device handle;
    cu_context context;
    int count = 0;
    ck_assert_int_eq(driver->device_get_count(&count), 0);
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(driver->device_get(&handle, 2), 0);
    ck_assert_int_eq(driver->device_get(&handle, 3), CU_ERROR_INVALID_DEVICE);
    ck_assert_int_eq(driver->device_get(&handle, -1), CU_ERROR_INVALID_DEVICE);
    ck_assert_int_eq(driver->primary_ctx_retain(&context, 3), CU_ERROR_INVALID_DEVICE);
    for (int device = 0; device < 2; device++)
        ck_assert_int_eq(driver->device_get_uuid(uuids[device], device), 0);
    ck_assert_int_ne(memcmp(uuids[0], uuids[1], 16), 0);
}

/* Whoever leaves the wrong context current hears of it at the next call. */
START_TEST(what_a_device_has_is_its_own, "driver.host.devices")
{
    const struct several *it = open_several();
    const struct cuda_driver *driver = it->driver;
    unsigned word = 7, got = 0;
    cu_module module;
    cu_function function;
    cu_event event;
    unsigned char *sms = NULL;
    const struct test_call call = {.n = 0};
    void *parameters[] = {(void *)(uintptr_t)&call, &sms};
    ck_assert_int_eq(driver->memcpy_htod_async(it->words[0], &word, 4, it->streams[0]), 0);
    ck_assert_int_eq(driver->memcpy_htod_async(it->words[1], &word, 4, it->streams[0]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->memcpy_htod_async(it->words[0], &word, 4, it->streams[1]), 400);
    ck_assert_int_eq(driver->stream_synchronize(it->streams[1]), 400);
    ck_assert_int_eq(driver->event_create(&event, 0), 0);
    ck_assert_int_eq(driver->event_record(event, it->streams[0]), 0);
    ck_assert_int_eq(driver->module_load_data(&module, "test_bare", 0, NULL, NULL), 0);
    ck_assert_int_eq(driver->module_get_function(&function, module, "test_bare"), 0);
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[1]), 0);
    ck_assert_int_eq(driver->stream_wait_event(it->streams[1], event, 0), 0);
    ck_assert_int_eq(driver->event_record(event, it->streams[1]), 400);
    ck_assert_int_eq(driver->memset_d8_async(it->words[0], 1, 4, it->streams[1]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(
        driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, it->streams[1], parameters, NULL),
        400);
    /* One goes, the other stays. */
    ck_assert_int_eq(driver->primary_ctx_release(1), 0);
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[1]), 201);
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[0]), 0);
    ck_assert_int_eq(driver->memcpy_dtoh_async(&got, it->words[0], 4, it->streams[0]), 0);
    ck_assert_uint_eq(got, word);
    cu_context again;
    ck_assert_int_eq(driver->primary_ctx_retain(&again, 1), 0); /* forget_devices releases it */
}

START_TEST(access_is_asked_for, "driver.host.devices")
{
    const struct several *it = open_several();
    const struct cuda_driver *driver = it->driver;
    int can = 0;
    ck_assert_int_eq(driver->device_can_access_peer(&can, 0, 1), 0);
    ck_assert_int_eq(can, 1);
    ck_assert_int_eq(driver->device_can_access_peer(&can, 1, 1), 0);
    ck_assert_int_eq(can, 0);
    ck_assert_int_eq(driver->device_can_access_peer(&can, 0, 3), CU_ERROR_INVALID_DEVICE);
    ck_assert_int_eq(driver->memcpy_dtod_async(it->words[1], it->words[0], 4, it->streams[0]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->ctx_enable_peer_access(it->contexts[1], 1), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->ctx_enable_peer_access(it->contexts[1], 0), 0);
    ck_assert_int_eq(driver->ctx_enable_peer_access(it->contexts[1], 0),
                     CU_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    ck_assert_int_eq(driver->memcpy_dtod_async(it->words[1], it->words[0], 4, it->streams[0]), 0);
    /* In one direction. */
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[1]), 0);
    ck_assert_int_eq(driver->memcpy_dtod_async(it->words[1], it->words[0], 4, it->streams[1]),
                     CU_ERROR_INVALID_VALUE);
    setenv("ASSAY_HOST_FAULT", "peer_no_access", 1);
    ck_assert_int_eq(driver->device_can_access_peer(&can, 0, 1), 0);
    ck_assert_int_eq(can, 0);
    ck_assert_int_eq(driver->ctx_enable_peer_access(it->contexts[0], 0),
                     CU_ERROR_PEER_ACCESS_UNSUPPORTED);
    unsetenv("ASSAY_HOST_FAULT");
    ck_assert_int_eq(driver->ctx_set_current(it->contexts[0]), 0);
}

START_TEST(copies_between_devices_name_both, "driver.host.devices")
{
    const struct several *it = open_several();
    const struct cuda_driver *driver = it->driver;
    const cu_context first = it->contexts[0], second = it->contexts[1];
    const cu_address source = it->words[0], target = it->words[1];
    unsigned word = 7, got = 0;
    ck_assert_int_eq(driver->memcpy_htod_async(source, &word, 4, NULL), 0);
    ck_assert_int_eq(driver->memcpy_peer_async(target, second, source, first, 4, it->streams[0]),
                     0);
    ck_assert_int_eq(driver->memcpy_peer_async(target, first, source, first, 4, it->streams[0]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->memcpy_peer_async(target, second, source, second, 4, it->streams[0]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->memcpy_peer_async(target, second, source, first, 5, it->streams[0]),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->memcpy_peer_async(target, NULL, source, first, 4, it->streams[0]),
                     201);
    ck_assert_int_eq(driver->memcpy_peer_async(target, second, source, first, 4, it->streams[1]),
                     400);
    ck_assert_int_eq(driver->ctx_set_current(second), 0);
    ck_assert_int_eq(driver->memcpy_dtoh_async(&got, target, 4, NULL), 0);
    ck_assert_uint_eq(got, word);
    ck_assert_int_eq(driver->ctx_set_current(first), 0);
}

START_TEST(launch_limits, "driver.host.launch_limits")
{
    struct test_device *device = test_device_open();
    static const struct {
        struct test_shape shape;
        cu_result result;
    } cases[] = {
        {{1, 1, 1, 1024, 1, 1, 0}, 0},
        {{1, 1, 1, 1, 1024, 1, 0}, 0},
        {{1, 1, 1, 16, 1, 64, 0}, 0},
        {{1, 65535, 1, 1, 1, 1, 0}, 0},
        {{0, 1, 1, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 0, 1, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 0, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 0, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 0, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 1, 0, 0}, CU_ERROR_INVALID_VALUE},
        {{0x80000000u, 1, 1, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 65536, 1, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 65536, 1, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1025, 1, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 1025, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 1, 65, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 513, 2, 1, 0}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 1, 1, 49152}, 0},
        {{1, 1, 1, 1, 1, 1, 49153}, CU_ERROR_INVALID_VALUE},
        {{1, 1, 1, 1, 1, 1, 0xffffffffu}, CU_ERROR_INVALID_VALUE},
    };
    const struct test_call call = {.n = 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_int_eq(test_device_launch(device, "test_bare", "test_bare", cases[i].shape, call),
                         cases[i].result);
    /* Static shared memory counts too. */
    struct test_shape shape = {1, 1, 1, 1, 1, 1, 256};
    ck_assert_int_eq(test_device_launch(device, "test_lone", "test_lone", shape, call), 0);
    shape.shared_bytes++;
    ck_assert_int_eq(test_device_launch(device, "test_lone", "test_lone", shape, call),
                     CU_ERROR_INVALID_VALUE);
}

START_TEST(modules, "driver.host.modules")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    const struct test_call call = {.n = 0};
    cu_module module;
    cu_function function;
    int value = -1;
    unsigned char *sms = NULL;
    void *parameters[] = {(void *)(uintptr_t)&call, &sms};
    ck_assert_int_eq(test_device_launch(device, "no_such", "test_bare", one_thread, call),
                     CU_ERROR_NOT_FOUND);
    ASSERT_HAS(device->note, "no_such");
    ck_assert_int_eq(test_device_launch(device, "test_bare", "test_lone", one_thread, call),
                     CU_ERROR_NOT_FOUND);
    ASSERT_HAS(device->note, "test_lone");
    ck_assert_int_eq(driver->module_load_data(&module, "test_lone", 0, NULL, NULL), 0);
    ck_assert_int_eq(driver->module_get_function(&function, module, "test_lone"), 0);
    ck_assert_int_eq(driver->func_get_attribute(&value, 0, function), 0);
    ck_assert_int_eq(value, 1024);
    ck_assert_int_eq(driver->func_get_attribute(&value, 1, function), 0);
    ck_assert_int_eq(value, 49152 - 256);
    ck_assert_int_eq(driver->func_get_attribute(&value, 4, function), 0);
    ck_assert_int_eq(value, 0);
    const struct {
        int threads;
        size_t bytes;
        int blocks;
    } fits[] = {{1, 0, 1}, {1024, 256, 1}, {1024, 257, 0}, {1025, 0, 0}, {32, SIZE_MAX, 0}};
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        ck_assert_int_eq(driver->occupancy_blocks(&value, function, fits[i].threads, fits[i].bytes),
                         0);
        ck_assert_int_eq(value, fits[i].blocks);
    }
    /* Static and dynamic shared memory together reach 64 KiB, if the function opts in. */
    ck_assert_int_eq(driver->func_set_attribute(function, 8, 16641), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 257, NULL, parameters, NULL),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->func_set_attribute(function, 8, 16640), 0);
    ck_assert_int_eq(
        driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 16640, NULL, parameters, NULL), 0);
    ck_assert_int_eq(driver->occupancy_blocks(&value, function, 32, 16640), 0);
    ck_assert_int_eq(value, 1);
    ck_assert_int_eq(driver->occupancy_blocks(&value, function, 32, 16641), 0);
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(driver->occupancy_blocks(&value, function, 0, 0), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->occupancy_blocks(&value, (cu_function)(void *)&value, 1, 0), 400);
    ck_assert_int_eq(driver->launch_kernel((cu_function)(void *)&value, 1, 1, 1, 1, 1, 1, 0, NULL,
                                           parameters, NULL),
                     400);
    ck_assert_int_eq(driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, (cu_stream)(void *)&value,
                                           parameters, NULL),
                     400);
    ck_assert_int_eq(driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->module_unload(module), 0);
    ck_assert_int_eq(driver->launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL),
                     400);
    ck_assert_int_eq(driver->func_get_attribute(&value, 0, function), 400);
    ck_assert_int_eq(driver->module_unload(module), 400);
}

struct loaded {
    cu_module module;
    cu_function function;
    cu_address constants, counters;
};

static struct loaded load_arrays(const struct cuda_driver *driver)
{
    struct loaded it;
    size_t bytes = 0;
    ck_assert_int_eq(driver->module_load_data(&it.module, "test_arrays", 0, NULL, NULL), 0);
    ck_assert_int_eq(driver->module_get_function(&it.function, it.module, "test_arrays"), 0);
    ck_assert_int_eq(driver->module_get_global(&it.constants, &bytes, it.module, "constants"), 0);
    ck_assert_uint_eq(bytes, 4 * sizeof(unsigned));
    ck_assert_int_eq(driver->module_get_global(&it.counters, &bytes, it.module, "counters"), 0);
    ck_assert_uint_eq(bytes, 2 * sizeof(unsigned));
    return it;
}

/* Launches it, and looks at what it saw. */
static void expect_arrays(const struct cuda_driver *driver, const struct loaded *it,
                          unsigned *words, unsigned constant, unsigned counter)
{
    struct test_call call = {.words = words, .place = 3};
    unsigned char *sms = NULL;
    void *parameters[] = {&call, &sms};
    ck_assert_int_eq(
        driver->launch_kernel(it->function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL), 0);
    ck_assert_uint_eq(words[0], constant);
    ck_assert_uint_eq(words[1], counter);
}

/* Two modules of one unit at once, watched and not; then a third after the first was unloaded. */
START_TEST(arrays_live_as_long_as_their_module, "driver.host.symbols")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    unsigned *words = test_device_memory(device, 2 * sizeof *words, NULL);
    unsigned char readable[2 * sizeof *words] = {0};
    struct driver_watch watch = {(cu_address)(uintptr_t)words, sizeof readable, readable,
                                 .strayed = false};
    const unsigned table[] = {1, 2, 3, 77};
    struct loaded left = load_arrays(driver), right = load_arrays(driver), fresh;
    cu_address address;
    size_t bytes;
    expect_arrays(driver, &left, words, 0, 1);
    ck_assert_int_eq(driver->memcpy_htod_async(left.constants, table, sizeof table, NULL), 0);
    ck_assert_int_eq(driver->memcpy_htod_async(left.constants, table, sizeof table + 1, NULL),
                     CU_ERROR_INVALID_VALUE);
    expect_arrays(driver, &left, words, 77, 2);
    expect_arrays(driver, &right, words, 0, 1);
    driver->watch_reads(&watch);
    expect_arrays(driver, &left, words, 77, 3);
    driver->watch_reads(NULL);
    ck_assert(!watch.strayed);
    expect_arrays(driver, &left, words, 77, 4);
    ck_assert_int_eq(driver->module_unload(left.module), 0);
    ck_assert_int_eq(driver->memset_d8_async(left.constants, 0, 1, NULL), CU_ERROR_INVALID_VALUE);
    fresh = load_arrays(driver);
    expect_arrays(driver, &fresh, words, 0, 1);
    expect_arrays(driver, &right, words, 0, 2);
    ck_assert_int_eq(driver->module_get_global(&address, &bytes, fresh.module, "none"),
                     CU_ERROR_NOT_FOUND);
    ASSERT_HAS(device->note, "none");
    ck_assert_int_eq(driver->module_get_global(&address, &bytes, left.module, "counters"), 400);
}

/* As often as that the allocator gives memory again. */
START_TEST(stale_handles_stay_stale, "driver.host.handles")
{
    enum { ROUNDS = 20, KINDS = 6 };
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    uintptr_t seen[ROUNDS * KINDS];
    int seen_count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct cu_array_shape shape = {5, 3, CU_FORMAT_U8, 1};
        const struct cu_sampler sampler = {.address = {1, 1, 1}};
        const struct loaded it = load_arrays(driver);
        cu_stream stream;
        cu_event event;
        cu_array array;
        cu_texture texture;
        ck_assert_int_eq(driver->stream_create(&stream, 0), 0);
        ck_assert_int_eq(driver->event_create(&event, 0), 0);
        ck_assert_int_eq(driver->array_create(&array, &shape), 0);
        const struct cu_resource resource = {.kind = CU_RESOURCE_ARRAY, .memory.array = array};
        ck_assert_int_eq(driver->texture_create(&texture, &resource, &sampler, NULL), 0);
        const uintptr_t made[KINDS] = {(uintptr_t)it.module, (uintptr_t)it.function,
                                       (uintptr_t)stream,    (uintptr_t)event,
                                       (uintptr_t)array,     (uintptr_t)texture};
        for (int kind = 0; kind < KINDS; kind++) {
            for (int index = 0; index < seen_count; index++)
                ck_assert_msg(seen[index] != made[kind], "kind %d, round %d", kind, round);
            seen[seen_count++] = made[kind];
        }
        ck_assert_int_eq(driver->texture_destroy(texture), 0);
        ck_assert_int_eq(driver->array_destroy(array), 0);
        ck_assert_int_eq(driver->event_destroy(event), 0);
        ck_assert_int_eq(driver->stream_destroy(stream), 0);
        ck_assert_int_eq(driver->module_unload(it.module), 0);
    }
}

START_TEST(copy_range, "driver.host.copy_range")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    unsigned char bytes[1001] = {1, 2, 3};
    unsigned char *memory = test_device_memory(device, 1000, bytes);
    unsigned char *other = test_device_memory(device, 1000, bytes + 1);
    const cu_address start = (cu_address)(uintptr_t)memory;
    const cu_address start_other = (cu_address)(uintptr_t)other;
    const struct {
        long long offset;
        size_t bytes;
        cu_result result;
    } ranges[] = {
        {0, 1000, 0},  {999, 1, 0},  {1000, 0, 0}, {0, 1001, 1},     {-1, 1, 1},
        {-1, 1000, 1}, {1, 1000, 1}, {1000, 1, 1}, {0, SIZE_MAX, 1}, {500, SIZE_MAX - 100, 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const cu_address at = start + (cu_address)ranges[i].offset;
        const size_t count = ranges[i].bytes;
        const cu_result result = ranges[i].result;
        if (result == 0 || count < sizeof bytes) {
            ck_assert_int_eq(driver->memcpy_htod_async(at, bytes, count, NULL), result);
            ck_assert_int_eq(driver->memcpy_dtoh_async(bytes, at, count, NULL), result);
        }
        ck_assert_int_eq(driver->memcpy_dtod_async(at, start_other, count, NULL), result);
        ck_assert_int_eq(driver->memcpy_dtod_async(start_other, at, count, NULL), result);
        ck_assert_int_eq(driver->memset_d8_async(at, 7, count, NULL), result);
    }
    ck_assert_int_eq(driver->memcpy_htod_async(0, bytes, 1, NULL), CU_ERROR_INVALID_VALUE);
}

START_TEST(copied_bytes, "driver.host.copy_range")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    const char text[] = "0123456789";
    char back[11];
    char *memory = test_device_memory(device, sizeof text, text);
    const cu_address start = (cu_address)(uintptr_t)memory;
    ck_assert_int_eq(driver->memcpy_dtod_async(start + 2, start, 5, NULL), 0); /* overlapping */
    ck_assert_int_eq(driver->memset_d8_async(start + 8, 'x', 2, NULL), 0);
    ck_assert_int_eq(driver->memcpy_dtoh_async(back, start, sizeof back, NULL), 0);
    ck_assert_str_eq(back, "01012347xx");
}

START_TEST(allocations, "driver.host.allocations")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    cu_address address = 5;
    ck_assert_int_eq(driver->mem_alloc(&address, 0), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->mem_alloc(&address, SIZE_MAX - 5), CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(driver->mem_alloc(&address, (size_t)1 << 46), CU_ERROR_OUT_OF_MEMORY);
    ck_assert_uint_eq(address, 5); /* left alone */
    const struct cu_array_shape too_large = {1 << 22, 1 << 22, CU_FORMAT_F32, 1};
    cu_array array;
    ck_assert_int_eq(driver->array_create(&array, &too_large), CU_ERROR_OUT_OF_MEMORY);
    for (size_t bytes = 1; bytes < 20000; bytes = bytes * 3 + 1) {
        ck_assert_int_eq(driver->mem_alloc(&address, bytes), CU_SUCCESS);
        ck_assert_uint_eq(address % 256, 0);
        ck_assert_int_eq(driver->mem_free(address + 1), CU_ERROR_INVALID_VALUE);
        ck_assert_int_eq(driver->mem_free(address), CU_SUCCESS);
        ck_assert_int_eq(driver->mem_free(address), CU_ERROR_INVALID_VALUE);
        ck_assert_int_eq(driver->memset_d8_async(address, 0, 1, NULL), CU_ERROR_INVALID_VALUE);
    }
    ck_assert_int_eq(driver->mem_free(0), CU_SUCCESS);
    void *host = NULL;
    ck_assert_int_eq(driver->mem_host_alloc(&host, 1000, 0), CU_SUCCESS);
    memset(host, 1, 1000);
    ck_assert_int_eq(driver->mem_free((cu_address)(uintptr_t)host), CU_ERROR_INVALID_VALUE);
    ck_assert_int_eq(driver->mem_free_host(host), CU_SUCCESS);
    ck_assert_int_eq(driver->mem_free_host(host), CU_ERROR_INVALID_VALUE);
    for (int i = 0; i < 500; i++) /* more than the freed ones that are kept */
        ck_assert_int_eq(
            driver->mem_free((cu_address)(uintptr_t)test_device_memory(device, 9, NULL)),
            CU_SUCCESS);
}

START_TEST(fresh_garbage, "driver.host.fresh_garbage")
{
    struct test_device *device = test_device_open();
    const unsigned long long *a = test_device_memory(device, 800, NULL);
    const unsigned long long *b = test_device_memory(device, 800, NULL);
    for (int i = 0; i < 100; i++) {
        ck_assert_uint_ne(a[i], b[i]);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(a[i], a[j]);
    }
}

START_TEST(handles, "driver.host.handles")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    cu_stream stream;
    cu_event start, end;
    float elapsed_ms = -1.0f;
    ck_assert_int_eq(driver->stream_create(&stream, 1), CU_SUCCESS);
    ck_assert_int_eq(driver->event_create(&start, 0), CU_SUCCESS);
    ck_assert_int_eq(driver->event_create(&end, 0), CU_SUCCESS);
    ck_assert_int_eq(driver->event_record(start, stream), CU_SUCCESS);
    ck_assert_int_eq(driver->event_elapsed_ms(&elapsed_ms, start, end), 400);
    ck_assert_int_eq(driver->event_record(end, NULL), CU_SUCCESS);
    ck_assert_int_eq(driver->event_synchronize(end), CU_SUCCESS);
    ck_assert_int_eq(driver->event_elapsed_ms(&elapsed_ms, start, end), CU_SUCCESS);
    ck_assert(elapsed_ms >= 0.0f && elapsed_ms < 10000.0f);
    ck_assert_int_eq(driver->event_record((cu_event)(void *)stream, NULL), 400);
    ck_assert_int_eq(driver->stream_synchronize((cu_stream)(void *)start), 400);
    ck_assert_int_eq(driver->event_destroy(end), CU_SUCCESS);
    ck_assert_int_eq(driver->event_destroy(end), 400);
    ck_assert_int_eq(driver->stream_destroy(stream), CU_SUCCESS);
    ck_assert_int_eq(driver->stream_synchronize(stream), 400);
    ck_assert_int_eq(driver->memset_d8_async(0, 0, 0, stream), 400);
}

START_TEST(error_names, "driver.host.error_names")
{
    struct cuda_driver driver;
    const char *name = NULL;
    driver_open_host(&driver);
    ck_assert_int_eq(driver.get_error_name(CU_ERROR_LAUNCH_FAILED, &name), CU_SUCCESS);
    ck_assert_str_eq(name, "CUDA_ERROR_LAUNCH_FAILED");
    ck_assert_int_eq(driver.get_error_name(CU_SUCCESS, &name), CU_SUCCESS);
    ck_assert_str_eq(name, "CUDA_SUCCESS");
    ck_assert_int_eq(driver.get_error_name(123456, &name), CU_ERROR_INVALID_VALUE);
}
