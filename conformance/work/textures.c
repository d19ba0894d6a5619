/* Making and filling textures (textures.h). */
#include "conformance/work/textures.h"

#include <string.h>

/* What any GPU's memory for textures and each of its rows is aligned to (CUDA C++ programming
 * guide: 512 and 32 bytes). */
enum { ALIGNMENT_BYTES = 512, ROW_ALIGNMENT_BYTES = 32, STALE_BYTE = 0xa5 };

static int format_of(const struct texture *shape)
{
    static const int numbers[TEXEL_COUNT] = {CU_FORMAT_U8, CU_FORMAT_S8, CU_FORMAT_U16,
                                             CU_FORMAT_S16, CU_FORMAT_F32};
    return numbers[shape->texel];
}

static size_t rows_of(const struct texture *shape)
{
    return shape->height == 0 ? 1 : (size_t)shape->height;
}

static size_t texels_bytes(const struct texture *shape, int64_t texels)
{
    return (size_t)(texels * shape->channels * texel_bytes(shape->texel));
}

/* A line of memory has its operand's rows and what lies between them. */
static size_t memory_bytes(const struct texture_held *held)
{
    const struct texture *shape = &held->shape;
    const int64_t gaps = shape->leading * (int64_t)(rows_of(shape) - 1);
    return held->sort == KERNEL_TEXTURE_PITCH ? held->pitch_bytes * rows_of(shape)
                                              : texels_bytes(shape, gaps + shape->width);
}

static cu_result make_memory(struct texture_held *held, const struct cuda_driver *driver,
                             struct cu_resource *ret)
{
    const struct texture *shape = &held->shape;
    const size_t row_bytes = texels_bytes(shape, shape->width);
    held->pitch_bytes =
        (row_bytes + ROW_ALIGNMENT_BYTES - 1) / ROW_ALIGNMENT_BYTES * ROW_ALIGNMENT_BYTES;
    const size_t bytes = memory_bytes(held);
    const cu_result error = driver->mem_alloc(&held->allocated, bytes + ALIGNMENT_BYTES);
    if (error != CU_SUCCESS)
        return error;
    held->memory = (held->allocated + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    if (held->sort == KERNEL_TEXTURE_LINEAR) {
        ret->kind = CU_RESOURCE_LINEAR;
        ret->memory.linear.address = held->memory;
        ret->memory.linear.format = format_of(shape);
        ret->memory.linear.channels = (unsigned)shape->channels;
        ret->memory.linear.bytes = bytes;
        return CU_SUCCESS;
    }
    ret->kind = CU_RESOURCE_PITCH;
    ret->memory.pitch.address = held->memory;
    ret->memory.pitch.format = format_of(shape);
    ret->memory.pitch.channels = (unsigned)shape->channels;
    ret->memory.pitch.width = (size_t)shape->width;
    ret->memory.pitch.height = rows_of(shape);
    ret->memory.pitch.pitch_bytes = held->pitch_bytes;
    return CU_SUCCESS;
}

static cu_result make_array(struct texture_held *held, const struct cuda_driver *driver,
                            struct cu_resource *ret)
{
    const struct cu_array_shape shape = {.width = (size_t)held->shape.width,
                                         .height = (size_t)held->shape.height,
                                         .format = format_of(&held->shape),
                                         .channels = (unsigned)held->shape.channels};
    const cu_result error = driver->array_create(&held->array, &shape);
    ret->kind = CU_RESOURCE_ARRAY;
    ret->memory.array = held->array;
    return error;
}

/* Clause: texture_fetch.border.color. Of one dimension the second address mode must not count: an
 * H200 looks at it. */
static struct cu_sampler sampler_of(const struct texture *shape, enum kernel_texture sort)
{
    struct cu_sampler sampler = {.address = {ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP},
                                 .border = {1, -1, 0, 1}};
    if (sort == KERNEL_TEXTURE_LINEAR)
        return sampler;
    sampler.address[0] = (int)shape->address[0];
    if (shape->height > 0)
        sampler.address[1] = (int)shape->address[1];
    sampler.filter = shape->is_linear ? CU_FILTER_LINEAR : CU_FILTER_POINT;
    sampler.flags = shape->is_normalized ? CU_SAMPLER_NORMALIZED_COORDINATES : 0;
    return sampler;
}

static void release(struct texture_held *held, const struct cuda_driver *driver)
{
    if (held->object)
        driver->texture_destroy(held->object);
    if (held->array)
        driver->array_destroy(held->array);
    if (held->allocated)
        driver->mem_free(held->allocated);
    *held = (struct texture_held){.object = 0};
}

static bool is_same(const struct texture *left, const struct texture *right)
{
    return left->width == right->width && left->height == right->height &&
           left->leading == right->leading && left->texel == right->texel &&
           left->channels == right->channels && left->is_linear == right->is_linear &&
           left->is_normalized == right->is_normalized && left->address[0] == right->address[0] &&
           left->address[1] == right->address[1];
}

cu_result textures_take(struct textures *textures, const struct cuda_driver *driver,
                        enum kernel_texture sort, const struct texture *shape,
                        const struct texture_held **ret)
{
    struct texture_held *held = &textures->held[sort];
    const struct cu_sampler sampler = sampler_of(shape, sort);
    struct cu_resource resource = {.flags = 0};
    *ret = held;
    if (held->object && is_same(&held->shape, shape))
        return CU_SUCCESS;
    release(held, driver);
    held->sort = sort;
    held->shape = *shape;
    cu_result error = sort == KERNEL_TEXTURE_ARRAY ? make_array(held, driver, &resource)
                                                   : make_memory(held, driver, &resource);
    if (error == CU_SUCCESS)
        error = driver->texture_create(&held->object, &resource, &sampler, NULL);
    if (error != CU_SUCCESS)
        release(held, driver);
    return error;
}

cu_result texture_put(const struct texture_held *held, const struct cuda_driver *driver,
                      cu_address from, cu_stream stream)
{
    const struct texture *shape = &held->shape;
    const size_t bytes = memory_bytes(held);
    struct cu_copy copy = {
        .source = {.memory = CU_MEMORY_DEVICE,
                   .device = from,
                   .pitch = texels_bytes(shape, shape->leading)},
        .target = {.memory = CU_MEMORY_DEVICE, .device = held->memory, .pitch = held->pitch_bytes},
        .width_bytes = texels_bytes(shape, shape->width),
        .height = rows_of(shape)};
    if (held->sort == KERNEL_TEXTURE_ARRAY) {
        copy.target = (struct cu_copy_side){.memory = CU_MEMORY_ARRAY, .array = held->array};
        return driver->memcpy_2d_async(&copy, stream);
    }
    const cu_result error = driver->memset_d8_async(held->memory, STALE_BYTE, bytes, stream);
    if (error != CU_SUCCESS)
        return error;
    return held->sort == KERNEL_TEXTURE_LINEAR
               ? driver->memcpy_dtod_async(held->memory, from, bytes, stream)
               : driver->memcpy_2d_async(&copy, stream);
}

void textures_release(struct textures *textures, const struct cuda_driver *driver)
{
    for (int sort = 0; sort < KERNEL_TEXTURES; sort++)
        release(&textures->held[sort], driver);
}
