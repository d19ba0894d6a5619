/* Fills the table of driver functions from libcuda.so.1, opened at run time, so that the program
 * starts where there is no driver. Clauses: driver.open.reason, driver.open.complete. */
#include "cuda/driver.h"
#include "cuda/libcuda.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct symbol {
    const char *name;
    const char *older; /* the name that an older driver has it under, or NULL */
    size_t offset;     /* of its pointer in struct cuda_driver */
};

#define AT(member) offsetof(struct cuda_driver, member)

/* Names are those of the ABI: the plain name of a function with a _v2 is its 32-bit ancestor. */
static const struct symbol symbols[] = {
    {"cuInit", NULL, AT(init)},
    {"cuDriverGetVersion", NULL, AT(driver_get_version)},
    {"cuDeviceGetCount", NULL, AT(device_get_count)},
    {"cuDeviceGet", NULL, AT(device_get)},
    {"cuDeviceGetName", NULL, AT(device_get_name)},
    {"cuDeviceGetUuid_v2", "cuDeviceGetUuid", AT(device_get_uuid)},
    {"cuDeviceTotalMem_v2", NULL, AT(device_total_mem)},
    {"cuDeviceGetAttribute", NULL, AT(device_get_attribute)},
    {"cuDevicePrimaryCtxRetain", NULL, AT(primary_ctx_retain)},
    {"cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease", AT(primary_ctx_release)},
    {"cuCtxSetCurrent", NULL, AT(ctx_set_current)},
    {"cuCtxSynchronize", NULL, AT(ctx_synchronize)},
    {"cuMemAlloc_v2", NULL, AT(mem_alloc)},
    {"cuMemFree_v2", NULL, AT(mem_free)},
    {"cuMemGetInfo_v2", NULL, AT(mem_get_info)},
    {"cuMemHostAlloc", NULL, AT(mem_host_alloc)},
    {"cuMemFreeHost", NULL, AT(mem_free_host)},
    {"cuMemcpyHtoDAsync_v2", NULL, AT(memcpy_htod_async)},
    {"cuMemcpyDtoHAsync_v2", NULL, AT(memcpy_dtoh_async)},
    {"cuMemcpyDtoDAsync_v2", NULL, AT(memcpy_dtod_async)},
    {"cuMemsetD8Async", NULL, AT(memset_d8_async)},
    {"cuModuleLoadData", NULL, AT(module_load_data)},
    {"cuModuleUnload", NULL, AT(module_unload)},
    {"cuModuleGetFunction", NULL, AT(module_get_function)},
    {"cuFuncGetAttribute", NULL, AT(func_get_attribute)},
    {"cuFuncSetAttribute", NULL, AT(func_set_attribute)},
    {"cuLaunchKernel", NULL, AT(launch_kernel)},
    {"cuStreamCreate", NULL, AT(stream_create)},
    {"cuStreamDestroy_v2", NULL, AT(stream_destroy)},
    {"cuStreamSynchronize", NULL, AT(stream_synchronize)},
    {"cuLaunchHostFunc", NULL, AT(launch_host_function)},
    {"cuEventCreate", NULL, AT(event_create)},
    {"cuEventDestroy_v2", NULL, AT(event_destroy)},
    {"cuEventRecord", NULL, AT(event_record)},
    {"cuEventSynchronize", NULL, AT(event_synchronize)},
    {"cuEventElapsedTime_v2", "cuEventElapsedTime", AT(event_elapsed_ms)},
    {"cuGetErrorName", NULL, AT(get_error_name)},
};

static void *symbol_address(void *library, const struct symbol *symbol)
{
    void *address = dlsym(library, symbol->name);
    if (address == NULL && symbol->older != NULL)
        address = dlsym(library, symbol->older);
    return address;
}

static bool driver_fill(struct cuda_driver *driver, void *library, char *why, size_t why_bytes)
{
    for (size_t index = 0; index < sizeof(symbols) / sizeof(symbols[0]); index++) {
        const struct symbol *symbol = &symbols[index];
        void *address = symbol_address(library, symbol);
        if (address == NULL) {
            snprintf(why, why_bytes, "%s has no %s: the driver is too old, or no CUDA driver",
                     driver->name, symbol->name);
            return false;
        }
        /* Copied, as C has no cast from an object's pointer to a function's. */
        memcpy((char *)driver + symbol->offset, &address, sizeof(address));
    }
    return true;
}

bool driver_open_library(const char *library_name, struct cuda_driver *ret, char *why,
                         size_t why_bytes)
{
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        /* The text lives only until the next dl call of this thread, so it is copied at once. */
        const char *text = dlerror();
        snprintf(why, why_bytes, "%s", text != NULL ? text : "no reason given");
        return false;
    }
    struct cuda_driver driver = {.name = library_name};
    if (!driver_fill(&driver, library, why, why_bytes)) {
        dlclose(library);
        return false;
    }
    *ret = driver;
    return true;
}

/* dlopen has no code for it, so its sentence is read: it begins with the library's own name (a
 * dependency's otherwise), or holds it, and ends with the system's words for ENOENT. */
bool driver_library_is_absent(const char *library_name)
{
    const char *words = strerror(ENOENT);
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    const char *text = library ? NULL : dlerror();
    if (library)
        dlclose(library);
    if (text == NULL || strlen(text) < strlen(words))
        return false;
    bool ends = strcmp(text + strlen(text) - strlen(words), words) == 0;
    const char *name = strstr(text, library_name);
    return ends && name && (name[strlen(library_name)] == ':');
}

bool driver_libcuda_is_absent(void)
{
    return driver_library_is_absent("libcuda.so.1");
}

bool driver_open_libcuda(struct cuda_driver *ret, char *why, size_t why_bytes)
{
    return driver_open_library("libcuda.so.1", ret, why, why_bytes);
}
