/* A libcuda.so.1 for tests that is the emulation (cuda/host): a GPU that computes, through every
 * code path of a GPU, and whose speed is that of a model. With ASSAY_HOST_GPU its attributes are
 * those of cuda/pretended.h, but for what `attributes` below has: small memory and slow clocks, so
 * that a bench takes seconds.
 *
 * - Machine code has to be of the GPU's architecture, and its registers and memory are those that
 *   the code says; PTX has made-up ones. What runs is the emulation's function of that name.
 * - Events tell the time of the model: a launch takes as long as reading and writing each of its
 *   elements once, from L2 if they fit and from memory otherwise, and so does a copy on the device;
 *   a copy from the host has the link's speed, and one to it takes no time. An idle GPU's time is
 * the host's, and a wait returns when the host's clock has caught up with the model.
 *   ASSAY_HOST_FAULT=l2: L2 has half of its speed; `events`: each time between two events is a
 * tenth too short, `events_slow`: a tenth too long, `events_near`: too short if it is below 5 ms.
 * - Work on a stream is done at once, but host functions are called by the next wait.
 * - With ASSAY_HOST_DEVICES=N there are N of it.
 * - ASSAY_HOSTILE makes calls misbehave (hostile_driver.h).
 * Clause: driver.host.pretended. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/model/cubin.h"
#include "conformance/model/device_info.h"
#include "conformance/test/hostile_driver.h"
#include "cuda/driver.h"
#include "cuda/host/emulation_interface.h"
#include "cuda/kernel.h"
#include "cuda/pretended.h"

enum {
    MEMORY_BYTES = 2 << 20,
    L2_BYTES = 32 << 10,
    SM_COUNT = 1,
    SHARED_UNIT = 64,
    EVENTS_MAX = 4096,
    DEFERRED_MAX = 64,
};
static const double memory_gbps = 1.6, l2_gbps = 2, link_gbps = 1;

static const struct attribute {
    int attribute, value;
} attributes[] = {
    {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 65536},
    {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, SM_COUNT},
    {CU_ATTRIBUTE_CLOCK_RATE, 35000},        /* kHz, 64 bytes a clock: 2.2 GB/s */
    {CU_ATTRIBUTE_MEMORY_CLOCK_RATE, 16000}, /* kHz, two words a clock: 2 GB/s */
    {CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 512},
    {CU_ATTRIBUTE_L2_CACHE_SIZE, L2_BYTES},
    {CU_ATTRIBUTE_PCI_DOMAIN_ID, 1},
    {CU_ATTRIBUTE_PCI_BUS_ID, 0xe3},
    {CU_ATTRIBUTE_PCI_DEVICE_ID, 0},
};

/* The emulation's functions, and those in their places. */
static struct cuda_driver host, emulated;
static pthread_mutex_t one_call = PTHREAD_MUTEX_INITIALIZER;

static cu_result device_get_attribute(int *ret, int attribute, cu_device device)
{
    for (size_t index = 0; index < sizeof attributes / sizeof attributes[0]; index++)
        if (attributes[index].attribute == attribute) {
            *ret = attributes[index].value + (attribute == CU_ATTRIBUTE_PCI_BUS_ID ? device : 0);
            return CU_SUCCESS;
        }
    return host.device_get_attribute(ret, attribute, device);
}

static int attribute_of(int attribute)
{
    int value = 0;
    device_get_attribute(&value, attribute, 0);
    return value;
}

static int architecture(void)
{
    return 10 * attribute_of(CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
           attribute_of(CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

static cu_result driver_get_version(int *ret)
{
    *ret = 13000;
    return CU_SUCCESS;
}

static cu_result device_total_mem(size_t *ret, cu_device device)
{
    (void)device;
    *ret = MEMORY_BYTES;
    return CU_SUCCESS;
}

static cu_result mem_get_info(size_t *ret_free, size_t *ret_total)
{
    *ret_free = *ret_total = MEMORY_BYTES;
    return CU_SUCCESS;
}

/* Modules. Only its functions' and arrays' names say which unit an image is of, so the emulation
 * loads it with the first of them. */

extern const struct emulation_entry *const __start_assay_entries[]
    __attribute__((visibility("hidden")));
extern const struct emulation_entry *const __stop_assay_entries[]
    __attribute__((visibility("hidden")));
extern const struct emulation_symbol *const __start_assay_symbols[]
    __attribute__((visibility("hidden")));
extern const struct emulation_symbol *const __stop_assay_symbols[]
    __attribute__((visibility("hidden")));

struct module {
    cu_module loaded;          /* NULL: not yet */
    struct cubin_bytes fatbin; /* the program keeps it; nothing: PTX or a cubin */
};

struct function {
    cu_function loaded;
    struct code_figures figures;
    double thread_bytes; /* that a thread reads, and writes */
    bool opts_in;
};

static struct module *module_of(cu_module handle)
{
    return (struct module *)(void *)handle;
}

static struct function *function_of(cu_function handle)
{
    return (struct function *)(void *)handle;
}

static cu_result module_load_data(cu_module *ret, const void *image, unsigned option_count,
                                  int *options, void **option_values)
{
    (void)option_count, (void)options, (void)option_values;
    struct module *module = calloc(1, sizeof *module);
    if (module == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba};
    if (memcmp(image, magic, sizeof magic) == 0) {
        uint64_t bytes; /* after a header of 16 */
        memcpy(&bytes, (const char *)image + 8, sizeof bytes);
        module->fatbin = (struct cubin_bytes){image, 16 + (size_t)bytes};
    }
    if (module->fatbin.first && cubin_code_for(module->fatbin, architecture()) == 0) {
        free(module);
        return CU_ERROR_NO_BINARY_FOR_GPU;
    }
    *ret = (cu_module)(void *)module;
    return CU_SUCCESS;
}

static cu_result module_unload(cu_module handle)
{
    struct module *module = module_of(handle);
    const cu_result result = module->loaded ? host.module_unload(module->loaded) : CU_SUCCESS;
    free(module);
    return result;
}

static cu_result load(struct module *module, const char *unit)
{
    if (module->loaded != NULL)
        return CU_SUCCESS;
    return unit ? host.module_load_data(&module->loaded, unit, 0, NULL, NULL) : CU_ERROR_NOT_FOUND;
}

static double thread_bytes_of(const char *entry)
{
    for (int id = 0; id < kernel_count; id++)
        for (int size = 0; size < KERNEL_ELEMENT_SIZES; size++)
            if (kernels[id].element_entries[size] &&
                strcmp(kernels[id].element_entries[size], entry) == 0)
                return kernels[id].slot_bytes ? kernels[id].slot_bytes
                                              : fmax(1, kernels[id].thread_elements) * (1 << size);
    return sizeof(float);
}

static cu_result module_get_function(cu_function *ret, cu_module handle, const char *name)
{
    struct module *module = module_of(handle);
    const char *unit = NULL;
    for (const struct emulation_entry *const *each = __start_assay_entries;
         unit == NULL && each < __stop_assay_entries; each++)
        unit = strcmp((*each)->name, name) == 0 ? (*each)->unit : NULL;
    struct function *function = calloc(1, sizeof *function); /* lives as long as the process */
    cu_result result = function ? load(module, unit) : CU_ERROR_OUT_OF_MEMORY;
    result = result ? result : host.module_get_function(&function->loaded, module->loaded, name);
    if (result != CU_SUCCESS)
        return result;
    struct cubin_bytes cubin;
    struct reason reason;
    function->figures = (struct code_figures){.registers = strncmp(name, "harness", 7) ? 16 : 64};
    function->thread_bytes = thread_bytes_of(name);
    *ret = (cu_function)(void *)function;
    return module->fatbin.first == NULL ||
                   (cubin_find(module->fatbin, cubin_code_for(module->fatbin, architecture()),
                               &cubin, &reason) &&
                    cubin_read(cubin, name, &function->figures, &reason))
               ? CU_SUCCESS
               : CU_ERROR_NOT_FOUND;
}

static cu_result module_get_global(cu_address *ret, size_t *ret_bytes, cu_module handle,
                                   const char *name)
{
    struct module *module = module_of(handle);
    const char *unit = NULL;
    for (const struct emulation_symbol *const *each = __start_assay_symbols;
         unit == NULL && each < __stop_assay_symbols; each++)
        unit = strcmp((*each)->name, name) == 0 ? (*each)->unit : NULL;
    const cu_result result = load(module, unit);
    return result ? result : host.module_get_global(ret, ret_bytes, module->loaded, name);
}

static cu_result func_get_attribute(int *ret, int attribute, cu_function handle)
{
    const struct code_figures *figures = &function_of(handle)->figures;
    *ret = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS                ? (int)figures->registers
           : attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES      ? (int)figures->local_bytes
           : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES     ? (int)figures->shared_bytes
           : attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
                                                                  : 0;
    return CU_SUCCESS;
}

static cu_result func_set_attribute(cu_function function, int attribute, int value)
{
    function_of(function)->opts_in = value > attribute_of(CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    return host.func_set_attribute(function_of(function)->loaded, attribute, value);
}

static cu_result occupancy_blocks(int *ret, cu_function handle, int block_threads,
                                  size_t dynamic_bytes)
{
    const struct code_figures *figures = &function_of(handle)->figures;
    struct sm_limits sm;
    sm_limits_of(architecture(), &sm);
    sm.threads = attribute_of(CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    sm.blocks = attribute_of(CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    sm.registers = attribute_of(CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    sm.shared_bytes = attribute_of(CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    sm.shared_reserved = attribute_of(CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    sm.shared_unit = SHARED_UNIT;
    const struct block_needs needs = {.threads = block_threads,
                                      .registers = (int)figures->registers,
                                      .shared_bytes = (int)(figures->shared_bytes + dynamic_bytes),
                                      .opts_in = function_of(handle)->opts_in};
    const int most = attribute_of(CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    *ret = needs.shared_bytes > most ? 0 : occupancy_of(&sm, &needs).blocks;
    return CU_SUCCESS;
}

/* Time, in nanoseconds of the model and of the host's clock. */

static double now_ns;
static bool is_busy; /* since the last wait */
static double event_ns[EVENTS_MAX];

static double host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void begin_work(void)
{
    if (!is_busy)
        now_ns = fmax(now_ns, host_ns());
    is_busy = true;
}

static void finish_work(void)
{
    for (double left_ns; (left_ns = now_ns - host_ns()) > 0;)
        nanosleep(&(struct timespec){.tv_sec = (time_t)(left_ns * 1e-9),
                                     .tv_nsec = (long)fmod(left_ns, 1e9)},
                  NULL);
    is_busy = false;
}

static void move(double bytes)
{
    begin_work();
    const double fast_gbps = pretends_fault("l2") ? l2_gbps / 2 : l2_gbps;
    now_ns += bytes / (bytes > L2_BYTES ? memory_gbps : fast_gbps);
}

static cu_result launch_kernel(cu_function handle, unsigned grid_x, unsigned grid_y,
                               unsigned grid_z, unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared_bytes, cu_stream stream,
                               void **parameters, void **extra)
{
    const struct function *function = function_of(handle);
    const double blocks = (double)grid_x * grid_y * grid_z;
    move(2 * blocks * block_x * block_y * block_z * function->thread_bytes);
    const cu_result result =
        host.launch_kernel(function->loaded, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                           shared_bytes, stream, parameters, extra);
    unsigned char *sms = NULL; /* the kernel's second argument: the SMs that it noted (device.h) */
    if (result == CU_SUCCESS)
        memcpy(&sms, parameters[1], sizeof sms);
    for (int sm = 0; sms && sm < SM_COUNT && sm < blocks; sm++)
        sms[sm] = 1;
    return result;
}

static cu_result memcpy_dtod_async(cu_address target, cu_address source, size_t bytes,
                                   cu_stream stream)
{
    move(2 * (double)bytes);
    return host.memcpy_dtod_async(target, source, bytes, stream);
}

static cu_result memcpy_htod_async(cu_address target, const void *source, size_t bytes,
                                   cu_stream stream)
{
    begin_work();
    now_ns += (double)bytes / link_gbps;
    return host.memcpy_htod_async(target, source, bytes, stream);
}

static cu_result event_record(cu_event event, cu_stream stream)
{
    begin_work();
    event_ns[(uintptr_t)event % EVENTS_MAX] = now_ns;
    return host.event_record(event, stream);
}

static cu_result event_elapsed_ms(float *ret, cu_event start, cu_event end)
{
    static const double near_ms = 5;
    const cu_result result = host.event_elapsed_ms(ret, start, end);
    const double ms =
        (event_ns[(uintptr_t)end % EVENTS_MAX] - event_ns[(uintptr_t)start % EVENTS_MAX]) * 1e-6;
    const bool is_short =
        pretends_fault("events") || (pretends_fault("events_near") && ms < near_ms);
    *ret = (float)(ms * (is_short ? 0.9 : pretends_fault("events_slow") ? 1.1 : 1));
    return result;
}

/* Host functions. */

static struct deferred {
    void (*function)(void *);
    void *context;
} deferred[DEFERRED_MAX];
static int deferred_count;

static cu_result launch_host_function(cu_stream stream, void (*function)(void *), void *context)
{
    (void)stream;
    if (deferred_count == DEFERRED_MAX)
        return CU_ERROR_UNKNOWN;
    deferred[deferred_count++] = (struct deferred){function, context};
    return CU_SUCCESS;
}

static void run_deferred(void)
{
    for (int index = 0; index < deferred_count; index++)
        deferred[index].function(deferred[index].context);
    deferred_count = 0;
}

static cu_result stream_synchronize(cu_stream stream)
{
    run_deferred();
    finish_work();
    return host.stream_synchronize(stream);
}

static cu_result event_synchronize(cu_event event)
{
    run_deferred();
    finish_work();
    return host.event_synchronize(event);
}

static cu_result ctx_synchronize(void)
{
    run_deferred();
    finish_work();
    return host.ctx_synchronize();
}

__attribute__((constructor)) static void fill_table(void)
{
    driver_open_host(&host);
    emulated = host;
#define TAKE(member) emulated.member = member;
    TAKE(device_get_attribute)
    TAKE(driver_get_version)
    TAKE(device_total_mem)
    TAKE(mem_get_info)
    TAKE(module_load_data)
    TAKE(module_unload)
    TAKE(module_get_function)
    TAKE(module_get_global)
    TAKE(func_get_attribute)
    TAKE(func_set_attribute)
    TAKE(occupancy_blocks)
    TAKE(launch_kernel)
    TAKE(memcpy_dtod_async)
    TAKE(memcpy_htod_async)
    TAKE(event_record)
    TAKE(event_elapsed_ms)
    TAKE(launch_host_function)
    TAKE(stream_synchronize)
    TAKE(event_synchronize)
    TAKE(ctx_synchronize)
    hostile_wrap(&emulated);
}

/* libcuda's names. No header declares them, on purpose: the program finds them by name. */
#define CALL(member, name, parameters, arguments)                                                  \
    cu_result name parameters;                                                                     \
    cu_result name parameters                                                                      \
    {                                                                                              \
        pthread_mutex_lock(&one_call);                                                             \
        const cu_result result = emulated.member arguments;                                        \
        pthread_mutex_unlock(&one_call);                                                           \
        return result;                                                                             \
    }
#include "cuda/calls.def"
