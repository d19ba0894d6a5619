/* Opening a device, and its memory (opened_device.h). */
#include "conformance/work/opened_device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/model/cubin.h"

const char *device_error(const struct device *device, cu_result error)
{
    const char *name = NULL;
    if (device->driver.get_error_name(error, &name) != CU_SUCCESS || name == NULL)
        return "an unknown driver error";
    return name;
}

bool device_is_unable(cu_result error)
{
    return error == CU_ERROR_NO_BINARY_FOR_GPU || error == CU_ERROR_UNSUPPORTED_PTX_VERSION ||
           error == CU_ERROR_UNSUPPORTED_LIMIT;
}

bool device_driver(int kind, struct cuda_driver *ret, int *ret_count, struct reason *ret_reason)
{
    struct cuda_driver driver;
    if (!device_kinds[kind].open_driver(&driver, ret_reason))
        return false;
    struct device probe = {.driver = driver};
    int count = 0;
    cu_result error = driver.init(0);
    error = error ? error : driver.device_get_count(&count);
    if (error != CU_SUCCESS)
        return reason_set(ret_reason, REASON_BROKEN, "the CUDA driver does not start: %s",
                          device_error(&probe, error));
    *ret = driver;
    *ret_count = count;
    return true;
}

static void format_uuid(const unsigned char uuid[16], char *ret_text)
{
    ret_text += sprintf(ret_text, "GPU-");
    for (int index = 0; index < 16; index++) {
        bool begins = index == 4 || index == 6 || index == 8 || index == 10;
        ret_text += sprintf(ret_text, "%s%02x", begins ? "-" : "", uuid[index]);
    }
}

struct device_identity device_identify(const struct cuda_driver *driver, int ordinal)
{
    struct device_identity identity = {.uuid = ""};
    unsigned char uuid[16];
    int major = 0, minor = 0;
    cu_device device;
    if (driver->device_get(&device, ordinal) != CU_SUCCESS)
        return identity;
    if (driver->device_get_uuid(uuid, device) == CU_SUCCESS)
        format_uuid(uuid, identity.uuid);
    if (driver->device_get_attribute(&major, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ==
            CU_SUCCESS &&
        driver->device_get_attribute(&minor, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ==
            CU_SUCCESS)
        identity.compute_capability = major * 10 + minor;
    if (driver->device_get_attribute(&identity.compute_mode, CU_ATTRIBUTE_COMPUTE_MODE, device) !=
        CU_SUCCESS)
        identity.compute_mode = CU_COMPUTE_MODE_DEFAULT;
    return identity;
}

/* Where the GPU is in this machine; "" if the driver does not report all of it. */
static void read_pci(const struct cuda_driver *driver, cu_device device, char ret[DEVICE_PCI_BYTES])
{
    static const int attributes[] = {CU_ATTRIBUTE_PCI_DOMAIN_ID, CU_ATTRIBUTE_PCI_BUS_ID,
                                     CU_ATTRIBUTE_PCI_DEVICE_ID};
    int parts[3];
    bool is_known = true;
    for (int index = 0; index < 3; index++)
        is_known =
            is_known &&
            driver->device_get_attribute(&parts[index], attributes[index], device) == CU_SUCCESS &&
            parts[index] >= 0;
    if (is_known)
        snprintf(ret, DEVICE_PCI_BYTES, "%08x:%02x:%02x.0", (unsigned)parts[0],
                 (unsigned)parts[1] & 0xff, (unsigned)parts[2] & 0xff);
}

/* Which attribute goes where. A driver may not know one, because it is older or because the GPU has
 * nothing of the kind: of an SM's the architecture's number stays, of others it is 0. Without those
 * before OPTIONAL_FIRST nothing can be launched. */
static cu_result read_info(const struct cuda_driver *driver, cu_device device,
                           struct device_info *info)
{
    enum { OPTIONAL_FIRST = 9, SM_FIRST = 17 };
    int major = 0, minor = 0, grid[3] = {0, 0, 0}, shared = 0, opt_in = 0, persisting = 0;
    int window = 0;
    struct device_limits *limits = &info->limits;
    struct sm_limits *sm = &info->sm;
    const struct {
        int attribute;
        int *target;
    } table[] = {
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
        {CU_ATTRIBUTE_WARP_SIZE, &limits->warp_size},
        {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, &limits->multiprocessor_count},
        {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &limits->max_threads_per_block},
        {CU_ATTRIBUTE_MAX_GRID_DIM_X, &grid[0]},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Y, &grid[1]},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Z, &grid[2]},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &shared},
        [OPTIONAL_FIRST] = {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &opt_in},
        {CU_ATTRIBUTE_MEMORY_CLOCK_RATE, &info->memory_clock_khz},
        {CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &info->memory_bus_bits},
        {CU_ATTRIBUTE_CLOCK_RATE, &info->sm_clock_khz},
        {CU_ATTRIBUTE_COMPUTE_MODE, &info->compute_mode},
        {CU_ATTRIBUTE_L2_CACHE_SIZE, &info->l2_bytes},
        {CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, &persisting},
        {CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, &window},
        [SM_FIRST] = {CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &sm->threads},
        {CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &sm->blocks},
        {CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &sm->registers},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &sm->shared_bytes},
        {CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &sm->shared_reserved},
    };
    unsigned char uuid[16];
    char line[64] = "";
    size_t memory_bytes = 0;
    cu_result error = driver->device_get_name(info->name, sizeof info->name, device);
    error = error ? error : driver->device_get_uuid(uuid, device);
    error = error ? error : driver->device_total_mem(&memory_bytes, device);
    error = error ? error : driver->driver_get_version(&info->driver_version);
    for (int index = 0; error == CU_SUCCESS && index < (int)(sizeof table / sizeof table[0]);
         index++) {
        int value = 0;
        if (index == SM_FIRST)
            sm_limits_of(major * 10 + minor, sm);
        error = driver->device_get_attribute(&value, table[index].attribute, device);
        const bool is_known = error == CU_SUCCESS;
        if (index >= OPTIONAL_FIRST && error == CU_ERROR_INVALID_VALUE)
            error = CU_SUCCESS;
        if (is_known &&
            (value > 0 || index < SM_FIRST || table[index].target == &sm->shared_reserved))
            *table[index].target = value > 0 ? value : 0;
    }
    if (error != CU_SUCCESS)
        return error;
    info->memory_bytes = memory_bytes;
    limits->compute_capability = major * 10 + minor;
    limits->shared_bytes_per_block = (size_t)shared;
    limits->shared_bytes_opt_in = (size_t)(opt_in > shared ? opt_in : shared);
    limits->persisting_bytes = persisting > 0 ? (size_t)persisting : 0;
    limits->window_bytes = window > 0 ? (size_t)window : 0;
    for (int axis = 0; axis < 3; axis++)
        limits->max_grid[axis] = grid[axis];
    sm->block_threads = limits->max_threads_per_block;
    sm->block_shared = (int)limits->shared_bytes_per_block;
    format_uuid(uuid, info->uuid);
    read_pci(driver, device, info->pci);
    /* The driver API does not report its own version; the kernel module does. */
    FILE *file = device_kind(info)->is_emulated ? NULL : fopen("/sys/module/nvidia/version", "r");
    if (file && fgets(line, sizeof line, file))
        snprintf(info->driver_release, sizeof info->driver_release, "%.*s",
                 (int)strcspn(line, "\n"), line);
    if (file)
        fclose(file);
    return CU_SUCCESS;
}

/* False with what the driver says of the device that no launch can be made with. Kernels, golden
 * and generated programs are written for warps of 32 threads, as every CUDA GPU has them. */
static bool is_usable(const struct device_info *info, struct reason *ret_reason)
{
    const struct device_limits *limits = &info->limits;
    const struct {
        const char *what;
        long long value;
    } counts[] = {
        {"its number of SMs", limits->multiprocessor_count},
        {"the most threads of a block", limits->max_threads_per_block},
        {"the most blocks along x", limits->max_grid[0]},
        {"the most blocks along y", limits->max_grid[1]},
        {"its compute capability", limits->compute_capability + device_kind(info)->is_emulated}};
    char label[DEVICE_LABEL_BYTES];
    device_label(info->id, label);
    if (limits->warp_size != info->sm.warp_size)
        return reason_set(ret_reason, REASON_BROKEN,
                          "%s has warps of %d threads, and assay supports only warps of %d", label,
                          limits->warp_size, info->sm.warp_size);
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        if (counts[index].value <= 0)
            return reason_set(ret_reason, REASON_BROKEN, "%s: the driver reports %lld as %s", label,
                              counts[index].value, counts[index].what);
    return true;
}

/* One GPU, whose context is current then. */
static bool open_one(struct device *ret, const struct cuda_driver *driver, struct device_set id,
                     struct reason *ret_reason)
{
    struct device device = {.driver = *driver, .info = {.id = id}};
    const char *doing = "finding the device";
    cu_device handle = 0;
    bool retained = false;
    cu_result error = driver->device_get(&handle, id.ordinal[0]);
    if (error == CU_SUCCESS) {
        doing = "reading the device's attributes";
        error = read_info(driver, handle, &device.info);
    }
    if (error == CU_SUCCESS && !is_usable(&device.info, ret_reason))
        return false;
    if (error == CU_SUCCESS) {
        doing = "making a context";
        error = driver->primary_ctx_retain(&device.context, handle);
        retained = error == CU_SUCCESS;
    }
    error = error ? error : driver->ctx_set_current(device.context);
    size_t fetch_bytes = 0;
    if (error == CU_SUCCESS) {
        doing = "asking how much L2 fetches at a time";
        error = driver->ctx_get_limit(&fetch_bytes, CU_LIMIT_MAX_L2_FETCH_GRANULARITY);
        if (error == CU_ERROR_UNSUPPORTED_LIMIT)
            error = CU_SUCCESS;
        else if (fetch_bytes >= TRANSACTION_SECTOR_BYTES && fetch_bytes <= TRANSACTION_LINE_BYTES)
            device.info.l2_fetch_bytes = (int)fetch_bytes;
    }
    if (error == CU_SUCCESS) {
        doing = "making a stream";
        error = driver->stream_create(&device.stream, 1 /* does not wait for the null stream */);
    }
    if (error != CU_SUCCESS) {
        char label[DEVICE_LABEL_BYTES];
        reason_set(ret_reason, REASON_BROKEN, "%s: %s: %s", device_label(id, label), doing,
                   device_error(&device, error));
        if (retained)
            driver->primary_ctx_release(handle);
        return false;
    }
    *ret = device;
    pthread_mutex_init(&ret->modules_lock, NULL);
    pthread_mutex_init(&ret->aside_lock, NULL);
    return true;
}

/* Each of the others, until one does not open. */
static bool open_peers(struct device *first, const struct device_set *set,
                       struct reason *ret_reason)
{
    for (int member = 1; member <= set->others; member++) {
        struct device *peer = heap_take(1, sizeof *peer);
        if (!open_one(peer, &first->driver, device_set_member(set, member), ret_reason)) {
            free(peer);
            return false;
        }
        first->peers[first->peer_count++] = peer;
        text_add(first->info.uuid, sizeof first->info.uuid, "+%s", peer->info.uuid);
    }
    return true;
}

/* Asks for access to the memory of each of the others that can be reached. */
static cu_result enable_peer_access(struct device *first)
{
    const struct cuda_driver *driver = &first->driver;
    const int *ordinals = first->info.id.ordinal;
    cu_device own, other;
    cu_result error = device_make_current(first);
    error = error ? error : driver->device_get(&own, ordinals[0]);
    first->info.limits.has_peer_access = true;
    for (int index = 0; error == CU_SUCCESS && index < first->peer_count; index++) {
        int can = 0;
        error = driver->device_get(&other, ordinals[1 + index]);
        error = error ? error : driver->device_can_access_peer(&can, own, other);
        if (error == CU_SUCCESS && can)
            error = driver->ctx_enable_peer_access(first->peers[index]->context, 0);
        if (error == CU_ERROR_PEER_ACCESS_ALREADY_ENABLED)
            error = CU_SUCCESS;
        first->info.limits.has_peer_access = first->info.limits.has_peer_access && can;
    }
    return error;
}

bool device_open_with(struct device *ret, const struct cuda_driver *driver, struct device_set id,
                      struct reason *ret_reason)
{
    if (!open_one(ret, driver, device_set_member(&id, 0), ret_reason))
        return false;
    ret->info.id = id;
    if (id.others == 0)
        return true;
    char label[DEVICE_LABEL_BYTES];
    bool is_open = open_peers(ret, &id, ret_reason);
    const cu_result error = is_open ? enable_peer_access(ret) : CU_SUCCESS;
    if (error != CU_SUCCESS)
        is_open = reason_set(ret_reason, REASON_BROKEN, "%s: enabling peer access: %s",
                             device_label(id, label), device_error(ret, error));
    if (!is_open)
        device_close(ret);
    return is_open;
}

cu_result device_make_current(const struct device *device)
{
    return device->driver.ctx_set_current(device->context);
}

void device_call_finding(struct finding *ret, const struct device *device, cu_result error,
                         bool is_under_test, const char *doing)
{
    const enum verdict failed = is_under_test ? VERDICT_CRASH : VERDICT_ERROR;
    const enum verdict verdict = error == CU_ERROR_OUT_OF_MEMORY ? VERDICT_SKIP : failed;
    finding_set(ret, verdict, verdict == VERDICT_CRASH ? "verdicts.crash.reported" : "", "%s: %s",
                doing, device_error(device, error));
}

void device_load_finding(struct finding *ret, cu_result error, const char *why)
{
    const bool is_skipped = device_is_unable(error) || error == CU_ERROR_OUT_OF_MEMORY;
    finding_set(ret, is_skipped ? VERDICT_SKIP : VERDICT_CRASH,
                is_skipped ? "" : "verdicts.crash.reported", "%s", why);
}

cu_result device_take(struct device *device, size_t bytes, cu_address *ret)
{
    cu_address address = 0;
    cu_result error = device->driver.mem_alloc(&address, bytes);
    if (error != CU_SUCCESS)
        return error;
    if (address % DEVICE_ALIGNMENT_BYTES != 0)
        device->misaligned = address;
    *ret = address;
    return CU_SUCCESS;
}

bool device_misaligned(const struct device *device, struct finding *ret)
{
    unsigned long long address = device->misaligned;
    for (int index = 0; index < device->peer_count; index++)
        address = address ? address : device->peers[index]->misaligned;
    if (address == 0)
        return false;
    finding_set(ret, VERDICT_FAIL, "memory.alignment.allocations",
                "the driver gave memory at 0x%llx, not a multiple of %d", address,
                DEVICE_ALIGNMENT_BYTES);
    return true;
}

/* Loading kernels on an opened device. */

enum { DEVICE_ENTRIES_MAX = 72 }; /* kept; more are looked up each time */

/* A function of a module, or an array. */
struct device_entry {
    const char *name;
    bool is_function;
    cu_function function;
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
    int entry_count;
    struct device_entry entries[DEVICE_ENTRIES_MAX];
};

cu_result device_load(struct device *device, int path, const void *code, cu_module *ret)
{
    const struct path *row = path_row(path);
    return row->source->load(&device->driver, code, row->options, ret);
}

static void load_module(struct device *device, struct device_module *module)
{
    static const cu_result errors[] = {[MADE_CODE] = CU_SUCCESS,
                                       [MADE_REFUSED] = CU_ERROR_UNSUPPORTED_PTX_VERSION,
                                       [MADE_FAILED] = CU_ERROR_INVALID_IMAGE,
                                       [MADE_UNTRIED] = CU_ERROR_OUT_OF_MEMORY};
    const struct path *path = path_row(module->path);
    const int capability = device->info.limits.compute_capability;
    const void *code = NULL;
    struct reason reason;
    module->error = CU_ERROR_NO_BINARY_FOR_GPU;
    if (path->source->compiler) { /* what was made of the unit outside this program */
        const struct made_code *made =
            made_code_find(module->path, module->unit, capability, &code);
        module->error = made ? errors[made->state] : module->error;
        snprintf(module->why, sizeof module->why, "%s",
                 made ? made->note : "the module was not compiled");
    } else {
        code = catalog_code(module->unit, module->path, capability);
        if (path->images)
            snprintf(module->why, sizeof module->why, "%.100s has no code of module %.64s",
                     path->images->file, module->unit);
        else
            snprintf(module->why, sizeof module->why, "this build has no CUDA code: no toolkit");
    }
    if (code == NULL)
        return;
    /* A driver may take machine code of another architecture for its own. */
    const struct image *image =
        path->source->is_fatbin ? catalog_path_image(module->unit, module->path) : NULL;
    if (image && cubin_is_foreign((struct cubin_bytes){image->fatbin, image->fatbin_bytes},
                                  capability, &reason)) {
        module->error = CU_ERROR_INVALID_IMAGE;
        snprintf(module->why, sizeof module->why, "loading module %s through %s: %.100s",
                 module->unit, path->name, reason.text);
        return;
    }
    module->error = device_load(device, module->path, code, &module->module);
    if (module->error != CU_SUCCESS)
        snprintf(module->why, sizeof module->why, "loading module %s through %s: %s", module->unit,
                 path->name, device_error(device, module->error));
}

/* The link that leads to the module, or to NULL: the end of its list. */
static struct device_module **find_module(struct device *device, const char *unit, int path,
                                          const void *holder)
{
    uint64_t hash = (uint64_t)(uintptr_t)holder + (uint64_t)path;
    for (const char *letter = unit; *letter; letter++)
        hash = (hash ^ (unsigned char)*letter) * UINT64_C(0x100000001b3);
    struct device_module **link = &device->modules[(hash ^ hash >> 32) % DEVICE_MODULE_LISTS];
    while (*link &&
           ((*link)->path != path || (*link)->holder != holder || strcmp((*link)->unit, unit) != 0))
        link = &(*link)->next;
    return link;
}

/* Looks the name up, once, in the kernel's module, which is loaded where it was not yet. */
static cu_result find_entry(struct device *device, const struct kernel *kernel, int path,
                            const void *holder, struct device_entry *entry,
                            struct reason *ret_reason)
{
    holder = catalog_is_apart(kernel) ? holder : NULL;
    pthread_mutex_lock(&device->modules_lock);
    struct device_module **link = find_module(device, kernel->unit, path, holder);
    if (*link == NULL) {
        *link = heap_take(1, sizeof **link);
        (*link)->unit = kernel->unit;
        (*link)->path = path;
        (*link)->holder = holder;
        pthread_mutex_init(&(*link)->lock, NULL);
    }
    struct device_module *module = *link;
    pthread_mutex_unlock(&device->modules_lock);
    pthread_mutex_lock(&module->lock);
    if (!module->is_tried)
        load_module(device, module);
    module->is_tried = true;
    cu_result error = module->error;
    int index = 0;
    while (index < module->entry_count &&
           (module->entries[index].is_function != entry->is_function ||
            strcmp(module->entries[index].name, entry->name) != 0))
        index++;
    if (error != CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "%s", module->why);
    else if (index < module->entry_count)
        *entry = module->entries[index];
    else if (entry->is_function)
        error = device->driver.module_get_function(&entry->function, module->module, entry->name);
    else
        error = device->driver.module_get_global(&entry->symbol.address, &entry->symbol.bytes,
                                                 module->module, entry->name);
    if (error != CU_SUCCESS && module->error == CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "finding %s in module %s through %s: %s", entry->name,
                   module->unit, path_name(module->path), device_error(device, error));
    else if (error == CU_SUCCESS && index == module->entry_count && index < DEVICE_ENTRIES_MAX)
        module->entries[module->entry_count++] = *entry;
    pthread_mutex_unlock(&module->lock);
    return error;
}

cu_result device_function(struct device *device, const struct kernel *kernel, int path,
                          const void *holder, const char *entry, cu_function *ret,
                          struct reason *ret_reason)
{
    struct device_entry found = {.name = entry, .is_function = true};
    cu_result error = find_entry(device, kernel, path, holder, &found, ret_reason);
    if (error == CU_SUCCESS)
        *ret = found.function;
    return error;
}

cu_result device_symbol(struct device *device, const struct kernel *kernel, int path,
                        const void *holder, const char *name, struct device_symbol *ret,
                        struct reason *ret_reason)
{
    struct device_entry found = {.name = name};
    cu_result error = find_entry(device, kernel, path, holder, &found, ret_reason);
    if (error == CU_SUCCESS)
        *ret = found.symbol;
    return error;
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
    struct device_module **link = find_module(device, kernel->unit, path, holder), *module = *link;
    if (module)
        *link = module->next;
    pthread_mutex_unlock(&device->modules_lock);
    return module ? release(device, module) : CU_SUCCESS;
}

static void close_one(struct device *device)
{
    pthread_mutex_destroy(&device->modules_lock);
    pthread_mutex_destroy(&device->aside_lock);
    for (int index = 0; index < DEVICE_MODULE_LISTS; index++) {
        while (device->modules[index]) {
            struct device_module *module = device->modules[index];
            device->modules[index] = module->next;
            release(device, module);
        }
    }
    cu_device handle;
    device->driver.stream_destroy(device->stream);
    if (device->driver.device_get(&handle, device->info.id.ordinal[0]) == CU_SUCCESS)
        device->driver.primary_ctx_release(handle);
}

/* The others by the first's table, which may be watched (closing.h). */
void device_close(struct device *device)
{
    const bool is_set = device->peer_count > 0;
    while (device->peer_count > 0) {
        struct device *peer = device->peers[--device->peer_count];
        peer->driver = device->driver;
        device_make_current(peer);
        close_one(peer);
        free(peer);
    }
    if (is_set)
        device_make_current(device);
    close_one(device);
}

/* The driver's libraries in this process. Clause: runner.libraries.named. */

/* How each library's file name begins. */
static const char *const file_names[LIBRARY_COUNT] = {
    [LIBRARY_CUDA] = "libcuda.so",
    [LIBRARY_JIT] = "libnvidia-ptxjitcompiler.so",
    [LIBRARY_NVML] = "libnvidia-ml.so",
};

static int take_object(struct dl_phdr_info *info, size_t bytes, void *context)
{
    struct library_file *files = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    (void)bytes;
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        struct library_file *it = &files[library];
        struct stat status;
        if (it->path[0] || strncmp(name, file_names[library], strlen(file_names[library])) != 0)
            continue;
        char *path = realpath(info->dlpi_name, NULL);
        snprintf(it->path, sizeof it->path, "%s", path ? path : info->dlpi_name);
        free(path);
        /* The text after ".so.", if it is a version and not only the ABI's number. */
        slash = strrchr(it->path, '/');
        const char *suffix = strstr(slash ? slash : it->path, ".so.");
        if (suffix && strchr(suffix + 4, '.'))
            snprintf(it->version, sizeof it->version, "%s", suffix + 4);
        if (stat(it->path, &status) == 0)
            it->bytes = (uint64_t)status.st_size;
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
    const struct device_set id = device_set_of(DEVICE_GPU, ordinal);
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
