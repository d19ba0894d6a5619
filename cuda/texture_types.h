/* Arguments of the driver's calls on textures: the ABI's own structures, and the values of them
 * that assay uses. A texture is memory of one of three sorts (cu_resource) and a way to read it
 * (cu_sampler); kernels get its handle, 8 bytes. */
#pragma once

#include <stddef.h>

/* CUarray_format */
enum {
    CU_FORMAT_U8 = 1,
    CU_FORMAT_U16 = 2,
    CU_FORMAT_S8 = 8,
    CU_FORMAT_S16 = 9,
    CU_FORMAT_F32 = 0x20,
};

/* CUmemorytype, CUresourcetype, CUfilter_mode, and flags of a sampler. */
enum { CU_MEMORY_HOST = 1, CU_MEMORY_DEVICE = 2, CU_MEMORY_ARRAY = 3 };
enum { CU_RESOURCE_ARRAY = 0, CU_RESOURCE_LINEAR = 2, CU_RESOURCE_PITCH = 3 };
enum { CU_FILTER_POINT = 0, CU_FILTER_LINEAR = 1 };
enum { CU_SAMPLER_NORMALIZED_COORDINATES = 2 };

/* CUDA_ARRAY_DESCRIPTOR: a height of 0 makes a line. */
struct cu_array_shape {
    size_t width, height;
    int format;
    unsigned channels;
};

/* CUDA_MEMCPY2D */
struct cu_copy_side {
    size_t x_bytes, y;
    int memory;
    void *host;
    unsigned long long device;
    void *array;
    size_t pitch;
};
struct cu_copy {
    struct cu_copy_side source, target;
    size_t width_bytes, height;
};

/* CUDA_RESOURCE_DESC */
struct cu_resource {
    int kind;
    union {
        void *array;
        struct {
            unsigned long long address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            unsigned long long address;
            int format;
            unsigned channels;
            size_t width, height, pitch_bytes;
        } pitch;
        int reserved[32];
    } memory;
    unsigned flags;
};

/* CUDA_TEXTURE_DESC. Integers are read as floats unless a flag says otherwise. */
struct cu_sampler {
    int address[3];
    int filter;
    unsigned flags;
    unsigned max_anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most;
    float border[4];
    int reserved[12];
};
