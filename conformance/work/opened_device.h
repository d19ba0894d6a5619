/* One device, opened: driver table, limits, context, stream, and the functions loaded so far. A set
 * is its first GPU, whose context is current, with each of the others opened in the same way. */
#pragma once

#include <pthread.h>

#include "conformance/base/reason.h"
#include "conformance/model/catalog.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "cuda/driver.h"

enum { DEVICE_MODULE_LISTS = 1024 }; /* several hundred modules are open at once */

struct device {
    struct cuda_driver driver;
    struct device_info info;
    cu_context context;
    cu_stream stream;
    _Atomic cu_address misaligned;  /* 0: none */
    _Atomic bool harness_is_proven; /* of harness_open */
    pthread_mutex_t modules_lock;   /* a worker's threads share the device, and this list */
    struct device_module *modules[DEVICE_MODULE_LISTS]; /* cached: lists by hash */
    pthread_mutex_t aside_lock;                         /* of the two that follow */
    bool has_set_aside;                                 /* of L2, for windows (bindings.h) */
    size_t aside_bytes_before;                          /* what was set aside then */
    struct device *peers[DEVICE_SET_MAX - 1];           /* the others of a set */
    int peer_count;
};

/* Opens the driver of that kind of device and counts its devices. False with the reason. */
bool device_driver(int kind, struct cuda_driver *ret, int *ret_count, struct reason *ret_reason);

/* The driver's properties of a device without a context. */
struct device_identity device_identify(const struct cuda_driver *driver, int ordinal);

/* Opens a device of that driver, or each of a set: context, stream, limits, and access to the
 * others' memory if there is any (info.limits.has_peer_access). False with the reason; nothing is
 * left open then. */
bool device_open_with(struct device *ret, const struct cuda_driver *driver, struct device_set id,
                      struct reason *ret_reason);

void device_close(struct device *device);

/* Makes the device's context the calling thread's. Whoever enters a peer enters the first device
 * again before it returns: all else relies on that. The driver's error. */
cu_result device_make_current(const struct device *device);

/* The error's name as the driver has it: "CUDA_ERROR_OUT_OF_MEMORY". Never NULL. */
const char *device_error(const struct device *device, cu_result error);

/* True if the error says that this device, or this driver on it, was never made to do it. */
bool device_is_unable(cu_result error);

/* The verdict on a driver call that failed, with what was being done: SKIP if memory lacks, as lazy
 * loading and other tenants need some; else CRASH if what is under test was launched or waited for,
 * ERROR if the call was the harness's own. */
void device_call_finding(struct finding *ret, const struct device *device, cu_result error,
                         bool is_under_test, const char *doing);

/* The verdict on a unit that does not load: CRASH, a fault of the stack; SKIP if the unit was never
 * made for this device, or memory lacks. */
void device_load_finding(struct finding *ret, cu_result error, const char *why);

/* Memory, as mem_alloc gives it. An address that is no multiple of that many bytes is noted: from
 * then on nothing that runs on the device passes. Clause: memory.alignment.allocations. */
enum { DEVICE_ALIGNMENT_BYTES = 256 };
cu_result device_take(struct device *device, size_t bytes, cu_address *ret);

/* True if an address was noted, of any of a set: then *ret is the FAIL of what would pass. */
bool device_misaligned(const struct device *device, struct finding *ret);

/* The function `entry` of the kernel's unit through one path, loaded when first asked for. Any
 * thread may ask. A kernel with bindings has a module for each holder, since what is in its
 * arrays belongs to the launches of one stream: `holder` is any address that is the caller's own.
 * Returns CU_SUCCESS, or the driver's error with what was being done as the reason. */
cu_result device_function(struct device *device, const struct kernel *kernel, int path,
                          const void *holder, const char *entry, cu_function *ret,
                          struct reason *ret_reason);

/* Unloads that module of the holder's, on which nothing may be running any more: who asks for a
 * function next loads it again. */
cu_result device_unload(struct device *device, const struct kernel *kernel, int path,
                        const void *holder);

/* Loads code that belongs to nobody but the caller, as the path has it loaded. The driver's
 * error. */
cu_result device_load(struct device *device, int path, const void *code, cu_module *ret);

/* An array of that module. */
struct device_symbol {
    cu_address address;
    size_t bytes;
};
cu_result device_symbol(struct device *device, const struct kernel *kernel, int path,
                        const void *holder, const char *name, struct device_symbol *ret,
                        struct reason *ret_reason);

/* The driver's part that runs in this process: which libraries the loader found. The kernel module
 * says its own version elsewhere (device.h), and the two can differ. */

/* The files that are loaded now. libcuda loads its JIT compiler when it first needs it. */
void libraries_find(struct library_file ret[LIBRARY_COUNT]);

/* Opens the device and gives the driver PTX to compile; whatever fails, a run reports it. */
void libraries_load_jit(const struct cuda_driver *driver, int ordinal);
