/* Does calls.def agree with the toolkit's cuda.h? It does where this compiles: each line's function
 * is called with its parameters, so a wrong name, count or type is an error. A test compiles it,
 * and the program never holds it. Clause: driver.calls.everywhere. */
#include <cuda.h>
#include <stddef.h>

#include "cuda/texture_types.h"

typedef CUdevice cu_device;
typedef CUdeviceptr cu_address;
typedef CUcontext cu_context;
typedef CUmodule cu_module;
typedef CUfunction cu_function;
typedef CUstream cu_stream;
typedef CUevent cu_event;
typedef CUresult cu_result;
typedef CUarray cu_array;
typedef CUtexObject cu_texture;

/* The structures of textures are declared again, member by member in the same places. */
#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(struct ours) == sizeof(theirs), #ours)
#define SAME(ours, member, theirs, named)                                                          \
    _Static_assert(offsetof(struct ours, member) == offsetof(theirs, named), #ours "." #member)
SAME_SIZE(cu_array_shape, CUDA_ARRAY_DESCRIPTOR);
SAME(cu_array_shape, format, CUDA_ARRAY_DESCRIPTOR, Format);
SAME(cu_array_shape, channels, CUDA_ARRAY_DESCRIPTOR, NumChannels);
SAME_SIZE(cu_copy, CUDA_MEMCPY2D);
SAME(cu_copy, source.memory, CUDA_MEMCPY2D, srcMemoryType);
SAME(cu_copy, source.device, CUDA_MEMCPY2D, srcDevice);
SAME(cu_copy, source.pitch, CUDA_MEMCPY2D, srcPitch);
SAME(cu_copy, target.x_bytes, CUDA_MEMCPY2D, dstXInBytes);
SAME(cu_copy, target.memory, CUDA_MEMCPY2D, dstMemoryType);
SAME(cu_copy, target.device, CUDA_MEMCPY2D, dstDevice);
SAME(cu_copy, target.array, CUDA_MEMCPY2D, dstArray);
SAME(cu_copy, target.pitch, CUDA_MEMCPY2D, dstPitch);
SAME(cu_copy, width_bytes, CUDA_MEMCPY2D, WidthInBytes);
SAME(cu_copy, height, CUDA_MEMCPY2D, Height);
SAME_SIZE(cu_resource, CUDA_RESOURCE_DESC);
SAME(cu_resource, memory.array, CUDA_RESOURCE_DESC, res.array.hArray);
SAME(cu_resource, memory.linear.address, CUDA_RESOURCE_DESC, res.linear.devPtr);
SAME(cu_resource, memory.linear.format, CUDA_RESOURCE_DESC, res.linear.format);
SAME(cu_resource, memory.linear.channels, CUDA_RESOURCE_DESC, res.linear.numChannels);
SAME(cu_resource, memory.linear.bytes, CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
SAME(cu_resource, memory.pitch.address, CUDA_RESOURCE_DESC, res.pitch2D.devPtr);
SAME(cu_resource, memory.pitch.format, CUDA_RESOURCE_DESC, res.pitch2D.format);
SAME(cu_resource, memory.pitch.channels, CUDA_RESOURCE_DESC, res.pitch2D.numChannels);
SAME(cu_resource, memory.pitch.width, CUDA_RESOURCE_DESC, res.pitch2D.width);
SAME(cu_resource, memory.pitch.height, CUDA_RESOURCE_DESC, res.pitch2D.height);
SAME(cu_resource, memory.pitch.pitch_bytes, CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
SAME(cu_resource, flags, CUDA_RESOURCE_DESC, flags);
SAME_SIZE(cu_sampler, CUDA_TEXTURE_DESC);
SAME(cu_sampler, filter, CUDA_TEXTURE_DESC, filterMode);
SAME(cu_sampler, flags, CUDA_TEXTURE_DESC, flags);
SAME(cu_sampler, border, CUDA_TEXTURE_DESC, borderColor);
#define VALUE(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
VALUE(CU_FORMAT_U8, CU_AD_FORMAT_UNSIGNED_INT8);
VALUE(CU_FORMAT_U16, CU_AD_FORMAT_UNSIGNED_INT16);
VALUE(CU_FORMAT_S8, CU_AD_FORMAT_SIGNED_INT8);
VALUE(CU_FORMAT_S16, CU_AD_FORMAT_SIGNED_INT16);
VALUE(CU_FORMAT_F32, CU_AD_FORMAT_FLOAT);
VALUE(CU_MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE);
VALUE(CU_MEMORY_ARRAY, CU_MEMORYTYPE_ARRAY);
VALUE(CU_RESOURCE_ARRAY, CU_RESOURCE_TYPE_ARRAY);
VALUE(CU_RESOURCE_LINEAR, CU_RESOURCE_TYPE_LINEAR);
VALUE(CU_RESOURCE_PITCH, CU_RESOURCE_TYPE_PITCH2D);
VALUE(CU_FILTER_POINT, CU_TR_FILTER_MODE_POINT);
VALUE(CU_FILTER_LINEAR, CU_TR_FILTER_MODE_LINEAR);
VALUE(CU_SAMPLER_NORMALIZED_COORDINATES, CU_TRSF_NORMALIZED_COORDINATES);

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
#undef cuArrayCreate
#define cuArrayCreate_v2(ret, shape)                                                               \
    cuArrayCreate_v2(ret, (const CUDA_ARRAY_DESCRIPTOR *)(const void *)(shape))
#define cuMemcpy2DAsync_v2(copy, stream)                                                           \
    cuMemcpy2DAsync_v2((const CUDA_MEMCPY2D *)(const void *)(copy), stream)
#define cuTexObjectCreate(ret, resource, sampler, view)                                            \
    cuTexObjectCreate(ret, (const CUDA_RESOURCE_DESC *)(const void *)(resource),                   \
                      (const CUDA_TEXTURE_DESC *)(const void *)(sampler),                          \
                      (const CUDA_RESOURCE_VIEW_DESC *)(view))

#define CALL(member, name, parameters, arguments)                                                  \
    static inline cu_result call_##member parameters                                               \
    {                                                                                              \
        return name arguments;                                                                     \
    }
/* An older header has the older name alone; a newer one makes it mean the newer. */
#define CALL_RENAMED(member, name, older, parameters, arguments)                                   \
    CALL(member, older, parameters, arguments)
#include "cuda/calls.def"
