/* The emulation as a driver: initialisation, contexts, errors; the devices and their attributes;
 * memory and copies, each checked to stay inside one allocation (cuda/driver.h). It has one device,
 * or as many as ASSAY_HOST_DEVICES says. What a device has (memory, streams, events, modules) is
 * of use only while its context is current. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cuda/driver.h"
#include "cuda/host/engine.h"
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"
#include "cuda/pretended.h"

/* A driver's state is the process's: the ABI has no argument for it. */
enum { DEVICES_MAX = 16 };
static struct {
    bool initialised;
    int retain_counts[DEVICES_MAX]; /* of the devices' primary contexts */
    unsigned reached[DEVICES_MAX];  /* from each: the devices that it has access to, a bit each */
} driver;

/* The handle of each device's primary context is the address of its byte. */
static char contexts[DEVICES_MAX];

static _Thread_local const char *current; /* in `contexts` */

int driver_host_devices(void)
{
    const char *set = getenv("ASSAY_HOST_DEVICES");
    const int count = set ? atoi(set) : 1;
    return count < 1 ? 1 : count > DEVICES_MAX ? DEVICES_MAX : count;
}

static bool is_device(cu_device device)
{
    return device >= 0 && device < driver_host_devices();
}

int host_current(void)
{
    return current ? (int)(current - contexts) : 0;
}

unsigned host_peer_access(void)
{
    return driver.reached[host_current()] | 1u << host_current();
}

bool host_owns(cu_address address, size_t bytes)
{
    return memory_device(MEMORY_DEVICE, address, bytes) == host_current();
}

/* In one block that it reaches: its own, host memory, or of devices that it was given access to. */
static bool is_reached(cu_address address, size_t bytes)
{
    const int device = memory_device(MEMORY_DEVICE, address, bytes);
    return device >= 0 ? (host_peer_access() >> device & 1) != 0
                       : memory_device(MEMORY_HOST, address, bytes) >= 0;
}

/* The state that a call requires. Most need a context that no failed launch has broken: a failed
 * launch is sticky, as on a GPU. Calls that tear down do not mind it. */
enum need { NEED_READY, NEED_CONTEXT, NEED_DRIVER, NEED_NOTHING };

enum {
#define CALL(member, name, parameters, arguments) CALL_OF_##member,
#include "cuda/calls.def"
    CALL_COUNT
};

static const enum need needs[CALL_COUNT] = {
    [CALL_OF_init] = NEED_NOTHING,
    [CALL_OF_get_error_name] = NEED_NOTHING,
    [CALL_OF_driver_get_version] = NEED_NOTHING,
    [CALL_OF_device_get_count] = NEED_DRIVER,
    [CALL_OF_device_get] = NEED_DRIVER,
    [CALL_OF_device_get_name] = NEED_DRIVER,
    [CALL_OF_device_get_uuid] = NEED_DRIVER,
    [CALL_OF_device_total_mem] = NEED_DRIVER,
    [CALL_OF_device_get_attribute] = NEED_DRIVER,
    [CALL_OF_primary_ctx_retain] = NEED_DRIVER,
    [CALL_OF_primary_ctx_release] = NEED_DRIVER,
    [CALL_OF_ctx_set_current] = NEED_DRIVER,
    [CALL_OF_device_can_access_peer] = NEED_DRIVER,
    [CALL_OF_mem_free] = NEED_CONTEXT,
    [CALL_OF_mem_free_host] = NEED_CONTEXT,
    [CALL_OF_array_destroy] = NEED_CONTEXT,
    [CALL_OF_texture_destroy] = NEED_CONTEXT,
    [CALL_OF_module_unload] = NEED_CONTEXT,
    [CALL_OF_stream_destroy] = NEED_CONTEXT,
    [CALL_OF_event_destroy] = NEED_CONTEXT,
};

static cu_result check_need(enum need need)
{
    if (need <= NEED_DRIVER && !driver.initialised)
        return CU_ERROR_NOT_INITIALIZED;
    if (need <= NEED_CONTEXT && !(current && driver.retain_counts[host_current()] > 0))
        return HOST_ERROR_INVALID_CONTEXT;
    return need == NEED_READY ? host_sticky() : CU_SUCCESS;
}

cu_result host_init(unsigned flags)
{
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    const char *shared = getenv("ASSAY_HOST_SHARED");
    shared_set_refilled(shared && strcmp(shared, "garbage") == 0);
    engine_set_dead_thread(pretends_fault("lane") ? ENGINE_WARP_THREADS + 17 : 0);
    driver.initialised = true;
    return CU_SUCCESS;
}

cu_result host_primary_ctx_retain(cu_context *ret, cu_device device)
{
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    if (host_sticky() != CU_SUCCESS)
        return host_sticky();
    driver.retain_counts[device]++;
    *ret = (cu_context)(void *)&contexts[device];
    return CU_SUCCESS;
}

/* The last release frees all that the context held. */
cu_result host_primary_ctx_release(cu_device device)
{
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    if (driver.retain_counts[device] == 0)
        return HOST_ERROR_INVALID_CONTEXT;
    if (--driver.retain_counts[device] > 0)
        return CU_SUCCESS;
    for (int other = 0; other < DEVICES_MAX; other++)
        driver.reached[other] &= ~(1u << device);
    driver.reached[device] = 0;
    host_object_drop_all(device);
    host_module_drop_all(device);
    memory_drop_all(MEMORY_DEVICE, device);
    memory_drop_all(MEMORY_HOST, device);
    int left = 0;
    for (int other = 0; other < DEVICES_MAX; other++)
        left += driver.retain_counts[other];
    if (left == 0)
        shared_release();
    return CU_SUCCESS;
}

/* The device of a context that is open, or -1. */
static int device_of(cu_context context)
{
    for (int device = 0; device < DEVICES_MAX; device++)
        if ((void *)context == (void *)&contexts[device] && driver.retain_counts[device] > 0)
            return device;
    return -1;
}

cu_result host_ctx_set_current(cu_context context)
{
    const int device = device_of(context);
    if (context && device < 0)
        return HOST_ERROR_INVALID_CONTEXT;
    current = context ? &contexts[device] : NULL;
    return CU_SUCCESS;
}

cu_result host_device_can_access_peer(int *ret, cu_device device, cu_device peer)
{
    if (!is_device(device) || !is_device(peer))
        return CU_ERROR_INVALID_DEVICE;
    *ret = device != peer && !pretends_fault("peer_no_access");
    return CU_SUCCESS;
}

cu_result host_ctx_enable_peer_access(cu_context context, unsigned flags)
{
    const int peer = device_of(context);
    int can = 0;
    if (peer < 0)
        return HOST_ERROR_INVALID_CONTEXT;
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    host_device_can_access_peer(&can, host_current(), peer);
    if (!can)
        return CU_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (host_peer_access() >> peer & 1)
        return CU_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    driver.reached[host_current()] |= 1u << peer;
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
    {CU_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    {CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {HOST_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
    {CU_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
    {CU_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY"},
    {CU_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {CU_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {CU_ERROR_PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
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

/* The table's functions, each after what it needs is up. */
#define CALL(member, name, parameters, arguments)                                                  \
    static cu_result checked_##member parameters                                                   \
    {                                                                                              \
        const cu_result result = check_need(needs[CALL_OF_##member]);                              \
        return result != CU_SUCCESS ? result : host_##member arguments;                            \
    }
#include "cuda/calls.def"

void driver_open_host(struct cuda_driver *ret)
{
    *ret = (struct cuda_driver){
        .name = "host",
#define CALL(member, name, parameters, arguments) .member = checked_##member,
#include "cuda/calls.def"
        .set_schedule_seed = engine_set_seed,
        .set_shared_refilled = shared_set_refilled,
        .set_fault_note = fault_set_note,
        .watch_reads = watch_set,
    };
}

/* The host device: its attributes. */

/* The limits of a launch are as on any GPU of the last ten years. Clocks, bus and cache are 0: the
 * emulation has no meaningful speed. So is the compute capability, which no GPU has. */
static const struct {
    int attribute, value;
} attributes[] = {
    {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, ENGINE_THREADS_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_X, HOST_GRID_X_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Y, HOST_GRID_YZ_MAX},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Z, HOST_GRID_YZ_MAX},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, HOST_SHARED_BYTES},
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
    *ret = driver_host_devices();
    return CU_SUCCESS;
}

cu_result host_device_get(cu_device *ret, int ordinal)
{
    if (!is_device(ordinal))
        return CU_ERROR_INVALID_DEVICE;
    *ret = ordinal;
    return CU_SUCCESS;
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
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    if (!ret || bytes <= 0)
        return CU_ERROR_INVALID_VALUE;
    if (pretends()) {
        snprintf(ret, (size_t)bytes, "Pretended %s", pretends());
        return CU_SUCCESS;
    }
    char processor[128];
    struct utsname system;
    find_processor_name(processor, sizeof processor);
    const char *machine = uname(&system) == 0 ? system.machine : "unknown";
    snprintf(ret, (size_t)bytes, "host (%s%s)", machine, processor);
    return CU_SUCCESS;
}

cu_result host_device_get_uuid(unsigned char ret[16], cu_device device)
{
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    memcpy(ret, "assay host\0\0\0\0\0", 16);
    ret[15] = (unsigned char)device;
    return CU_SUCCESS;
}

cu_result host_device_total_mem(size_t *ret, cu_device device)
{
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    *ret = pretends() ? (size_t)3 << 40
                      : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return CU_SUCCESS;
}

cu_result host_device_get_attribute(int *ret, int attribute, cu_device device)
{
    if (!is_device(device))
        return CU_ERROR_INVALID_DEVICE;
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (attributes[i].attribute == attribute) {
            *ret = attributes[i].value;
            return pretend(attribute, ret);
        }
    }
    return CU_ERROR_INVALID_VALUE;
}

/* Memory: allocation and copies. */

cu_result host_mem_alloc(cu_address *ret, size_t bytes)
{
    if (bytes == 0)
        return CU_ERROR_INVALID_VALUE;
    void *memory = memory_make(MEMORY_DEVICE, host_current(), bytes);
    if (!memory)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = (cu_address)(uintptr_t)memory;
    return CU_SUCCESS;
}

cu_result host_mem_free(cu_address address)
{
    return address == 0 || memory_drop(MEMORY_DEVICE, (void *)(uintptr_t)address)
               ? CU_SUCCESS
               : CU_ERROR_INVALID_VALUE;
}

cu_result host_mem_get_info(size_t *ret_free, size_t *ret_total)
{
    *ret_free = memory_available();
    *ret_total = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return CU_SUCCESS;
}

/* Every flag's promise (portable, mapped, write-combined) holds of itself where device and host
 * are one. */
cu_result host_mem_host_alloc(void **ret, size_t bytes, unsigned flags)
{
    if (bytes == 0 || flags > 7)
        return CU_ERROR_INVALID_VALUE;
    void *memory = memory_make(MEMORY_HOST, host_current(), bytes);
    if (!memory)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = memory;
    return CU_SUCCESS;
}

cu_result host_mem_free_host(void *memory)
{
    return memory_drop(MEMORY_HOST, memory) ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result host_mem_host_get_address(cu_address *ret, void *memory, unsigned flags)
{
    if (flags != 0 || memory_device(MEMORY_HOST, (cu_address)(uintptr_t)memory, 1) < 0)
        return CU_ERROR_INVALID_VALUE;
    *ret = (cu_address)(uintptr_t)memory;
    return CU_SUCCESS;
}

/* A copy of bytes that the call may touch, or not. */
static cu_result copy_bytes(void *target, const void *source, size_t bytes, bool may,
                            cu_stream stream)
{
    if (!host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (bytes > 0 && !may)
        return CU_ERROR_INVALID_VALUE;
    if (bytes > 0)
        memmove(target, source, bytes);
    return CU_SUCCESS;
}

cu_result host_memcpy_htod_async(cu_address target, const void *source, size_t bytes,
                                 cu_stream stream)
{
    return copy_bytes((void *)(uintptr_t)target, source, bytes, source && host_owns(target, bytes),
                      stream);
}

cu_result host_memcpy_dtoh_async(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return copy_bytes(target, (const void *)(uintptr_t)source, bytes,
                      target && host_owns(source, bytes), stream);
}

cu_result host_memcpy_dtod_async(cu_address target, cu_address source, size_t bytes,
                                 cu_stream stream)
{
    return copy_bytes((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes,
                      is_reached(target, bytes) && is_reached(source, bytes), stream);
}

/* Copies as a device with the mistake does, or returns false. */
static bool copy_wrongly(unsigned char *target, const unsigned char *source, size_t bytes, int from,
                         int to)
{
    enum { FAR_BYTES = 16 << 10, STORE_BYTES = 16 };
    if (pretends_peer_fault("peer_half", from, to)) {
        for (size_t at = 0; at < bytes; at++)
            if (at % STORE_BYTES < STORE_BYTES / 2)
                target[at] = source[at];
        return true;
    }
    if (pretends_peer_fault("peer_displaced", from, to)) {
        const cu_address far = (cu_address)(uintptr_t)(target + FAR_BYTES);
        if (memory_device(MEMORY_DEVICE, far, bytes) == to)
            memcpy(target + FAR_BYTES, source, bytes);
        return true;
    }
    return pretends_peer_fault("peer_lost", from, to);
}

/* Access is of no matter: without it the copy goes another way. */
cu_result host_memcpy_peer_async(cu_address target, cu_context target_context, cu_address source,
                                 cu_context source_context, size_t bytes, cu_stream stream)
{
    const int to = device_of(target_context), from = device_of(source_context);
    const bool may = to >= 0 && from >= 0 && memory_device(MEMORY_DEVICE, target, bytes) == to &&
                     memory_device(MEMORY_DEVICE, source, bytes) == from;
    if (to < 0 || from < 0)
        return HOST_ERROR_INVALID_CONTEXT;
    const bool is_wrong = may && host_is_stream(stream) &&
                          copy_wrongly((unsigned char *)(uintptr_t)target,
                                       (const unsigned char *)(uintptr_t)source, bytes, from, to);
    return copy_bytes((void *)(uintptr_t)target, (const void *)(uintptr_t)source,
                      is_wrong ? 0 : bytes, may, stream);
}

cu_result host_memset_d8_async(cu_address target, unsigned char value, size_t bytes,
                               cu_stream stream)
{
    if (!host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (bytes == 0)
        return CU_SUCCESS;
    if (!host_owns(target, bytes))
        return CU_ERROR_INVALID_VALUE;
    memset((void *)(uintptr_t)target, value, bytes);
    return CU_SUCCESS;
}
