/* What the host driver's functions share. */
#ifndef ASSAY_CUDA_HOST_HOST_STATE_H
#define ASSAY_CUDA_HOST_HOST_STATE_H

#include "cuda/driver.h"
#include "cuda/host/emulation_interface.h"
#include "cuda/host/memory.h"

/* Results of the ABI that only a caller's mistake brings about. */
enum {
    HOST_ERROR_INVALID_CONTEXT = 201,
    HOST_ERROR_INVALID_HANDLE = 400,
};

enum {
    HOST_GRID_X_MAX = 0x7fffffff, /* CUDA C++ programming guide, technical specifications */
    HOST_GRID_YZ_MAX = 65535,
    HOST_BLOCK_XY_MAX = 1024,
    HOST_BLOCK_Z_MAX = 64,
    HOST_SHARED_BYTES_MAX = SHARED_BYTES_MAX,
    /* Nothing is kept in a cache; only what was set is known. Small, so that small cases pass it.
     */
    HOST_PERSISTING_BYTES_MAX = 1 << 20,
    HOST_WINDOW_BYTES_MAX = 2048,
};

/* 0 when calls on the device are allowed: initialised, a context current in this thread, and no
 * launch has failed. A failed launch is sticky, as on a GPU: every call but those that tear down
 * returns its error, for the life of the process. */
cu_result host_ready(void);
cu_result host_initialised(void);
/* For calls that tear down: as host_ready, but a failed launch does not count. */
cu_result host_has_context(void);
void host_set_sticky(cu_result error);

/* Ends all streams and events; all textures and arrays. */
void host_handle_drop_all(void);
void host_texture_drop_all(void);

/* A handle that no object of this process has had: malloc gives the memory of what was destroyed
 * again, and an address would make a stale handle valid. */
void *host_handle_new(void);

/* True for a live stream and for the default one, NULL. */
bool host_is_stream(const void *stream);

/* Modules: a module is a unit, the kernels of one file, with memory of its own for each array that
 * the unit has; a function is a kernel of one module. */

struct host_function {
    const void *handle;
    const struct emulation_entry *entry;
    const struct host_module *module;
};

/* The function of a loaded module that has this handle, else NULL. */
const struct host_function *host_function_find(const void *handle);

/* The form of the function's kernel that runs, the watched one where that is asked for and there is
 * one; its unit's pointers are set to the module's arrays. */
const struct emulation_entry *host_function_enter(const struct host_function *function,
                                                  bool is_watched);

/* Static shared memory is known a unit. Where several kernels share one, none's own part is known,
 * and it counts as 0. */
size_t host_function_shared_bytes(const struct host_function *function);

void host_module_drop_all(void);

/* The table's functions: host_driver.c, host_device.c, host_memory.c, host_launch.c and
 * host_stream.c. */
#define CALL(member, name, parameters, arguments) cu_result host_##member parameters;
#include "cuda/calls.def"

/* What leads to the one of a list that has the handle; the list ends with NULL. */
#define LINK_TO(type, list, wanted)                                                                \
    struct type **link = &(list);                                                                  \
    while (*link && (*link)->handle != (const void *)(wanted))                                     \
        link = &(*link)->next;

#endif
