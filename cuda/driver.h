/* The CUDA driver API as a table of functions: filled from libcuda.so.1 (driver.c), or with an
 * emulation that runs the same kernel sources on the CPU (host/). Types are the ABI's own, so no
 * toolkit header is needed. Every function returns a CUresult, 0 for success. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/texture_types.h"

typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_address;
typedef struct cu_context_handle *cu_context;
typedef struct cu_module_handle *cu_module;
typedef struct cu_function_handle *cu_function;
typedef struct cu_stream_handle *cu_stream;
typedef struct cu_event_handle *cu_event;
typedef struct cu_array_handle *cu_array;
typedef unsigned long long cu_texture;

enum {
    CU_SUCCESS = 0,
    CU_ERROR_INVALID_VALUE = 1,
    CU_ERROR_OUT_OF_MEMORY = 2,
    CU_ERROR_NOT_INITIALIZED = 3,
    CU_ERROR_DEVICE_UNAVAILABLE = 46, /* a device that fell off the bus */
    CU_ERROR_NO_DEVICE = 100,
    CU_ERROR_INVALID_DEVICE = 101,
    CU_ERROR_DEVICE_NOT_LICENSED = 102,
    CU_ERROR_INVALID_IMAGE = 200,
    CU_ERROR_NO_BINARY_FOR_GPU = 209,
    CU_ERROR_UNSUPPORTED_LIMIT = 215,
    CU_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CU_ERROR_JIT_COMPILATION_DISABLED = 223,
    CU_ERROR_NOT_FOUND = 500,
    CU_ERROR_NOT_READY = 600,
    CU_ERROR_ILLEGAL_ADDRESS = 700,
    CU_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CU_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
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
    CU_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
    CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
    CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
};

/* CUcomputemode value of a device that takes contexts of any number of processes. */
enum { CU_COMPUTE_MODE_DEFAULT = 0 };

/* CU_MEMHOSTALLOC flags. */
enum { CU_MEM_HOST_MAPPED = 2 };

/* CUjit_option values that assay sets. */
enum { CU_JIT_OPTIMIZATION_LEVEL = 7 };

/* CUfunction_attribute values that assay asks for or sets. */
enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

/* CUlimit, CUstreamAttrID and CUaccessProperty values that assay sets or asks for. */
enum { CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5, CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6 };
enum { CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1 };
enum { CU_ACCESS_NORMAL, CU_ACCESS_STREAMING, CU_ACCESS_PERSISTING };

/* CUstreamAttrValue of that attribute: how launches of a stream use L2 for an area of memory. */
struct cu_window {
    void *base;
    size_t bytes; /* 0: no window */
    float hit_ratio;
    int hit_property, miss_property;
    unsigned char rest[64 - 2 * sizeof(void *) - 3 * sizeof(int)]; /* of the union's 64 bytes */
};

/* A launch may read those of `bytes` bytes from `address` on whose byte in `readable` is 1. */
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

    /* The functions, each with its parameters: calls.def. */
#define CALL(member, name, parameters, arguments) cu_result(*member) parameters;
#include "cuda/calls.def"

    /* Only the emulation has these; NULL in libcuda's table. */

    /* The order in which threads of later launches run is a function of this seed. */
    void (*set_schedule_seed)(uint64_t seed);
    /* True: every block finds fresh garbage in shared memory, and not what earlier ones left. */
    void (*set_shared_refilled)(bool refilled);
    /* Buffer for a line that names the place of a fault (a stray access, a divergent barrier, a
     * trap), also when the process dies of it. */
    void (*set_fault_note)(char *buffer, size_t bytes);
    /* Watches the reads of later launches; NULL ends it. The struct stays the caller's. */
    void (*watch_reads)(struct driver_watch *watch);
};

/* Why a driver's library cannot be used. */
struct driver_refusal {
    bool absent; /* no file of that name is where the loader looks: the one reason for which no
                  * driver is expected. One that is there and cannot be loaded (empty, without a
                  * library that it needs, without a function) is a broken driver. */
    char text[256];
};

/* Fills the table from libcuda.so.1. False, with the reason and *ret untouched, where that cannot
 * be used. The library stays open for the life of the process. */
bool driver_open_libcuda(struct cuda_driver *ret, struct driver_refusal *ret_refusal);

/* driver_open_libcuda with the library's name as a parameter. `library_name` lives as long as
 * *ret. */
bool driver_open_library(const char *library_name, struct cuda_driver *ret,
                         struct driver_refusal *ret_refusal);

/* The table of the emulation (host/). Always there. Its modules: module_load_data takes the unit's
 * name, 0-terminated, in place of an image. */
void driver_open_host(struct cuda_driver *ret);

/* How many devices the emulation has: ASSAY_HOST_DEVICES, else one. */
int driver_host_devices(void);
