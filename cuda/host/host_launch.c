/* The host driver's modules, functions and launches. A module is a unit: the kernels of one file,
 * found among the entries that emulation.h leaves in the program. */
#include "cuda/host/engine.h"
#include "cuda/host/fault_note.h"
#include "cuda/host/host_state.h"
#include "cuda/host/watch.h"

#include <string.h>

/* The linker's names for the range of pointers; weak, as a program may hold no kernel. */
extern const struct emulation_entry *const __start_assay_entries[]
    __attribute__((weak, visibility("hidden")));
extern const struct emulation_entry *const __stop_assay_entries[]
    __attribute__((weak, visibility("hidden")));

/* The same of the watched forms, where the build has them. */
extern const struct emulation_entry *const __start_assay_watched_entries[]
    __attribute__((weak, visibility("hidden")));
extern const struct emulation_entry *const __stop_assay_watched_entries[]
    __attribute__((weak, visibility("hidden")));

static size_t entry_count(void)
{
    return __start_assay_entries ? (size_t)(__stop_assay_entries - __start_assay_entries) : 0;
}

/* The first entry of the unit, or the one of that name in it; NULL where there is none. */
static const struct emulation_entry *find_entry(const char *unit, const char *name)
{
    for (size_t i = 0; i < entry_count(); i++) {
        const struct emulation_entry *entry = __start_assay_entries[i];
        if (strcmp(entry->unit, unit) == 0 && (!name || strcmp(entry->name, name) == 0))
            return entry;
    }
    return NULL;
}

/* A module's handle is its unit's first entry, a function's handle its own: both are const. */
static const struct emulation_entry *check_handle(const void *handle)
{
    for (size_t i = 0; i < entry_count(); i++) {
        if (__start_assay_entries[i] == handle)
            return handle;
    }
    return NULL;
}

cu_result host_module_load_data(cu_module *ret, const void *image, unsigned option_count,
                                int *options, void **values)
{
    (void)option_count, (void)options, (void)values; /* of the driver's compiler */
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (!image)
        return CU_ERROR_INVALID_VALUE;
    const struct emulation_entry *entry = find_entry(image, NULL);
    if (!entry) {
        fault_note("no unit %.64s in this program: cuda/meson.build lists them",
                   (const char *)image);
        return CU_ERROR_NOT_FOUND;
    }
    *ret = (cu_module)(uintptr_t)entry;
    return CU_SUCCESS;
}

cu_result host_module_unload(cu_module module)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS)
        return result;
    return check_handle(module) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_module_get_function(cu_function *ret, cu_module module, const char *name)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct emulation_entry *first = check_handle(module);
    if (!first)
        return HOST_ERROR_INVALID_HANDLE;
    if (!name)
        return CU_ERROR_INVALID_VALUE;
    const struct emulation_entry *entry = find_entry(first->unit, name);
    if (!entry) {
        fault_note("no kernel %.64s in unit %s", name, first->unit);
        return CU_ERROR_NOT_FOUND;
    }
    *ret = (cu_function)(uintptr_t)entry;
    return CU_SUCCESS;
}

/* Static shared memory is known a unit. Where several kernels share one, none's own part is known,
 * and it counts as 0. */
static size_t static_shared_bytes(const struct emulation_entry *entry)
{
    size_t sharing_count = 0;
    if (!entry->shared_start)
        return 0;
    for (size_t i = 0; i < entry_count(); i++)
        sharing_count += __start_assay_entries[i]->shared_start == entry->shared_start;
    if (sharing_count > 1)
        return 0;
    return (size_t)(entry->shared_stop - entry->shared_start);
}

/* Registers, local and constant memory have no meaning here and are 0. */
cu_result host_func_get_attribute(int *ret, int attribute, cu_function function)
{
    enum { MAX_THREADS = 0, SHARED_BYTES = 1, BINARY_VERSION = 6 };
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct emulation_entry *entry = check_handle(function);
    if (!entry)
        return HOST_ERROR_INVALID_HANDLE;
    if (attribute < MAX_THREADS || attribute > BINARY_VERSION)
        return CU_ERROR_INVALID_VALUE;
    *ret = attribute == MAX_THREADS    ? ENGINE_THREADS_MAX
           : attribute == SHARED_BYTES ? (int)static_shared_bytes(entry)
                                       : 0;
    return CU_SUCCESS;
}

/* A launch may ask for all the shared memory there is, so there is nothing to opt in to. */
cu_result host_func_set_attribute(cu_function function, int attribute, int value)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct emulation_entry *entry = check_handle(function);
    if (!entry)
        return HOST_ERROR_INVALID_HANDLE;
    const size_t fixed_bytes = static_shared_bytes(entry);
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
                   (size_t)value <= HOST_SHARED_BYTES_MAX - fixed_bytes
               ? CU_SUCCESS
               : CU_ERROR_INVALID_VALUE;
}

/* Blocks run one after another, so an SM holds one that fits, and of others none. */
cu_result host_occupancy_blocks(int *ret, cu_function function, int block_threads,
                                size_t dynamic_bytes)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct emulation_entry *entry = check_handle(function);
    if (!entry)
        return HOST_ERROR_INVALID_HANDLE;
    if (block_threads <= 0)
        return CU_ERROR_INVALID_VALUE;
    *ret = block_threads <= ENGINE_THREADS_MAX &&
           dynamic_bytes <= HOST_SHARED_BYTES_MAX - static_shared_bytes(entry);
    return CU_SUCCESS;
}

/* The form that runs: the watched one where reads are watched and the kernel has one. */
static const struct emulation_entry *form_of(const struct emulation_entry *entry)
{
    if (!watch_is_on() || !__start_assay_watched_entries)
        return entry;
    for (const struct emulation_entry *const *each = __start_assay_watched_entries;
         each < __stop_assay_watched_entries; each++)
        if (strcmp((*each)->name, entry->name) == 0 && strcmp((*each)->unit, entry->unit) == 0)
            return *each;
    return entry;
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
    const struct emulation_entry *entry = check_handle(function);
    if (!entry || !host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (!parameters || !parameters[0] || !parameters[1] || extra)
        return CU_ERROR_INVALID_VALUE;
    const struct engine_launch launch = {
        .entry = form_of(entry),
        .parameters = parameters[0],
        .grid_size = {grid_x, grid_y, grid_z},
        .block_size = {block_x, block_y, block_z},
        .dynamic_shared_bytes = shared_bytes,
    };
    if (!within(&launch.grid_size, HOST_GRID_X_MAX, HOST_GRID_YZ_MAX, HOST_GRID_YZ_MAX) ||
        !within(&launch.block_size, HOST_BLOCK_XY_MAX, HOST_BLOCK_XY_MAX, HOST_BLOCK_Z_MAX) ||
        block_x * block_y * block_z > ENGINE_THREADS_MAX ||
        static_shared_bytes(entry) + shared_bytes > HOST_SHARED_BYTES_MAX)
        return CU_ERROR_INVALID_VALUE;
    unsigned char *sms;
    memcpy(&sms, parameters[1], sizeof sms);
    if (sms)
        sms[0] = 1; /* the one there is */
    const enum engine_end end = engine_run(&launch);
    if (end == ENGINE_DONE)
        return CU_SUCCESS;
    host_set_sticky(CU_ERROR_LAUNCH_FAILED);
    return end == ENGINE_NO_MEMORY ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_LAUNCH_FAILED;
}
