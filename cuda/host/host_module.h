/* The host driver's modules. A module is a unit, the kernels of one file, with memory of its own
 * for each array that the unit has; a function is a kernel of one module. */
#ifndef ASSAY_CUDA_HOST_HOST_MODULE_H
#define ASSAY_CUDA_HOST_HOST_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/host/emulation_interface.h"

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

#endif
