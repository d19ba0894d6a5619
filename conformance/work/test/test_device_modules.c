/* Modules that a worker's threads share: who loads one holds up nobody, and each is asked for once.
 */
#include "conformance/test/made_device.h"

#include <errno.h>
#include <time.h>

static struct device *device;
static struct cuda_driver inner;

/* A load waits until that many are under way, for no longer than half a minute. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int wanted, loads, late, globals;
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static cu_result meeting_load(cu_module *ret, const void *image, unsigned count, int *options,
                              void **values)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 30;
    pthread_mutex_lock(&meeting.lock);
    meeting.loads++;
    pthread_cond_broadcast(&meeting.changed);
    int error = 0;
    while (meeting.loads < meeting.wanted && error == 0)
        error = pthread_cond_timedwait(&meeting.changed, &meeting.lock, &until);
    meeting.late += error == ETIMEDOUT;
    pthread_mutex_unlock(&meeting.lock);
    return inner.module_load_data(ret, image, count, options, values);
}

static cu_result counted_global(cu_address *ret, size_t *ret_bytes, cu_module module,
                                const char *name)
{
    meeting.globals++;
    return inner.module_get_global(ret, ret_bytes, module, name);
}

static void *ask(void *name)
{
    const struct kernel *kernel = catalog_known_kernel(name);
    ck_assert_int_eq(device->driver.ctx_set_current(device->context), CU_SUCCESS);
    made_function(device, kernel, kernel->entry);
    return NULL;
}

static void open_device(int wanted)
{
    device = made_device();
    inner = device->driver;
    device->driver.module_load_data = meeting_load;
    device->driver.module_get_global = counted_global;
    meeting.wanted = wanted;
    meeting.loads = meeting.late = meeting.globals = 0;
}

static void ask_at_once(const char *left, const char *right)
{
    pthread_t threads[2];
    ck_assert_int_eq(pthread_create(&threads[0], NULL, ask, (void *)(uintptr_t)left), 0);
    ck_assert_int_eq(pthread_create(&threads[1], NULL, ask, (void *)(uintptr_t)right), 0);
    ck_assert_int_eq(pthread_join(threads[0], NULL), 0);
    ck_assert_int_eq(pthread_join(threads[1], NULL), 0);
}

START_TEST(modules_load_side_by_side, "runner.modules.apart")
{
    open_device(2);
    ask_at_once("matmul/tiled", "aat/naive");
    ck_assert_int_eq(meeting.loads, 2);
    ck_assert_int_eq(meeting.late, 0);
}

START_TEST(a_module_is_loaded_once, "runner.modules.apart")
{
    open_device(1);
    ask_at_once("matmul/tiled", "matmul/tiled");
    ask((void *)(uintptr_t) "matmul/tiled");
    ck_assert_int_eq(meeting.loads, 1);
}

START_TEST(an_array_is_looked_up_once, "runner.modules.apart")
{
    const struct kernel *kernel = catalog_known_kernel("table_lookup/constant");
    const char *symbol = kernel->bindings[0].symbol;
    struct device_symbol found[2];
    struct reason reason;
    int holder;
    open_device(1);
    for (int turn = 0; turn < 2; turn++)
        ck_assert_int_eq(device_symbol(device, kernel, path_find("host"), &holder, symbol,
                                       &found[turn], &reason),
                         CU_SUCCESS);
    ck_assert_int_eq(meeting.globals, 1);
    ck_assert_uint_eq(found[0].address, found[1].address);
    ck_assert_uint_eq(found[0].bytes, found[1].bytes);
    ck_assert_int_eq(device_unload(device, kernel, path_find("host"), &holder), CU_SUCCESS);
    ck_assert_int_eq(
        device_symbol(device, kernel, path_find("host"), &holder, symbol, &found[1], &reason),
        CU_SUCCESS);
    ck_assert_int_eq(meeting.globals, 2); /* of the module that was loaded again */
}
