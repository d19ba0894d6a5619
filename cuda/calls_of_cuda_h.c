/* Does calls.def agree with the toolkit's cuda.h? It does where this compiles: each line's function
 * is called with its parameters, so a wrong name, count or type is an error. A test compiles it,
 * and the program never holds it. Clause: driver.calls.everywhere. */
#include <cuda.h>

typedef CUdevice cu_device;
typedef CUdeviceptr cu_address;
typedef CUcontext cu_context;
typedef CUmodule cu_module;
typedef CUfunction cu_function;
typedef CUstream cu_stream;
typedef CUevent cu_event;
typedef CUresult cu_result;

/* Its 16 bytes are a struct there. */
#undef cuDeviceGetUuid
#define cuDeviceGetUuid(ret, device) cuDeviceGetUuid_v2((CUuuid *)(void *)(ret), device)

/* Its options are an enum there. */
#define cuModuleLoadDataEx(ret, image, count, options, values)                                     \
    cuModuleLoadDataEx(ret, image, count, (CUjit_option *)(void *)(options), values)

/* A stream's attribute is a union there. */
struct cu_window;
#undef cuStreamSetAttribute
#define cuStreamSetAttribute(stream, attribute, value)                                             \
    cuStreamSetAttribute(stream, attribute, (const CUstreamAttrValue *)(const void *)(value))
#undef cuStreamGetAttribute
#define cuStreamGetAttribute(stream, attribute, ret)                                               \
    cuStreamGetAttribute(stream, attribute, (CUstreamAttrValue *)(void *)(ret))

#define CALL(member, name, parameters, arguments)                                                  \
    static inline cu_result call_##member parameters                                               \
    {                                                                                              \
        return name arguments;                                                                     \
    }
/* An older header has the older name alone; a newer one makes it mean the newer. */
#define CALL_RENAMED(member, name, older, parameters, arguments)                                   \
    CALL(member, older, parameters, arguments)
#include "cuda/calls.def"
