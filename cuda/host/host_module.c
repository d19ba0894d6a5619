/* Modules, functions, arrays and launches (host_state.h): units are found among the entries and
 * symbols that emulation.h leaves in the program. Clauses: driver.host.modules,
 * driver.host.symbols. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/host/emulation_interface.h"
#include "cuda/host/engine.h"
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"
#include "cuda/pretended.h"

struct host_module;

struct host_function {
    const void *handle;
    const struct emulation_entry *entry;
    const struct host_module *module;
    size_t opted_bytes; /* of dynamic shared memory; 0: it has not opted in */
};

/* The linker's names for ranges of pointers; weak, as a program may hold no kernel, no array, and
 * no watched forms. */
#define RANGE(type, name)                                                                          \
    extern const struct type *const __start_##name[] __attribute__((weak, visibility("hidden")));  \
    extern const struct type *const __stop_##name[] __attribute__((weak, visibility("hidden")));
RANGE(emulation_entry, assay_entries)
RANGE(emulation_entry, assay_watched_entries)
RANGE(emulation_symbol, assay_symbols)
RANGE(emulation_symbol, assay_watched_symbols)
#define EACH(type, name)                                                                           \
    const struct type *const *each = __start_##name;                                               \
    each &&each < __stop_##name;                                                                   \
    each++

/* An array of a module: its memory, and the two forms' pointers to it. */
struct array {
    const struct emulation_symbol *symbol;
    void **pointer, **watched_pointer; /* the second NULL without watched forms */
    void *memory;
};

enum { ARRAYS_MAX = 8 };

struct host_module {
    struct host_module *next;
    void *handle;
    int device;
    const char *unit;
    int array_count;
    struct array arrays[ARRAYS_MAX];
    size_t function_count;
    struct host_function functions[];
};

static struct host_module *modules;

/* The pointer to the module; the list ends with NULL. */
static struct host_module **link_to(const void *handle)
{
    struct host_module **link = &modules;
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    return link;
}

static void **find_watched(const struct emulation_symbol *symbol)
{
    for (EACH(emulation_symbol, assay_watched_symbols))
        if (strcmp((*each)->unit, symbol->unit) == 0 && strcmp((*each)->name, symbol->name) == 0)
            return (*each)->pointer;
    return NULL;
}

static void free_module(struct host_module *module)
{
    for (int index = 0; index < module->array_count; index++)
        memory_drop(MEMORY_DEVICE, module->arrays[index].memory);
    free(module);
}

/* Memory for each array of the unit, all zero. */
static bool make_arrays(struct host_module *module)
{
    for (EACH(emulation_symbol, assay_symbols)) {
        if (strcmp((*each)->unit, module->unit) != 0)
            continue;
        void *memory = module->array_count < ARRAYS_MAX
                           ? memory_make(MEMORY_DEVICE, module->device, (*each)->bytes)
                           : NULL;
        if (!memory)
            return false;
        memset(memory, 0, (*each)->bytes);
        module->arrays[module->array_count++] =
            (struct array){*each, (*each)->pointer, find_watched(*each), memory};
    }
    return true;
}

cu_result host_module_load_data(cu_module *ret, const void *image, unsigned option_count,
                                int *options, void **values)
{
    (void)option_count, (void)options, (void)values; /* of the driver's compiler */
    size_t count = 0, made = 0;
    if (!image)
        return CU_ERROR_INVALID_VALUE;
    const char *unit = image, *kept = NULL; /* the image may go, the entries' own name stays */
    for (EACH(emulation_entry, assay_entries))
        if (strcmp((*each)->unit, unit) == 0) {
            kept = (*each)->unit;
            count++;
        }
    if (kept == NULL) {
        fault_note("no module %.64s in this program: cuda/meson.build lists them", unit);
        return CU_ERROR_NOT_FOUND;
    }
    struct host_module *module = calloc(1, sizeof *module + count * sizeof(struct host_function));
    if (!module)
        return CU_ERROR_OUT_OF_MEMORY;
    module->unit = kept;
    module->device = host_current();
    for (EACH(emulation_entry, assay_entries))
        if (strcmp((*each)->unit, unit) == 0)
            module->functions[made++] = (struct host_function){host_handle_new(), *each, module, 0};
    module->function_count = count;
    if (!make_arrays(module)) {
        free_module(module);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    module->handle = host_handle_new();
    module->next = modules;
    modules = module;
    *ret = module->handle;
    return CU_SUCCESS;
}

cu_result host_module_unload(cu_module module)
{
    struct host_module **link = link_to(module), *it = *link;
    if (!it)
        return HOST_ERROR_INVALID_HANDLE;
    *link = it->next;
    free_module(it);
    return CU_SUCCESS;
}

void host_module_drop_all(int device)
{
    for (struct host_module **link = &modules; *link;) {
        struct host_module *it = *link;
        if (it->device != device) {
            link = &it->next;
            continue;
        }
        *link = it->next;
        free_module(it);
    }
}

cu_result host_module_get_function(cu_function *ret, cu_module handle, const char *name)
{
    struct host_module *module = *link_to(handle);
    if (!module)
        return HOST_ERROR_INVALID_HANDLE;
    if (!name)
        return CU_ERROR_INVALID_VALUE;
    for (size_t index = 0; index < module->function_count; index++)
        if (strcmp(module->functions[index].entry->name, name) == 0) {
            *ret = (cu_function)(uintptr_t)module->functions[index].handle;
            return CU_SUCCESS;
        }
    fault_note("no kernel %.64s in module %s", name, module->unit);
    return CU_ERROR_NOT_FOUND;
}

cu_result host_module_get_global(cu_address *ret, size_t *ret_bytes, cu_module handle,
                                 const char *name)
{
    const struct host_module *module = *link_to(handle);
    if (!module)
        return HOST_ERROR_INVALID_HANDLE;
    if (!name)
        return CU_ERROR_INVALID_VALUE;
    for (int index = 0; index < module->array_count; index++) {
        const struct array *array = &module->arrays[index];
        if (strcmp(array->symbol->name, name) != 0)
            continue;
        *ret = (cu_address)(uintptr_t)array->memory;
        *ret_bytes = array->symbol->bytes;
        return CU_SUCCESS;
    }
    fault_note("no array %.64s in module %s", name, module->unit);
    return CU_ERROR_NOT_FOUND;
}

/* The function of a loaded module that has this handle, else NULL. */
static struct host_function *host_function_find(const void *handle)
{
    for (struct host_module *module = modules; module; module = module->next)
        for (size_t index = 0; index < module->function_count; index++)
            if (module->functions[index].handle == handle)
                return &module->functions[index];
    return NULL;
}

/* Static shared memory is known a unit. Where several kernels share one, none's own part is known,
 * and it counts as 0. */
static size_t host_function_shared_bytes(const struct host_function *function)
{
    const struct emulation_entry *entry = function->entry;
    size_t sharing_count = 0;
    if (!entry->shared_start)
        return 0;
    for (EACH(emulation_entry, assay_entries))
        sharing_count += (*each)->shared_start == entry->shared_start;
    return sharing_count > 1 ? 0 : (size_t)(entry->shared_stop - entry->shared_start);
}

/* The form of the function's kernel that runs, the watched one where that is asked for and there is
 * one; its unit's pointers are set to the module's arrays. */
static const struct emulation_entry *host_function_enter(const struct host_function *function,
                                                         bool is_watched)
{
    const struct emulation_entry *entry = function->entry;
    for (int index = 0; index < function->module->array_count; index++) {
        const struct array *array = &function->module->arrays[index];
        *array->pointer = array->memory;
        if (array->watched_pointer)
            *array->watched_pointer = array->memory;
    }
    if (is_watched)
        for (EACH(emulation_entry, assay_watched_entries))
            if (strcmp((*each)->name, entry->name) == 0 && strcmp((*each)->unit, entry->unit) == 0)
                return *each;
    return entry;
}

/* Launches, and what the driver says of functions. */

/* Registers, local and constant memory have no meaning here and are 0. */
cu_result host_func_get_attribute(int *ret, int attribute, cu_function function)
{
    enum { MAX_THREADS = 0, SHARED_BYTES = 1, BINARY_VERSION = 6 };
    const struct host_function *found = host_function_find(function);
    if (!found)
        return HOST_ERROR_INVALID_HANDLE;
    if (attribute < MAX_THREADS || attribute > BINARY_VERSION)
        return CU_ERROR_INVALID_VALUE;
    *ret = attribute == MAX_THREADS    ? ENGINE_THREADS_MAX
           : attribute == SHARED_BYTES ? (int)host_function_shared_bytes(found)
                                       : 0;
    return CU_SUCCESS;
}

/* The most dynamic shared memory that a block of it may have. */
static size_t dynamic_bytes_most(const struct host_function *function)
{
    return function->opted_bytes ? function->opted_bytes
                                 : HOST_SHARED_BYTES - host_function_shared_bytes(function);
}

cu_result host_func_set_attribute(cu_function function, int attribute, int value)
{
    struct host_function *found = host_function_find(function);
    if (!found)
        return HOST_ERROR_INVALID_HANDLE;
    const size_t fixed_bytes = host_function_shared_bytes(found);
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
        (size_t)value > HOST_SHARED_BYTES_MAX - fixed_bytes)
        return CU_ERROR_INVALID_VALUE;
    found->opted_bytes = (size_t)value;
    return CU_SUCCESS;
}

/* Blocks run one after another, so an SM holds one that fits, and of others none. */
cu_result host_occupancy_blocks(int *ret, cu_function function, int block_threads,
                                size_t dynamic_bytes)
{
    const struct host_function *found = host_function_find(function);
    if (!found)
        return HOST_ERROR_INVALID_HANDLE;
    if (block_threads <= 0)
        return CU_ERROR_INVALID_VALUE;
    *ret = block_threads <= ENGINE_THREADS_MAX && dynamic_bytes <= dynamic_bytes_most(found);
    return CU_SUCCESS;
}

static bool within(const struct emulation_index *size, unsigned x_max, unsigned y_max,
                   unsigned z_max)
{
    return size->x >= 1 && size->x <= x_max && size->y >= 1 && size->y <= y_max && size->z >= 1 &&
           size->z <= z_max;
}

static cu_result sticky;

cu_result host_sticky(void)
{
    return sticky;
}

cu_result host_launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y,
                             unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, cu_stream stream, void **parameters,
                             void **extra)
{
    const struct host_function *found = host_function_find(function);
    if (!found || !host_is_stream(stream) || found->module->device != host_current())
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
        shared_bytes > dynamic_bytes_most(found))
        return CU_ERROR_INVALID_VALUE;
    if (shared_bytes > HOST_SHARED_BYTES_MAX / 3 && pretends_fault("shared"))
        return CU_ERROR_LAUNCH_OUT_OF_RESOURCES;
    unsigned char *sms;
    memcpy(&sms, parameters[1], sizeof sms);
    if (sms)
        sms[0] = 1; /* the one there is */
    memory_close(host_peer_access());
    const enum engine_end end = engine_run(&launch);
    memory_open();
    if (end == ENGINE_DONE)
        return CU_SUCCESS;
    /* A host without memory is not the kernel's fault, in later calls either. */
    sticky = end == ENGINE_NO_MEMORY ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_LAUNCH_FAILED;
    return sticky;
}
