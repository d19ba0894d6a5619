/* Opening a device, and its memory (opened_device.h). */
#include "conformance/work/opened_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"

const char *device_error(const struct device *device, cu_result error)
{
    const char *name = NULL;
    if (device->driver.get_error_name(error, &name) != CU_SUCCESS || name == NULL)
        return "an unknown driver error";
    return name;
}

bool device_is_unable(cu_result error)
{
    return error == CU_ERROR_NO_BINARY_FOR_GPU || error == CU_ERROR_UNSUPPORTED_PTX_VERSION ||
           error == CU_ERROR_UNSUPPORTED_LIMIT;
}

bool device_driver(int kind, struct cuda_driver *ret, int *ret_count, struct reason *ret_reason)
{
    struct cuda_driver driver;
    if (!device_kinds[kind].open_driver(&driver, ret_reason))
        return false;
    struct device probe = {.driver = driver};
    int count = 0;
    cu_result error = driver.init(0);
    if (error == CU_SUCCESS)
        error = driver.device_get_count(&count);
    if (error != CU_SUCCESS)
        return reason_set(ret_reason, REASON_BROKEN, "the CUDA driver does not start: %s",
                          device_error(&probe, error));
    *ret = driver;
    *ret_count = count;
    return true;
}

static void format_uuid(const unsigned char uuid[16], char *ret_text)
{
    ret_text += sprintf(ret_text, "GPU-");
    for (int index = 0; index < 16; index++) {
        bool begins = index == 4 || index == 6 || index == 8 || index == 10;
        ret_text += sprintf(ret_text, "%s%02x", begins ? "-" : "", uuid[index]);
    }
}

struct device_identity device_identify(const struct cuda_driver *driver, int ordinal)
{
    struct device_identity identity = {.uuid = ""};
    unsigned char uuid[16];
    int major = 0, minor = 0;
    cu_device device;
    if (driver->device_get(&device, ordinal) != CU_SUCCESS)
        return identity;
    if (driver->device_get_uuid(uuid, device) == CU_SUCCESS)
        format_uuid(uuid, identity.uuid);
    if (driver->device_get_attribute(&major, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ==
            CU_SUCCESS &&
        driver->device_get_attribute(&minor, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ==
            CU_SUCCESS)
        identity.compute_capability = major * 10 + minor;
    if (driver->device_get_attribute(&identity.compute_mode, CU_ATTRIBUTE_COMPUTE_MODE, device) !=
        CU_SUCCESS)
        identity.compute_mode = CU_COMPUTE_MODE_DEFAULT;
    return identity;
}

/* Which attribute goes where. */
static cu_result read_attributes(const struct cuda_driver *driver, cu_device device,
                                 struct device_info *info)
{
    int major = 0, minor = 0, grid[3] = {0, 0, 0}, shared = 0, opt_in = 0, persisting = 0;
    int window = 0;
    struct device_limits *limits = &info->limits;
    const struct {
        int attribute;
        int *target;
    } table[] = {
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
        {CU_ATTRIBUTE_WARP_SIZE, &limits->warp_size},
        {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, &limits->multiprocessor_count},
        {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &limits->max_threads_per_block},
        {CU_ATTRIBUTE_MAX_GRID_DIM_X, &grid[0]},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Y, &grid[1]},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Z, &grid[2]},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &shared},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &opt_in},
        {CU_ATTRIBUTE_MEMORY_CLOCK_RATE, &info->memory_clock_khz},
        {CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &info->memory_bus_bits},
        {CU_ATTRIBUTE_CLOCK_RATE, &info->sm_clock_khz},
        {CU_ATTRIBUTE_COMPUTE_MODE, &info->compute_mode},
        {CU_ATTRIBUTE_L2_CACHE_SIZE, &info->l2_bytes},
        {CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, &persisting},
        {CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, &window},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        cu_result error =
            driver->device_get_attribute(table[index].target, table[index].attribute, device);
        if (error != CU_SUCCESS)
            return error;
    }
    limits->compute_capability = major * 10 + minor;
    limits->shared_bytes_per_block = (size_t)shared;
    limits->shared_bytes_opt_in = (size_t)opt_in;
    limits->persisting_bytes = persisting > 0 ? (size_t)persisting : 0;
    limits->window_bytes = window > 0 ? (size_t)window : 0;
    for (int axis = 0; axis < 3; axis++)
        limits->max_grid[axis] = grid[axis];
    return CU_SUCCESS;
}

/* A driver that is older than an attribute refuses it: the architecture's number stays. */
static cu_result read_sm_limits(const struct cuda_driver *driver, cu_device device,
                                struct device_info *info)
{
    struct sm_limits *sm = &info->sm;
    const struct {
        int attribute;
        int *target;
    } table[] = {
        {CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &sm->threads},
        {CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &sm->blocks},
        {CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &sm->registers},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &sm->shared_bytes},
        {CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &sm->shared_reserved},
    };
    sm_limits_of(info->limits.compute_capability, sm);
    if (info->limits.warp_size > 0)
        sm->warp_size = info->limits.warp_size;
    sm->block_threads = info->limits.max_threads_per_block;
    sm->block_shared = (int)info->limits.shared_bytes_per_block;
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        cu_result error =
            driver->device_get_attribute(table[index].target, table[index].attribute, device);
        if (error != CU_SUCCESS && error != CU_ERROR_INVALID_VALUE)
            return error;
        if (*table[index].target < 0)
            *table[index].target = 0;
    }
    return CU_SUCCESS;
}

/* The driver API does not report its own version; the kernel module does. */
static void read_release(char *ret_release, size_t bytes)
{
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    char line[64] = "";
    if (file == NULL)
        return;
    if (fgets(line, sizeof line, file))
        snprintf(ret_release, bytes, "%.*s", (int)strcspn(line, "\n"), line);
    fclose(file);
}

static cu_result read_info(const struct cuda_driver *driver, cu_device device,
                           struct device_info *info)
{
    unsigned char uuid[16];
    size_t memory_bytes = 0;
    cu_result error = driver->device_get_name(info->name, sizeof info->name, device);
    if (error == CU_SUCCESS)
        error = driver->device_get_uuid(uuid, device);
    if (error == CU_SUCCESS)
        error = driver->device_total_mem(&memory_bytes, device);
    if (error == CU_SUCCESS)
        error = driver->driver_get_version(&info->driver_version);
    if (error == CU_SUCCESS)
        error = read_attributes(driver, device, info);
    if (error == CU_SUCCESS)
        error = read_sm_limits(driver, device, info);
    if (error != CU_SUCCESS)
        return error;
    info->memory_bytes = memory_bytes;
    if (!device_kind(info)->is_emulated)
        read_release(info->driver_release, sizeof info->driver_release);
    format_uuid(uuid, info->uuid);
    return CU_SUCCESS;
}

bool device_open_with(struct device *ret, const struct cuda_driver *driver, struct device_id id,
                      struct reason *ret_reason)
{
    struct device device = {.driver = *driver, .info = {.id = id}};
    const char *doing = "finding the device";
    cu_device handle = 0;
    bool retained = false;
    cu_result error = driver->device_get(&handle, id.ordinal);
    if (error == CU_SUCCESS) {
        doing = "reading the device's attributes";
        error = read_info(driver, handle, &device.info);
    }
    if (error == CU_SUCCESS) {
        doing = "making a context";
        error = driver->primary_ctx_retain(&device.context, handle);
        retained = error == CU_SUCCESS;
    }
    if (error == CU_SUCCESS)
        error = driver->ctx_set_current(device.context);
    if (error == CU_SUCCESS) {
        doing = "making a stream";
        error = driver->stream_create(&device.stream, 1 /* does not wait for the null stream */);
    }
    if (error != CU_SUCCESS) {
        char label[DEVICE_LABEL_BYTES];
        reason_set(ret_reason, REASON_BROKEN, "%s: %s: %s", device_label(id, label), doing,
                   device_error(&device, error));
        if (retained)
            driver->primary_ctx_release(handle);
        return false;
    }
    *ret = device;
    pthread_mutex_init(&ret->modules_lock, NULL);
    pthread_mutex_init(&ret->aside_lock, NULL);
    return true;
}

bool device_open(struct device *ret, struct device_id id, struct reason *ret_reason)
{
    struct cuda_driver driver;
    int count;
    if (!device_driver(id.kind, &driver, &count, ret_reason))
        return false;
    if (id.ordinal >= count)
        return reason_set(ret_reason, REASON_BROKEN,
                          "there is no device cuda:%d: the driver has %d", id.ordinal, count);
    return device_open_with(ret, &driver, id, ret_reason);
}

void device_close(struct device *device)
{
    pthread_mutex_destroy(&device->modules_lock);
    pthread_mutex_destroy(&device->aside_lock);
    device_unload_all(device);
    cu_device handle;
    device->driver.stream_destroy(device->stream);
    if (device->driver.device_get(&handle, device->info.id.ordinal) == CU_SUCCESS)
        device->driver.primary_ctx_release(handle);
}

cu_result device_take(struct device *device, size_t bytes, cu_address *ret)
{
    cu_address address = 0;
    cu_result error = device->driver.mem_alloc(&address, bytes);
    if (error != CU_SUCCESS)
        return error;
    if (address % DEVICE_ALIGNMENT_BYTES != 0)
        device->misaligned = address;
    *ret = address;
    return CU_SUCCESS;
}

bool device_misaligned(const struct device *device, struct reason *ret_reason)
{
    const unsigned long long address = device->misaligned;
    if (address == 0)
        return false;
    reason_set(ret_reason, REASON_BROKEN, "the driver gave memory at 0x%llx, no multiple of %d",
               address, DEVICE_ALIGNMENT_BYTES);
    return true;
}
