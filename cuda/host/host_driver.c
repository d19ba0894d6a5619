/* The emulation as a driver: initialisation, the one context, errors (cuda/driver.h). */
#include "cuda/driver.h"
#include "cuda/host/engine.h"
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"
#include "cuda/host/watch.h"

#include <stdlib.h>
#include <string.h>

/* A driver's state is the process's: the ABI has no argument for it. */
static struct {
    bool initialised;
    int retain_count; /* of the device's primary context */
    cu_result sticky;
} driver;

static _Thread_local bool context_current;

/* The primary context's handle is the address of this. */
static char primary_context;

cu_result host_initialised(void)
{
    return driver.initialised ? CU_SUCCESS : CU_ERROR_NOT_INITIALIZED;
}

cu_result host_has_context(void)
{
    if (!driver.initialised)
        return CU_ERROR_NOT_INITIALIZED;
    return context_current && driver.retain_count > 0 ? CU_SUCCESS : HOST_ERROR_INVALID_CONTEXT;
}

cu_result host_ready(void)
{
    const cu_result result = host_has_context();
    return result != CU_SUCCESS ? result : driver.sticky;
}

void host_set_sticky(cu_result error)
{
    driver.sticky = error;
}

cu_result host_init(unsigned flags)
{
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    const char *shared = getenv("ASSAY_HOST_SHARED");
    shared_set_refilled(shared && strcmp(shared, "garbage") == 0);
    driver.initialised = true;
    return CU_SUCCESS;
}

cu_result host_primary_ctx_retain(cu_context *ret, cu_device device)
{
    if (!driver.initialised)
        return CU_ERROR_NOT_INITIALIZED;
    if (device != 0)
        return CU_ERROR_INVALID_DEVICE;
    if (driver.sticky != CU_SUCCESS)
        return driver.sticky;
    driver.retain_count++;
    *ret = (cu_context)(void *)&primary_context;
    return CU_SUCCESS;
}

/* The last release frees all that the context held. */
cu_result host_primary_ctx_release(cu_device device)
{
    if (!driver.initialised)
        return CU_ERROR_NOT_INITIALIZED;
    if (device != 0)
        return CU_ERROR_INVALID_DEVICE;
    if (driver.retain_count == 0)
        return HOST_ERROR_INVALID_CONTEXT;
    if (--driver.retain_count == 0) {
        host_handle_drop_all();
        host_texture_drop_all();
        host_module_drop_all();
        memory_drop_all(MEMORY_DEVICE);
        memory_drop_all(MEMORY_HOST);
        shared_release();
    }
    return CU_SUCCESS;
}

cu_result host_ctx_set_current(cu_context context)
{
    if (!driver.initialised)
        return CU_ERROR_NOT_INITIALIZED;
    if (context && ((void *)context != (void *)&primary_context || driver.retain_count == 0))
        return HOST_ERROR_INVALID_CONTEXT;
    context_current = context != NULL;
    return CU_SUCCESS;
}

static const struct {
    cu_result error;
    const char *name;
} error_names[] = {
    {CU_SUCCESS, "CUDA_SUCCESS"},
    {CU_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
    {CU_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
    {CU_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
    {CU_ERROR_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    {CU_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
    {CU_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
    {CU_ERROR_DEVICE_NOT_LICENSED, "CUDA_ERROR_DEVICE_NOT_LICENSED"},
    {HOST_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
    {CU_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {CU_ERROR_UNSUPPORTED_LIMIT, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    {CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {HOST_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
    {CU_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
    {CU_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY"},
    {CU_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {CU_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {CU_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
    {CU_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"},
};

cu_result host_get_error_name(cu_result error, const char **ret)
{
    for (size_t i = 0; i < sizeof error_names / sizeof error_names[0]; i++) {
        if (error_names[i].error == error) {
            *ret = error_names[i].name;
            return CU_SUCCESS;
        }
    }
    return CU_ERROR_INVALID_VALUE;
}

void driver_open_host(struct cuda_driver *ret)
{
    *ret = (struct cuda_driver){
        .name = "host",
#define CALL(member, name, parameters, arguments) .member = host_##member,
#include "cuda/calls.def"
        .set_schedule_seed = engine_set_seed,
        .set_shared_refilled = shared_set_refilled,
        .set_fault_note = fault_set_note,
        .watch_reads = watch_set,
    };
}
