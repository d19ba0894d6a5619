/* The host driver's launches, and what it says of functions. */
#include "cuda/host/engine.h"
#include "cuda/host/host_state.h"
#include "cuda/host/watch.h"

#include <string.h>

/* The function of a driver that is up. */
static cu_result find_function(cu_function function, const struct host_function **ret)
{
    const cu_result result = host_ready();
    if (result == CU_SUCCESS)
        *ret = host_function_find(function);
    return result == CU_SUCCESS && *ret == NULL ? HOST_ERROR_INVALID_HANDLE : result;
}

/* Registers, local and constant memory have no meaning here and are 0. */
cu_result host_func_get_attribute(int *ret, int attribute, cu_function function)
{
    enum { MAX_THREADS = 0, SHARED_BYTES = 1, BINARY_VERSION = 6 };
    const struct host_function *found;
    const cu_result result = find_function(function, &found);
    if (result != CU_SUCCESS)
        return result;
    if (attribute < MAX_THREADS || attribute > BINARY_VERSION)
        return CU_ERROR_INVALID_VALUE;
    *ret = attribute == MAX_THREADS    ? ENGINE_THREADS_MAX
           : attribute == SHARED_BYTES ? (int)host_function_shared_bytes(found)
                                       : 0;
    return CU_SUCCESS;
}

/* A launch may ask for all the shared memory there is, so there is nothing to opt in to. */
cu_result host_func_set_attribute(cu_function function, int attribute, int value)
{
    const struct host_function *found;
    const cu_result result = find_function(function, &found);
    if (result != CU_SUCCESS)
        return result;
    const size_t fixed_bytes = host_function_shared_bytes(found);
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
                   (size_t)value <= HOST_SHARED_BYTES_MAX - fixed_bytes
               ? CU_SUCCESS
               : CU_ERROR_INVALID_VALUE;
}

/* Blocks run one after another, so an SM holds one that fits, and of others none. */
cu_result host_occupancy_blocks(int *ret, cu_function function, int block_threads,
                                size_t dynamic_bytes)
{
    const struct host_function *found;
    const cu_result result = find_function(function, &found);
    if (result != CU_SUCCESS)
        return result;
    if (block_threads <= 0)
        return CU_ERROR_INVALID_VALUE;
    *ret = block_threads <= ENGINE_THREADS_MAX &&
           dynamic_bytes <= HOST_SHARED_BYTES_MAX - host_function_shared_bytes(found);
    return CU_SUCCESS;
}

static bool within(const struct emulation_index *size, unsigned x_max, unsigned y_max,
                   unsigned z_max)
{
    return size->x >= 1 && size->x <= x_max && size->y >= 1 && size->y <= y_max && size->z >= 1 &&
           size->z <= z_max;
}

cu_result host_launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y,
                             unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, cu_stream stream, void **parameters,
                             void **extra)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct host_function *found = host_function_find(function);
    if (!found || !host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (!parameters || !parameters[0] || !parameters[1] || extra)
        return CU_ERROR_INVALID_VALUE;
    const struct engine_launch launch = {
        .entry = host_function_enter(found, watch_is_on()),
        .parameters = parameters[0],
        .grid_size = {grid_x, grid_y, grid_z},
        .block_size = {block_x, block_y, block_z},
        .dynamic_shared_bytes = shared_bytes,
    };
    if (!within(&launch.grid_size, HOST_GRID_X_MAX, HOST_GRID_YZ_MAX, HOST_GRID_YZ_MAX) ||
        !within(&launch.block_size, HOST_BLOCK_XY_MAX, HOST_BLOCK_XY_MAX, HOST_BLOCK_Z_MAX) ||
        block_x * block_y * block_z > ENGINE_THREADS_MAX ||
        host_function_shared_bytes(found) + shared_bytes > HOST_SHARED_BYTES_MAX)
        return CU_ERROR_INVALID_VALUE;
    unsigned char *sms;
    memcpy(&sms, parameters[1], sizeof sms);
    if (sms)
        sms[0] = 1; /* the one there is */
    const enum engine_end end = engine_run(&launch);
    if (end == ENGINE_DONE)
        return CU_SUCCESS;
    const cu_result error =
        end == ENGINE_NO_MEMORY ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_LAUNCH_FAILED;
    host_set_sticky(
        error); /* a host without memory is not the kernel's fault, in later calls either */
    return error;
}
