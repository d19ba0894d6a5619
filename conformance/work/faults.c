/* The failing table (faults.h). Only a worker that a test started has one. */
#include "conformance/work/faults.h"

#include <stdatomic.h>

/* The wrapped functions have no room for a context of their own: this is the one table's. */
static struct {
    struct cuda_driver inner;
    atomic_int calls;
    int failing_call;
    cu_result error;
} faults;

static int is_sticky(cu_result error)
{
    return error == CU_ERROR_ILLEGAL_ADDRESS || error == CU_ERROR_LAUNCH_FAILED ||
           error == CU_ERROR_DEVICE_UNAVAILABLE;
}

/* What this call returns in place of going on; CU_SUCCESS: it goes on. */
static cu_result fails_now(void)
{
    int call = atomic_fetch_add(&faults.calls, 1) + 1;
    if (call == faults.failing_call || (call > faults.failing_call && is_sticky(faults.error)))
        return faults.error;
    return CU_SUCCESS;
}

/* One function that fails in its turn, for each of the table. */
#define FAULTY(name, parameters, arguments)                                                        \
    static cu_result faulty_##name parameters                                                      \
    {                                                                                              \
        cu_result error = fails_now();                                                             \
        return error != CU_SUCCESS ? error : faults.inner.name arguments;                          \
    }

FAULTY(init, (unsigned flags), (flags))
FAULTY(driver_get_version, (int *ret), (ret))
FAULTY(device_get_count, (int *ret), (ret))
FAULTY(device_get, (cu_device * ret, int ordinal), (ret, ordinal))
FAULTY(device_get_name, (char *ret, int bytes, cu_device device), (ret, bytes, device))
FAULTY(device_get_uuid, (unsigned char ret[16], cu_device device), (ret, device))
FAULTY(device_total_mem, (size_t * ret, cu_device device), (ret, device))
FAULTY(device_get_attribute, (int *ret, int attribute, cu_device device), (ret, attribute, device))
FAULTY(primary_ctx_retain, (cu_context * ret, cu_device device), (ret, device))
FAULTY(primary_ctx_release, (cu_device device), (device))
FAULTY(ctx_set_current, (cu_context context), (context))
FAULTY(ctx_synchronize, (void), ())
FAULTY(mem_alloc, (cu_address * ret, size_t bytes), (ret, bytes))
FAULTY(mem_free, (cu_address address), (address))
FAULTY(mem_get_info, (size_t * ret_free, size_t *ret_total), (ret_free, ret_total))
FAULTY(mem_host_alloc, (void **ret, size_t bytes, unsigned flags), (ret, bytes, flags))
FAULTY(mem_free_host, (void *memory), (memory))
FAULTY(memcpy_htod_async, (cu_address target, const void *source, size_t bytes, cu_stream stream),
       (target, source, bytes, stream))
FAULTY(memcpy_dtoh_async, (void *target, cu_address source, size_t bytes, cu_stream stream),
       (target, source, bytes, stream))
FAULTY(memcpy_dtod_async, (cu_address target, cu_address source, size_t bytes, cu_stream stream),
       (target, source, bytes, stream))
FAULTY(memset_d8_async, (cu_address target, unsigned char value, size_t bytes, cu_stream stream),
       (target, value, bytes, stream))
FAULTY(module_load_data, (cu_module * ret, const void *image), (ret, image))
FAULTY(module_unload, (cu_module module), (module))
FAULTY(module_get_function, (cu_function * ret, cu_module module, const char *name),
       (ret, module, name))
FAULTY(func_get_attribute, (int *ret, int attribute, cu_function function),
       (ret, attribute, function))
FAULTY(func_set_attribute, (cu_function function, int attribute, int value),
       (function, attribute, value))
FAULTY(launch_kernel,
       (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
        unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream,
        void **parameters, void **extra),
       (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
        parameters, extra))
FAULTY(stream_create, (cu_stream * ret, unsigned flags), (ret, flags))
FAULTY(stream_destroy, (cu_stream stream), (stream))
FAULTY(stream_synchronize, (cu_stream stream), (stream))
FAULTY(launch_host_function, (cu_stream stream, void (*function)(void *), void *context),
       (stream, function, context))
FAULTY(event_create, (cu_event * ret, unsigned flags), (ret, flags))
FAULTY(event_destroy, (cu_event event), (event))
FAULTY(event_record, (cu_event event, cu_stream stream), (event, stream))
FAULTY(event_synchronize, (cu_event event), (event))
FAULTY(event_elapsed_ms, (float *ret, cu_event start, cu_event end), (ret, start, end))

void faults_wrap(struct cuda_driver *driver, int call, cu_result error)
{
    faults.inner = *driver;
    faults.calls = 0;
    faults.failing_call = call;
    faults.error = error;
    *driver = (struct cuda_driver){
        .name = driver->name,
        .init = faulty_init,
        .driver_get_version = faulty_driver_get_version,
        .device_get_count = faulty_device_get_count,
        .device_get = faulty_device_get,
        .device_get_name = faulty_device_get_name,
        .device_get_uuid = faulty_device_get_uuid,
        .device_total_mem = faulty_device_total_mem,
        .device_get_attribute = faulty_device_get_attribute,
        .primary_ctx_retain = faulty_primary_ctx_retain,
        .primary_ctx_release = faulty_primary_ctx_release,
        .ctx_set_current = faulty_ctx_set_current,
        .ctx_synchronize = faulty_ctx_synchronize,
        .mem_alloc = faulty_mem_alloc,
        .mem_free = faulty_mem_free,
        .mem_get_info = faulty_mem_get_info,
        .mem_host_alloc = faulty_mem_host_alloc,
        .mem_free_host = faulty_mem_free_host,
        .memcpy_htod_async = faulty_memcpy_htod_async,
        .memcpy_dtoh_async = faulty_memcpy_dtoh_async,
        .memcpy_dtod_async = faulty_memcpy_dtod_async,
        .memset_d8_async = faulty_memset_d8_async,
        .module_load_data = faulty_module_load_data,
        .module_unload = faulty_module_unload,
        .module_get_function = faulty_module_get_function,
        .func_get_attribute = faulty_func_get_attribute,
        .func_set_attribute = faulty_func_set_attribute,
        .launch_kernel = faulty_launch_kernel,
        .stream_create = faulty_stream_create,
        .stream_destroy = faulty_stream_destroy,
        .stream_synchronize = faulty_stream_synchronize,
        .launch_host_function = faulty_launch_host_function,
        .event_create = faulty_event_create,
        .event_destroy = faulty_event_destroy,
        .event_record = faulty_event_record,
        .event_synchronize = faulty_event_synchronize,
        .event_elapsed_ms = faulty_event_elapsed_ms,
        .get_error_name = driver->get_error_name, /* words never fail */
        .set_schedule_seed = driver->set_schedule_seed,
        .set_shared_refilled = driver->set_shared_refilled,
        .set_fault_note = driver->set_fault_note,
        .watch_reads = driver->watch_reads,
    };
}
