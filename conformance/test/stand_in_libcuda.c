/* A stand-in for libcuda.so.1 that takes every call and launches nothing: the GPU's half of the
 * runner (threads, batches, both code paths) meets a stack that answers success and does not
 * compute. With ASSAY_STAND_IN=refuse it refuses every module, as a GPU does for which no machine
 * code was made; with ASSAY_STAND_IN=mismatch it does not even
 * start; with ASSAY_STAND_IN=fail every wait ends in a launch failure; with ASSAY_STAND_IN=slow it
 * takes seconds to start; with ASSAY_STAND_IN=streams it has no more than three streams;
 * with ASSAY_STAND_IN=no-device it says that there is no device, and with ASSAY_STAND_IN=devices:N
 * it has N, and with ASSAY_STAND_IN=twins one that it shows twice; with ASSAY_STAND_IN=newest it
 * refuses PTX that is not of its own architecture; with ASSAY_STAND_IN=turing it is of the lowest
 * architecture that CUDA 13 compiles; with
 * ASSAY_STAND_IN=foreign-name and foreign-error its device's name and its errors' names are no
 * UTF-8, and a terminal would obey them. PTX makes it load a JIT compiler where there is one, and
 * crash on it with ASSAY_STAND_IN=jit-crash. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/driver.h"

/* No header declares libcuda's names, and none shall: the runner finds them by name. */
#define API(name, parameters)                                                                      \
    int name parameters;                                                                           \
    int name parameters

static int marker; /* what every opaque handle points at */

static const char foreign[] = "stand\xf6\xc2\x9b\x1b[2J\nin";

static int mode_is(const char *mode)
{
    const char *set = getenv("ASSAY_STAND_IN");
    return set != NULL && strcmp(set, mode) == 0;
}

/* Functions that have nothing to give, and functions that give a handle or a number. */
#define TAKES(name, parameters)                                                                    \
    API(name, parameters)                                                                          \
    {                                                                                              \
        return CU_SUCCESS;                                                                         \
    }
#define GIVES(name, parameters, value)                                                             \
    API(name, parameters)                                                                          \
    {                                                                                              \
        *ret = value;                                                                              \
        return CU_SUCCESS;                                                                         \
    }

GIVES(cuDriverGetVersion, (int *ret), 13000)
GIVES(cuDeviceGet, (cu_device * ret, int ordinal), ordinal)
TAKES(cuDevicePrimaryCtxRelease_v2, (cu_device device __attribute__((unused))))
TAKES(cuCtxSetCurrent, (void *context __attribute__((unused))))
TAKES(cuCtxSynchronize, (void))
GIVES(cuDevicePrimaryCtxRetain, (void **ret, cu_device device __attribute__((unused))), &marker)
GIVES(cuDeviceTotalMem_v2, (size_t * ret, cu_device device __attribute__((unused))),
      (size_t)1 << 33)
TAKES(cuStreamDestroy_v2, (void *stream __attribute__((unused))))
TAKES(cuLaunchHostFunc,
      (void *stream __attribute__((unused)), void (*function)(void *) __attribute__((unused)),
       void *context __attribute__((unused))))
GIVES(cuEventCreate, (void **ret, unsigned flags __attribute__((unused))), &marker)
TAKES(cuEventDestroy_v2, (void *event __attribute__((unused))))
TAKES(cuEventRecord, (void *event __attribute__((unused)), void *stream __attribute__((unused))))
TAKES(cuEventSynchronize, (void *event __attribute__((unused))))
GIVES(cuEventElapsedTime,
      (float *ret, void *start __attribute__((unused)), void *end __attribute__((unused))), 1.0f)
TAKES(cuModuleUnload, (void *module __attribute__((unused))))
GIVES(cuModuleGetFunction,
      (void **ret, void *module __attribute__((unused)), const char *name __attribute__((unused))),
      &marker)
GIVES(cuFuncGetAttribute,
      (int *ret, int attribute __attribute__((unused)), void *function __attribute__((unused))), 0)

API(cuDeviceGetCount, (int *ret))
{
    static const char devices[] = "devices:";
    const char *set = getenv("ASSAY_STAND_IN");
    bool counted = set != NULL && strncmp(set, devices, sizeof devices - 1) == 0;
    *ret = counted ? atoi(set + sizeof devices - 1) : mode_is("twins") ? 2 : 1;
    return CU_SUCCESS;
}

TAKES(cuFuncSetAttribute,
      (void *function __attribute__((unused)), int attribute __attribute__((unused)),
       int value __attribute__((unused))))

API(cuInit, (unsigned flags __attribute__((unused))))
{
    enum { SYSTEM_DRIVER_MISMATCH = 803 };
    if (mode_is("slow"))
        sleep(3);
    if (mode_is("foreign-error"))
        return SYSTEM_DRIVER_MISMATCH;
    if (mode_is("no-device"))
        return CU_ERROR_NO_DEVICE;
    return mode_is("mismatch") ? SYSTEM_DRIVER_MISMATCH : CU_SUCCESS;
}

API(cuStreamCreate, (void **ret, unsigned flags __attribute__((unused))))
{
    static atomic_int count;
    *ret = &marker;
    return mode_is("streams") && ++count > 3 ? CU_ERROR_OUT_OF_MEMORY : CU_SUCCESS;
}

API(cuDeviceGetName, (char *ret, int bytes, cu_device device __attribute__((unused))))
{
    snprintf(ret, (size_t)bytes, "%s", mode_is("foreign-name") ? foreign : "stand-in");
    return CU_SUCCESS;
}

API(cuDeviceGetUuid_v2, (unsigned char *ret, cu_device device))
{
    memset(ret, 0, 16);
    ret[15] = mode_is("twins") ? 1 : (unsigned char)(device + 1);
    return CU_SUCCESS;
}

API(cuDeviceGetAttribute, (int *ret, int attribute, cu_device device __attribute__((unused))))
{
    static const int values[][2] = {
        {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {CU_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
        {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
        {CU_ATTRIBUTE_WARP_SIZE, 32},
        {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
    };
    *ret = 1;
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++)
        if (values[index][0] == attribute)
            *ret = values[index][1];
    if (mode_is("turing") && attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        *ret = 7;
    if (mode_is("turing") && attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        *ret = 5;
    return CU_SUCCESS;
}

/* Device memory is ordinary memory, and copies are done at once. */
API(cuMemAlloc_v2, (cu_address * ret, size_t bytes))
{
    void *memory = malloc(bytes);
    *ret = (cu_address)(uintptr_t)memory;
    return memory ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
}

API(cuMemFree_v2, (cu_address address))
{
    free((void *)(uintptr_t)address);
    return CU_SUCCESS;
}

API(cuMemGetInfo_v2, (size_t * ret_free, size_t *ret_total))
{
    *ret_free = *ret_total = (size_t)1 << 33;
    return CU_SUCCESS;
}

API(cuMemHostAlloc, (void **ret, size_t bytes, unsigned flags __attribute__((unused))))
{
    *ret = malloc(bytes);
    return *ret ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
}

API(cuMemFreeHost, (void *memory))
{
    free(memory);
    return CU_SUCCESS;
}

API(cuMemcpyHtoDAsync_v2,
    (cu_address target, const void *source, size_t bytes, void *stream __attribute__((unused))))
{
    memcpy((void *)(uintptr_t)target, source, bytes);
    return CU_SUCCESS;
}

API(cuMemcpyDtoHAsync_v2,
    (void *target, cu_address source, size_t bytes, void *stream __attribute__((unused))))
{
    memcpy(target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

API(cuMemcpyDtoDAsync_v2,
    (cu_address target, cu_address source, size_t bytes, void *stream __attribute__((unused))))
{
    memcpy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

API(cuMemsetD8Async,
    (cu_address target, unsigned char value, size_t bytes, void *stream __attribute__((unused))))
{
    memset((void *)(uintptr_t)target, value, bytes);
    return CU_SUCCESS;
}

API(cuModuleLoadData, (void **ret, const void *image))
{
    /* PTX begins with a comment, and machine code with a number. */
    int is_ptx = *(const char *)image == '/';
    int is_older = is_ptx && strstr(image, ".target sm_90") == NULL;
    *ret = &marker;
    if (is_ptx && dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_NOW | RTLD_LOCAL) &&
        mode_is("jit-crash"))
        abort();
    /* What libcuda does where these are set, whatever their value. */
    if (getenv(is_ptx ? "CUDA_DISABLE_PTX_JIT" : "CUDA_FORCE_PTX_JIT") != NULL)
        return is_ptx ? CU_ERROR_JIT_COMPILATION_DISABLED : CU_ERROR_NO_BINARY_FOR_GPU;
    return mode_is("refuse") || (mode_is("newest") && is_older) ? CU_ERROR_NO_BINARY_FOR_GPU
                                                                : CU_SUCCESS;
}

/* The one call that is not done. */
TAKES(cuLaunchKernel,
      (void *function __attribute__((unused)), unsigned grid_x __attribute__((unused)),
       unsigned grid_y __attribute__((unused)), unsigned grid_z __attribute__((unused)),
       unsigned block_x __attribute__((unused)), unsigned block_y __attribute__((unused)),
       unsigned block_z __attribute__((unused)), unsigned shared __attribute__((unused)),
       void *stream __attribute__((unused)), void **parameters __attribute__((unused)),
       void **extra __attribute__((unused))))

API(cuStreamSynchronize, (void *stream __attribute__((unused))))
{
    return mode_is("fail") ? CU_ERROR_LAUNCH_FAILED : CU_SUCCESS;
}

API(cuGetErrorName, (cu_result error, const char **ret))
{
    *ret = mode_is("foreign-error")          ? foreign
           : error == CU_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
                                             : "CUDA_ERROR_STAND_IN";
    return CU_SUCCESS;
}
