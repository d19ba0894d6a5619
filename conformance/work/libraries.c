/* The driver's libraries in this process (libraries.h). Clause: runner.libraries.named. */
#include "conformance/work/libraries.h"
#include "conformance/base/reason.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* How each library's file name begins. */
static const char *const file_names[LIBRARY_COUNT] = {
    [LIBRARY_CUDA] = "libcuda.so",
    [LIBRARY_JIT] = "libnvidia-ptxjitcompiler.so",
    [LIBRARY_NVML] = "libnvidia-ml.so",
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What follows ".so." where it is a version, and not the ABI's number alone. */
static void read_version(const char *path, char *ret, size_t bytes)
{
    const char *suffix = strstr(last_part(path), ".so.");
    if (suffix && strchr(suffix + 4, '.'))
        snprintf(ret, bytes, "%s", suffix + 4);
}

static int take_object(struct dl_phdr_info *info, size_t bytes, void *context)
{
    struct library_file *files = context;
    (void)bytes;
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const char *begin = file_names[library];
        struct library_file *it = &files[library];
        struct stat status;
        if (it->path[0] || strncmp(last_part(info->dlpi_name), begin, strlen(begin)) != 0)
            continue;
        char *path = realpath(info->dlpi_name, NULL);
        snprintf(it->path, sizeof it->path, "%s", path ? path : info->dlpi_name);
        read_version(it->path, it->version, sizeof it->version);
        if (stat(it->path, &status) == 0)
            it->bytes = (uint64_t)status.st_size;
        free(path);
    }
    return 0;
}

void libraries_find(struct library_file ret[LIBRARY_COUNT])
{
    memset(ret, 0, LIBRARY_COUNT * sizeof ret[0]);
    /* The one that a bench would read its sensors through. */
    void *nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    dl_iterate_phdr(take_object, ret);
    if (nvml)
        dlclose(nvml);
}

void libraries_load_jit(const struct cuda_driver *driver, int ordinal)
{
    struct device device;
    struct reason reason;
    cu_module module;
    const struct device_id id = {.kind = DEVICE_GPU, .ordinal = ordinal};
    if (!device_open_with(&device, driver, id, &reason))
        return;
    for (int index = 0; index < image_count; index++) {
        if (images[index].ptx == NULL)
            continue;
        if (driver->module_load_data(&module, images[index].ptx->text, 0, NULL, NULL) == CU_SUCCESS)
            driver->module_unload(module);
        break;
    }
    device_close(&device);
}
