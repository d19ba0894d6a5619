/* A library with the names of libcuda's functions, for the test that opens it. Each says by what it
 * returns under which kind of name it was found: 7 its newest, 8 an older one. */

/* No header declares them, and none shall. */
#define NEWEST(name)                                                                               \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        return 7;                                                                                  \
    }
#define OLDER(name)                                                                                \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        return 8;                                                                                  \
    }

NEWEST(cuInit)
NEWEST(cuDriverGetVersion)
NEWEST(cuDeviceGetCount)
NEWEST(cuDeviceGet)
NEWEST(cuDeviceGetName)
NEWEST(cuDeviceGetUuid_v2)
NEWEST(cuDeviceTotalMem_v2)
NEWEST(cuDeviceGetAttribute)
NEWEST(cuDevicePrimaryCtxRetain)
NEWEST(cuDevicePrimaryCtxRelease_v2)
NEWEST(cuCtxSetCurrent)
NEWEST(cuCtxSynchronize)
NEWEST(cuMemAlloc_v2)
NEWEST(cuMemFree_v2)
NEWEST(cuMemGetInfo_v2)
NEWEST(cuMemHostAlloc)
NEWEST(cuMemFreeHost)
NEWEST(cuMemcpyHtoDAsync_v2)
NEWEST(cuMemcpyDtoHAsync_v2)
NEWEST(cuMemcpyDtoDAsync_v2)
NEWEST(cuMemsetD8Async)
NEWEST(cuModuleLoadData)
NEWEST(cuModuleUnload)
NEWEST(cuModuleGetFunction)
NEWEST(cuFuncGetAttribute)
NEWEST(cuFuncSetAttribute)
NEWEST(cuLaunchKernel)
NEWEST(cuStreamCreate)
NEWEST(cuStreamDestroy_v2)
NEWEST(cuStreamSynchronize)
NEWEST(cuLaunchHostFunc)
NEWEST(cuEventCreate)
NEWEST(cuEventDestroy_v2)
NEWEST(cuEventRecord)
NEWEST(cuEventSynchronize)
NEWEST(cuGetErrorName)
OLDER(cuEventElapsedTime)
