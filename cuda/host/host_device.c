/* The host device: its attributes. */
#include "cuda/host/engine.h"
#include "cuda/host/host_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* What a launch is planned for is as on any GPU of the last ten years. Clocks, bus and cache are 0:
 * the emulation has no meaningful speed. So is the compute capability, which no GPU has. */
static const struct {
    int attribute, value;
} attributes[] = {
    {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, ENGINE_THREADS_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_X, HOST_GRID_X_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Y, HOST_GRID_YZ_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Z, HOST_GRID_YZ_MAX},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, HOST_SHARED_BYTES_MAX},
    {CU_ATTRIBUTE_WARP_SIZE, ENGINE_WARP_THREADS},
    {CU_ATTRIBUTE_CLOCK_RATE, 0},
    {CU_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTE_MODE_DEFAULT},
    {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1},
    {CU_ATTRIBUTE_MEMORY_CLOCK_RATE, 0},
    {CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 0},
    {CU_ATTRIBUTE_L2_CACHE_SIZE, 0},
    {CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, HOST_PERSISTING_BYTES_MAX},
    {CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, HOST_WINDOW_BYTES_MAX},
    {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0},
    {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, HOST_SHARED_BYTES_MAX},
    /* Blocks run one after another. */
    {CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 1},
    {CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, ENGINE_THREADS_MAX},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, HOST_SHARED_BYTES_MAX},
    {CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 0},
    {CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 0},
};

cu_result host_driver_get_version(int *ret)
{
    *ret = 0;
    return CU_SUCCESS;
}

cu_result host_device_get_count(int *ret)
{
    const cu_result result = host_initialised();
    if (result == CU_SUCCESS)
        *ret = 1;
    return result;
}

/* What all queries about one device have in common. */
static cu_result check_device(cu_device device)
{
    const cu_result result = host_initialised();
    if (result != CU_SUCCESS)
        return result;
    return device == 0 ? CU_SUCCESS : CU_ERROR_INVALID_DEVICE;
}

cu_result host_device_get(cu_device *ret, int ordinal)
{
    const cu_result result = check_device(ordinal);
    if (result == CU_SUCCESS)
        *ret = 0;
    return result;
}

/* The processor's own name, as Linux gives it on x86; "" elsewhere. */
static void find_processor_name(char *ret, size_t ret_bytes)
{
    char line[256];
    ret[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    while (ret[0] == '\0' && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(ret, ret_bytes, " %s", colon + 1 + strspn(colon + 1, " "));
    }
    fclose(file);
}

cu_result host_device_get_name(char *ret, int bytes, cu_device device)
{
    const cu_result result = check_device(device);
    if (result != CU_SUCCESS)
        return result;
    if (!ret || bytes <= 0)
        return CU_ERROR_INVALID_VALUE;
    char processor[128];
    struct utsname system;
    find_processor_name(processor, sizeof processor);
    const char *machine = uname(&system) == 0 ? system.machine : "unknown";
    snprintf(ret, (size_t)bytes, "host (%s%s)", machine, processor);
    return CU_SUCCESS;
}

cu_result host_device_get_uuid(unsigned char ret[16], cu_device device)
{
    const cu_result result = check_device(device);
    if (result == CU_SUCCESS)
        memcpy(ret, "assay host\0\0\0\0\0", 16);
    return result;
}

cu_result host_device_total_mem(size_t *ret, cu_device device)
{
    const cu_result result = check_device(device);
    if (result == CU_SUCCESS)
        *ret = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return result;
}

cu_result host_device_get_attribute(int *ret, int attribute, cu_device device)
{
    const cu_result result = check_device(device);
    if (result != CU_SUCCESS)
        return result;
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (attributes[i].attribute == attribute) {
            *ret = attributes[i].value;
            return CU_SUCCESS;
        }
    }
    return CU_ERROR_INVALID_VALUE;
}
