/* A stand-in for libcuda.so.1 that takes every call and launches nothing: the GPU's half of the
 * runner (threads, batches, every code path) meets a stack that answers success and does not
 * compute. A call that is not here comes from fake_libcuda.c, which is linked with it.
 * PTX of version 99.0 is newer than it in every mode. With ASSAY_HOST_GPU its device is one that
 * does not exist (pretended.h).
 *
 * What ASSAY_STAND_IN may be:
 *     refuse         refuses every module, as a GPU does for which no machine code was made
 *     mismatch       does not even start
 *     once           starts in one process: in that which makes the file ASSAY_STAND_IN_LOCK
 *     fail           every wait ends in a launch failure
 *     slow           takes seconds to start
 *     spills         its functions have local memory
 *     no-registers   its functions have no registers
 *     streams        has three streams and no more
 *     no-device      has no device
 *     devices:N      has N devices
 *     twins          has one device and shows it twice
 *     newest         refuses PTX that is not of its own architecture
 *     bad-level      cannot compile PTX at level 0
 *     turing         is of the lowest architecture that CUDA 13 compiles
 *     foreign-name   its device's name is not UTF-8, and a terminal would obey it
 *     foreign-error  the same of its errors' names
 *     no-set-aside   sets no L2 aside
 *     exclusive      opens for one process at a time, as its compute mode says: for that which
 *                    holds the file ASSAY_STAND_IN_LOCK
 *     occupancy      says of every block that an SM holds one more of them than it does
 *     jit-crash      crashes on PTX where there is a JIT compiler, which PTX makes it load */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <sys/mman.h>

#include "cuda/driver.h"
#include "cuda/pretended.h"

/* No header declares libcuda's names, on purpose: the runner finds them by name. */
#define CALL(member, name, parameters, arguments) cu_result name parameters;
#include "cuda/calls.def"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static int marker; /* what every opaque handle points at */

static const char foreign[] = "stand\xf6\xc2\x9b\x1b[2J\nin";

static bool mode_is(const char *mode)
{
    const char *set = getenv("ASSAY_STAND_IN");
    return set != NULL && strcmp(set, mode) == 0;
}

/* Functions that give a handle or a number. */
#define GIVES(name, parameters, value)                                                             \
    cu_result name parameters                                                                      \
    {                                                                                              \
        *ret = value;                                                                              \
        return CU_SUCCESS;                                                                         \
    }

GIVES(cuDriverGetVersion, (int *ret), 13000)
GIVES(cuDeviceGet, (cu_device * ret, int ordinal), ordinal)
GIVES(cuDeviceTotalMem_v2, (size_t * ret, cu_device device), (size_t)(pretends() ? 3072 : 8) << 30)
GIVES(cuDeviceCanAccessPeer, (int *ret, cu_device device, cu_device peer), device != peer)
GIVES(cuEventCreate, (cu_event * ret, unsigned flags), (void *)&marker)
GIVES(cuEventElapsedTime_v2, (float *ret, cu_event start, cu_event end), 1.0f)
GIVES(cuModuleGetFunction, (cu_function * ret, cu_module module, const char *name), (void *)&marker)

cu_result cuFuncGetAttribute(int *ret, int attribute, cu_function function)
{
    *ret = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
           : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? !mode_is("no-registers") * 8
           : mode_is("spills") && attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES ? 16
                                                                                  : 0;
    return CU_SUCCESS;
}

/* Every array is the largest that constant memory holds. */
cu_result cuModuleGetGlobal_v2(cu_address *ret, size_t *ret_bytes, cu_module module,
                               const char *name)
{
    static unsigned char array[65536];
    *ret = (cu_address)(uintptr_t)array;
    *ret_bytes = sizeof array;
    return CU_SUCCESS;
}

cu_result cuDevicePrimaryCtxRetain(cu_context *ret, cu_device device)
{
    enum { DEVICE_UNAVAILABLE = 46 };
    static _Atomic int held = -1;
    *ret = (void *)&marker;
    if (!mode_is("exclusive") || held >= 0)
        return CU_SUCCESS;
    const char *lock = getenv("ASSAY_STAND_IN_LOCK");
    held = lock ? open(lock, O_RDWR | O_CLOEXEC) : -1;
    if (flock(held, LOCK_EX | LOCK_NB) == 0)
        return CU_SUCCESS;
    fprintf(stderr, "stand-in: a second process\n");
    return DEVICE_UNAVAILABLE;
}

cu_result cuDeviceGetCount(int *ret)
{
    const char *set = getenv("ASSAY_STAND_IN");
    const char *number = set != NULL ? strchr(set, ':') : NULL; /* of devices:N */
    *ret = number ? atoi(number + 1) : mode_is("twins") ? 2 : 1;
    return CU_SUCCESS;
}

cu_result cuInit(unsigned flags)
{
    enum { SYSTEM_DRIVER_MISMATCH = 803 };
    if (mode_is("slow"))
        sleep(3);
    if (mode_is("foreign-error"))
        return SYSTEM_DRIVER_MISMATCH;
    if (mode_is("no-device"))
        return CU_ERROR_NO_DEVICE;
    static bool has_started;
    if (mode_is("once") && !has_started) {
        const int made = open(getenv("ASSAY_STAND_IN_LOCK"), O_CREAT | O_EXCL | O_WRONLY, 0600);
        has_started = made >= 0;
        return has_started ? CU_SUCCESS : SYSTEM_DRIVER_MISMATCH;
    }
    return mode_is("mismatch") ? SYSTEM_DRIVER_MISMATCH : CU_SUCCESS;
}

cu_result cuStreamCreate(cu_stream *ret, unsigned flags)
{
    static atomic_int count;
    *ret = (void *)&marker;
    return mode_is("streams") && ++count > 3 ? CU_ERROR_OUT_OF_MEMORY : CU_SUCCESS;
}

cu_result cuDeviceGetName(char *ret, int bytes, cu_device device)
{
    snprintf(ret, (size_t)bytes, "%s", mode_is("foreign-name") ? foreign : "stand-in");
    return CU_SUCCESS;
}

cu_result cuDeviceGetUuid_v2(unsigned char ret[16], cu_device device)
{
    memset(ret, 0, 16);
    ret[15] = (unsigned char)(mode_is("twins") ? 1 : device + 1);
    return CU_SUCCESS;
}

static int value_of(int attribute)
{
    enum { EXCLUSIVE_PROCESS = 3 };
    static const struct {
        int attribute, hopper, turing;
    } values[] = {
        {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024, 1024},
        {CU_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647, 2147483647},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Y, 65535, 65535},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Z, 65535, 65535},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152, 49152},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448, 65536},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472, 65536},
        {CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024, 0},
        {CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536, 65536},
        {CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048, 1024},
        {CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32, 16},
        {CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 39321600, 0},
        {CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 134217728, 0},
        {CU_ATTRIBUTE_WARP_SIZE, 32, 32},
        {CU_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTE_MODE_DEFAULT, CU_COMPUTE_MODE_DEFAULT},
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9, 7},
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0, 5},
    };
    if (attribute == CU_ATTRIBUTE_COMPUTE_MODE && mode_is("exclusive"))
        return EXCLUSIVE_PROCESS;
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++)
        if (values[index].attribute == attribute)
            return mode_is("turing") ? values[index].turing : values[index].hopper;
    return 1;
}

cu_result cuDeviceGetAttribute(int *ret, int attribute, cu_device device)
{
    *ret = value_of(attribute);
    return pretend(attribute, ret);
}

static atomic_int dynamic_most = 49152; /* of any function */

cu_result cuFuncSetAttribute(cu_function function, int attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        dynamic_most = value;
    return CU_SUCCESS;
}

/* A function without registers and static shared memory, as cuFuncGetAttribute reports it. */
cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *ret, cu_function function,
                                                      int block_threads, size_t dynamic_bytes)
{
    const int unit = mode_is("turing") ? 256 : 128;
    const int warps = (block_threads + 31) / 32;
    const int taken = (int)dynamic_bytes + value_of(CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    const int bytes = (taken + unit - 1) / unit * unit;
    int blocks = value_of(CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    if (value_of(CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32 / warps < blocks)
        blocks = value_of(CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32 / warps;
    if (blocks * bytes > value_of(CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR))
        blocks = value_of(CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / bytes;
    *ret = (dynamic_bytes > (size_t)dynamic_most ? 0 : blocks) + mode_is("occupancy");
    return CU_SUCCESS;
}

enum { HEAD_BYTES = 4096 }; /* a page before the memory, which has its length */

/* Pages of their own: what nobody touches costs nothing, as malloc's does where it fills it
 * (MALLOC_PERTURB_). NULL without memory. */
static void *take_pages(size_t bytes)
{
    unsigned char *head = mmap(NULL, HEAD_BYTES + bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (head == MAP_FAILED)
        return NULL;
    madvise(head, HEAD_BYTES + bytes, MADV_HUGEPAGE); /* filled whole: fewer faults */
    memcpy(head, &bytes, sizeof bytes);
    return head + HEAD_BYTES;
}

static void give_pages(void *memory)
{
    size_t bytes;
    if (memory == NULL)
        return;
    unsigned char *head = (unsigned char *)memory - HEAD_BYTES;
    memcpy(&bytes, head, sizeof bytes);
    munmap(head, HEAD_BYTES + bytes);
}

/* Device memory is ordinary memory, and copies are done at once. */
cu_result cuMemAlloc_v2(cu_address *ret, size_t bytes)
{
    void *memory = take_pages(bytes);
    *ret = (cu_address)(uintptr_t)memory;
    return memory ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
}

cu_result cuMemFree_v2(cu_address address)
{
    give_pages((void *)(uintptr_t)address);
    return CU_SUCCESS;
}

cu_result cuMemGetInfo_v2(size_t *ret_free, size_t *ret_total)
{
    *ret_free = *ret_total = (size_t)1 << 33;
    return CU_SUCCESS;
}

cu_result cuMemHostAlloc(void **ret, size_t bytes, unsigned flags)
{
    *ret = take_pages(bytes);
    return *ret ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
}

cu_result cuMemFreeHost(void *memory)
{
    give_pages(memory);
    return CU_SUCCESS;
}

cu_result cuMemcpyHtoDAsync_v2(cu_address target, const void *source, size_t bytes,
                               cu_stream stream)
{
    memcpy((void *)(uintptr_t)target, source, bytes);
    return CU_SUCCESS;
}

cu_result cuMemcpyDtoHAsync_v2(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    memcpy(target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

cu_result cuMemcpyDtoDAsync_v2(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    memcpy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

cu_result cuMemsetD8Async(cu_address target, unsigned char value, size_t bytes, cu_stream stream)
{
    memset((void *)(uintptr_t)target, value, bytes);
    return CU_SUCCESS;
}

/* A fatbin whose first cubin a test has damaged. */
static int is_damaged(const void *image)
{
    uint32_t magic, entry_bytes;
    uint16_t header_bytes;
    memcpy(&magic, image, sizeof magic);
    if (magic != 0xba55ed50)
        return 0;
    memcpy(&header_bytes, (const char *)image + 6, sizeof header_bytes);
    memcpy(&entry_bytes, (const char *)image + header_bytes + 4, sizeof entry_bytes);
    return memcmp((const char *)image + header_bytes + entry_bytes, "\177FLE", 4) == 0;
}

cu_result cuModuleLoadDataEx(cu_module *ret, const void *image, unsigned option_count, int *options,
                             void **values)
{
    /* PTX begins with a comment, and machine code with a number. */
    int is_ptx = *(const char *)image == '/';
    int is_older = is_ptx && strstr(image, ".target sm_90") == NULL;
    const int is_level_0 =
        option_count == 1 && options[0] == CU_JIT_OPTIMIZATION_LEVEL && (uintptr_t)values[0] == 0;
    *ret = (void *)&marker;
    if (is_ptx && strstr(image, ".version 99.0"))
        return CU_ERROR_UNSUPPORTED_PTX_VERSION;
    if (is_damaged(image))
        return CU_ERROR_INVALID_IMAGE;
    if (is_ptx && is_level_0 && mode_is("bad-level"))
        return CU_ERROR_INVALID_VALUE;
    if (is_ptx && dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_NOW | RTLD_LOCAL) &&
        mode_is("jit-crash"))
        abort();
    /* libcuda's behaviour if these are set, whatever their value. */
    if (getenv(is_ptx ? "CUDA_DISABLE_PTX_JIT" : "CUDA_FORCE_PTX_JIT") != NULL)
        return is_ptx ? CU_ERROR_JIT_COMPILATION_DISABLED : CU_ERROR_NO_BINARY_FOR_GPU;
    return mode_is("refuse") || (mode_is("newest") && is_older) ? CU_ERROR_NO_BINARY_FOR_GPU
                                                                : CU_SUCCESS;
}

/* One window, as it has one stream's marker for all. */
static _Thread_local struct cu_window window;

cu_result cuStreamSetAttribute(cu_stream stream, int attribute, const struct cu_window *value)
{
    window = *value;
    return CU_SUCCESS;
}

cu_result cuStreamGetAttribute(cu_stream stream, int attribute, struct cu_window *ret)
{
    *ret = window;
    return CU_SUCCESS;
}

/* Some GPUs' parts and some servers of theirs have L2 to keep, and do not let it be set aside. */
cu_result cuCtxSetLimit(int limit, size_t value)
{
    return mode_is("no-set-aside") ? CU_ERROR_UNSUPPORTED_LIMIT : CU_SUCCESS;
}

cu_result cuCtxGetLimit(size_t *ret, int limit)
{
    *ret = 0;
    return mode_is("no-set-aside") ? CU_ERROR_UNSUPPORTED_LIMIT : CU_SUCCESS;
}

cu_result cuStreamSynchronize(cu_stream stream)
{
    return mode_is("fail") ? CU_ERROR_LAUNCH_FAILED : CU_SUCCESS;
}

cu_result cuGetErrorName(cu_result error, const char **ret)
{
    *ret = mode_is("foreign-error")          ? foreign
           : error == CU_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
                                             : "CUDA_ERROR_STAND_IN";
    return CU_SUCCESS;
}
