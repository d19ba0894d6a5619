/* Loading kernels on an opened device (opened_device.h). */
#include "conformance/work/opened_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/model/made_code.h"

enum { DEVICE_ENTRIES_MAX = 64, DEVICE_SYMBOLS_MAX = 8 }; /* kept; more are looked up each time */

struct device_function {
    const char *entry;
    cu_function function;
};

struct device_named_symbol {
    const char *name;
    struct device_symbol symbol;
};

/* One unit through one path, for one holder. A failed load is kept too, so that it is tried and
 * reported once. */
struct device_module {
    struct device_module *next;
    const char *unit;
    int path;
    const void *holder;   /* NULL: whoever asks */
    pthread_mutex_t lock; /* of what follows: who loads one holds up nobody who wants another */
    bool is_tried;
    cu_result error;
    char why[FINDING_NOTE_BYTES];
    cu_module module;
    int function_count, symbol_count;
    struct device_function functions[DEVICE_ENTRIES_MAX];
    struct device_named_symbol symbols[DEVICE_SYMBOLS_MAX];
};

/* What was made of the unit beside this program; else sets the error, and why. */
static const void *made_of(const struct device *device, struct device_module *module)
{
    static const cu_result errors[] = {[MADE_CODE] = CU_SUCCESS,
                                       [MADE_REFUSED] = CU_ERROR_UNSUPPORTED_PTX_VERSION,
                                       [MADE_FAILED] = CU_ERROR_INVALID_IMAGE,
                                       [MADE_UNTRIED] = CU_ERROR_OUT_OF_MEMORY};
    const void *code = NULL;
    const struct made_code *made =
        made_code_find(module->path, module->unit, device->info.limits.compute_capability, &code);
    module->error = made ? errors[made->state] : CU_ERROR_NO_BINARY_FOR_GPU;
    snprintf(module->why, sizeof module->why, "%s",
             made ? made->note : "nothing was compiled of the unit");
    return code;
}

static void load_module(struct device *device, struct device_module *module)
{
    const struct path *path = path_row(module->path);
    const void *code =
        path->source->compiler
            ? made_of(device, module)
            : catalog_code(module->unit, module->path, device->info.limits.compute_capability);
    if (code == NULL && path->source->compiler == NULL) {
        module->error = CU_ERROR_NO_BINARY_FOR_GPU;
        if (path->images)
            snprintf(module->why, sizeof module->why, "%.100s has no code of unit %.64s",
                     path->images->file, module->unit);
        else
            snprintf(module->why, sizeof module->why, "this build has no CUDA code: no toolkit");
    }
    if (code == NULL)
        return;
    module->error = path->source->load(&device->driver, code, path->options, &module->module);
    if (module->error != CU_SUCCESS)
        snprintf(module->why, sizeof module->why, "loading unit %s through %s: %s", module->unit,
                 path->name, device_error(device, module->error));
}

/* Where the list begins that such a module is in. */
static struct device_module **list_of(struct device *device, const char *unit, int path,
                                      const void *holder)
{
    uint64_t hash = (uint64_t)(uintptr_t)holder + (uint64_t)path;
    for (; *unit; unit++)
        hash = (hash ^ (unsigned char)*unit) * UINT64_C(0x100000001b3);
    return &device->modules[(hash ^ hash >> 32) % DEVICE_MODULE_LISTS];
}

/* The link that leads to the module, or to NULL: the end of its list. */
static struct device_module **find_module(struct device *device, const char *unit, int path,
                                          const void *holder)
{
    struct device_module **link = list_of(device, unit, path, holder);
    while (*link &&
           ((*link)->path != path || (*link)->holder != holder || strcmp((*link)->unit, unit) != 0))
        link = &(*link)->next;
    return link;
}

static struct device_module *add_module(const char *unit, int path, const void *holder)
{
    struct device_module *module = calloc(1, sizeof *module);
    if (module == NULL)
        return NULL;
    module->unit = unit;
    module->path = path;
    module->holder = holder;
    pthread_mutex_init(&module->lock, NULL);
    return module;
}

static struct device_module *get_module(struct device *device, const char *unit, int path,
                                        const void *holder)
{
    pthread_mutex_lock(&device->modules_lock);
    struct device_module **link = find_module(device, unit, path, holder);
    if (*link == NULL)
        *link = add_module(unit, path, holder);
    struct device_module *module = *link;
    pthread_mutex_unlock(&device->modules_lock);
    return module;
}

/* The module itself, loaded, with its lock held; or why there is none. */
static cu_result lock_module(struct device *device, const struct kernel *kernel, int path,
                             const void *holder, struct device_module **ret,
                             struct reason *ret_reason)
{
    struct device_module *module =
        get_module(device, kernel->unit, path, catalog_is_apart(kernel) ? holder : NULL);
    if (module == NULL) {
        reason_set(ret_reason, REASON_BROKEN, "no host memory for a module");
        return CU_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&module->lock);
    if (!module->is_tried)
        load_module(device, module);
    module->is_tried = true;
    *ret = module;
    if (module->error == CU_SUCCESS)
        return CU_SUCCESS;
    reason_set(ret_reason, REASON_BROKEN, "%s", module->why);
    const cu_result error = module->error;
    pthread_mutex_unlock(&module->lock);
    return error;
}

static cu_result find_function(struct device *device, struct device_module *module,
                               const char *entry, cu_function *ret, struct reason *ret_reason)
{
    for (int index = 0; index < module->function_count; index++) {
        if (strcmp(module->functions[index].entry, entry) == 0) {
            *ret = module->functions[index].function;
            return CU_SUCCESS;
        }
    }
    cu_function function;
    cu_result error = device->driver.module_get_function(&function, module->module, entry);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "finding %s in unit %s through %s: %s", entry,
                   module->unit, path_name(module->path), device_error(device, error));
        return error;
    }
    if (module->function_count < DEVICE_ENTRIES_MAX)
        module->functions[module->function_count++] =
            (struct device_function){.entry = entry, .function = function};
    *ret = function;
    return CU_SUCCESS;
}

cu_result device_function(struct device *device, const struct kernel *kernel, int path,
                          const void *holder, const char *entry, cu_function *ret,
                          struct reason *ret_reason)
{
    struct device_module *module;
    cu_result error = lock_module(device, kernel, path, holder, &module, ret_reason);
    if (error != CU_SUCCESS)
        return error;
    error = find_function(device, module, entry, ret, ret_reason);
    pthread_mutex_unlock(&module->lock);
    return error;
}

static cu_result find_symbol(struct device *device, struct device_module *module, const char *name,
                             struct device_symbol *ret, struct reason *ret_reason)
{
    for (int index = 0; index < module->symbol_count; index++) {
        if (strcmp(module->symbols[index].name, name) == 0) {
            *ret = module->symbols[index].symbol;
            return CU_SUCCESS;
        }
    }
    struct device_symbol symbol = {.address = 0};
    cu_result error =
        device->driver.module_get_global(&symbol.address, &symbol.bytes, module->module, name);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "finding %s in unit %s through %s: %s", name,
                   module->unit, path_name(module->path), device_error(device, error));
        return error;
    }
    if (module->symbol_count < DEVICE_SYMBOLS_MAX)
        module->symbols[module->symbol_count++] =
            (struct device_named_symbol){.name = name, .symbol = symbol};
    *ret = symbol;
    return CU_SUCCESS;
}

cu_result device_symbol(struct device *device, const struct kernel *kernel, int path,
                        const void *holder, const char *name, struct device_symbol *ret,
                        struct reason *ret_reason)
{
    struct device_module *module;
    cu_result error = lock_module(device, kernel, path, holder, &module, ret_reason);
    if (error != CU_SUCCESS)
        return error;
    error = find_symbol(device, module, name, ret, ret_reason);
    pthread_mutex_unlock(&module->lock);
    return error;
}

/* Takes the module out of the list; NULL where it was never asked for. */
static struct device_module *take_module(struct device *device, const char *unit, int path,
                                         const void *holder)
{
    struct device_module **link = find_module(device, unit, path, holder), *module = *link;
    if (module)
        *link = module->next;
    return module;
}

/* The driver's error. */
static cu_result release(struct device *device, struct device_module *module)
{
    const cu_result error = module->is_tried && module->error == CU_SUCCESS
                                ? device->driver.module_unload(module->module)
                                : CU_SUCCESS;
    pthread_mutex_destroy(&module->lock);
    free(module);
    return error;
}

cu_result device_unload(struct device *device, const struct kernel *kernel, int path,
                        const void *holder)
{
    pthread_mutex_lock(&device->modules_lock);
    struct device_module *module = take_module(device, kernel->unit, path, holder);
    pthread_mutex_unlock(&device->modules_lock);
    return module ? release(device, module) : CU_SUCCESS;
}

void device_unload_all(struct device *device)
{
    for (int index = 0; index < DEVICE_MODULE_LISTS; index++) {
        while (device->modules[index]) {
            struct device_module *module = device->modules[index];
            device->modules[index] = module->next;
            release(device, module);
        }
    }
}
