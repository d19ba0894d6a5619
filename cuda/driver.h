/* The CUDA driver API as a table of functions: filled from libcuda.so.1 (driver.c), or with an
 * emulation that runs the same kernel sources on the CPU (host/). Types are the ABI's own, so no
 * toolkit header is needed. Every function returns a CUresult, 0 for success. */
#ifndef ASSAY_CUDA_DRIVER_H
#define ASSAY_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_address;
typedef struct cu_context_handle *cu_context;
typedef struct cu_module_handle *cu_module;
typedef struct cu_function_handle *cu_function;
typedef struct cu_stream_handle *cu_stream;
typedef struct cu_event_handle *cu_event;

enum {
    CU_SUCCESS = 0,
    CU_ERROR_INVALID_VALUE = 1,
    CU_ERROR_OUT_OF_MEMORY = 2,
    CU_ERROR_NOT_INITIALIZED = 3,
    CU_ERROR_DEVICE_UNAVAILABLE = 46, /* a device that fell off the bus */
    CU_ERROR_NO_DEVICE = 100,
    CU_ERROR_INVALID_DEVICE = 101,
    CU_ERROR_DEVICE_NOT_LICENSED = 102,
    CU_ERROR_NO_BINARY_FOR_GPU = 209,
    CU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CU_ERROR_JIT_COMPILATION_DISABLED = 223,
    CU_ERROR_NOT_FOUND = 500,
    CU_ERROR_NOT_READY = 600,
    CU_ERROR_ILLEGAL_ADDRESS = 700,
    CU_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CU_ERROR_LAUNCH_FAILED = 719,
    CU_ERROR_UNKNOWN = 999,
};

/* CUdevice_attribute values that assay asks for. */
enum {
    CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_ATTRIBUTE_WARP_SIZE = 10,
    CU_ATTRIBUTE_CLOCK_RATE = 13,
    CU_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

/* CUfunction_attribute values that assay asks for or sets. */
enum {
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

/* Of `bytes` bytes from `address` on a launch may read those whose byte in `readable` is 1. */
struct driver_watch {
    cu_address address;
    size_t bytes;
    const unsigned char *readable;
    bool strayed;          /* it read another one, the first: */
    size_t stray_byte;     /* from `address` on */
    char stray_thread[80]; /* "block (0,0,0), thread (3,0,0)" */
};

struct cuda_driver {
    const char *name; /* "libcuda.so.1" or "host" */

    cu_result (*init)(unsigned flags);
    cu_result (*driver_get_version)(int *ret);
    cu_result (*device_get_count)(int *ret);
    cu_result (*device_get)(cu_device *ret, int ordinal);
    cu_result (*device_get_name)(char *ret, int bytes, cu_device device);
    cu_result (*device_get_uuid)(unsigned char ret[16], cu_device device);
    cu_result (*device_total_mem)(size_t *ret, cu_device device);
    cu_result (*device_get_attribute)(int *ret, int attribute, cu_device device);
    cu_result (*primary_ctx_retain)(cu_context *ret, cu_device device);
    cu_result (*primary_ctx_release)(cu_device device);
    cu_result (*ctx_set_current)(cu_context context);
    cu_result (*ctx_synchronize)(void);

    cu_result (*mem_alloc)(cu_address *ret, size_t bytes);
    cu_result (*mem_free)(cu_address address);
    cu_result (*mem_get_info)(size_t *ret_free, size_t *ret_total);
    cu_result (*mem_host_alloc)(void **ret, size_t bytes, unsigned flags);
    cu_result (*mem_free_host)(void *memory);
    cu_result (*memcpy_htod_async)(cu_address target, const void *source, size_t bytes, cu_stream);
    cu_result (*memcpy_dtoh_async)(void *target, cu_address source, size_t bytes, cu_stream);
    cu_result (*memcpy_dtod_async)(cu_address target, cu_address source, size_t bytes, cu_stream);
    cu_result (*memset_d8_async)(cu_address target, unsigned char value, size_t bytes, cu_stream);

    cu_result (*module_load_data)(cu_module *ret, const void *image);
    cu_result (*module_unload)(cu_module module);
    cu_result (*module_get_function)(cu_function *ret, cu_module module, const char *name);
    cu_result (*func_get_attribute)(int *ret, int attribute, cu_function function);
    cu_result (*func_set_attribute)(cu_function function, int attribute, int value);
    cu_result (*launch_kernel)(cu_function function, unsigned grid_x, unsigned grid_y,
                               unsigned grid_z, unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared_bytes, cu_stream stream,
                               void **parameters, void **extra);

    cu_result (*stream_create)(cu_stream *ret, unsigned flags);
    cu_result (*stream_destroy)(cu_stream stream);
    cu_result (*stream_synchronize)(cu_stream stream);
    /* Calls function(context) on the host when the stream has come there; it may call no driver
     * function. */
    cu_result (*launch_host_function)(cu_stream stream, void (*function)(void *), void *context);
    cu_result (*event_create)(cu_event *ret, unsigned flags);
    cu_result (*event_destroy)(cu_event event);
    cu_result (*event_record)(cu_event event, cu_stream stream);
    cu_result (*event_synchronize)(cu_event event);
    cu_result (*event_elapsed_ms)(float *ret, cu_event start, cu_event end);

    cu_result (*get_error_name)(cu_result error, const char **ret);

    /* What only the emulation has; NULL in libcuda's table. */

    /* The order in which threads of later launches run is a function of this seed. */
    void (*set_schedule_seed)(uint64_t seed);
    /* True: every block finds fresh garbage in shared memory, and not what earlier ones left. */
    void (*set_shared_refilled)(bool refilled);
    /* Where to leave a line that tells the place of a fault (a stray access, a divergent barrier,
     * a trap), also when the process dies of it. */
    void (*set_fault_note)(char *buffer, size_t bytes);
    /* Watches the reads of later launches; NULL ends it. The struct stays the caller's. */
    void (*watch_reads)(struct driver_watch *watch);
};

/* Fills the table from libcuda.so.1. False, with the reason in `why`, where there is none. The
 * library stays open for the life of the process. */
bool driver_open_libcuda(struct cuda_driver *ret, char *why, size_t why_bytes);

/* True when the system has no libcuda.so.1 at all: the one reason for which no driver is expected.
 */
bool driver_libcuda_is_absent(void);

/* The table of the emulation (host/). Always there. Its modules: module_load_data takes the unit's
 * name, 0-terminated, in place of an image. */
void driver_open_host(struct cuda_driver *ret);

#endif
