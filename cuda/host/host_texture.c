/* The host driver's arrays and textures: an array is rows without gaps, a texture what
 * texture_filter.h reads. Clause: driver.host.textures. */
#include "cuda/host/emulation_interface.h"
#include "cuda/host/fault_note.h"
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"
#include "cuda/host/texture_filter.h"

#include <stdlib.h>
#include <string.h>

struct array {
    struct array *next;
    void *handle;
    struct cu_array_shape shape;
    unsigned char *memory;
    size_t row_bytes, bytes;
};

struct texture {
    struct texture *next;
    void *handle;
    bool is_line_of_memory; /* texels by index alone */
    struct texture_source source;
};

static struct array *arrays;
static struct texture *textures;

static struct array *find_array(const void *handle)
{
    LINK_TO(array, arrays, handle)
    return *link;
}

static bool is_format(int format, unsigned channels)
{
    return texture_format_bytes(format) > 0 && (channels == 1 || channels == 2 || channels == 4);
}

cu_result host_array_create(cu_array *ret, const struct cu_array_shape *shape)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (!shape || shape->width == 0 || !is_format(shape->format, shape->channels))
        return CU_ERROR_INVALID_VALUE;
    struct array *array = calloc(1, sizeof *array);
    if (!array)
        return CU_ERROR_OUT_OF_MEMORY;
    array->shape = *shape;
    array->row_bytes = shape->width * shape->channels * texture_format_bytes(shape->format);
    array->bytes = array->row_bytes * (shape->height ? shape->height : 1);
    array->memory = memory_make(MEMORY_DEVICE, array->bytes);
    if (!array->memory) {
        free(array);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    array->handle = host_handle_new();
    array->next = arrays;
    arrays = array;
    *ret = array->handle;
    return CU_SUCCESS;
}

static void free_array(struct array *array)
{
    memory_drop(MEMORY_DEVICE, array->memory);
    free(array);
}

cu_result host_array_destroy(cu_array handle)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS)
        return result;
    LINK_TO(array, arrays, handle)
    struct array *array = *link;
    if (!array)
        return HOST_ERROR_INVALID_HANDLE;
    *link = array->next;
    free_array(array);
    return CU_SUCCESS;
}

/* The first byte of one side of a copy; NULL where its rows are not all inside. */
static unsigned char *find_side(const struct cu_copy_side *side, const struct cu_copy *copy,
                                size_t *ret_pitch)
{
    size_t bytes = 0;
    unsigned char *memory = NULL;
    if (side->memory == CU_MEMORY_ARRAY) {
        const struct array *array = find_array(side->array);
        if (!array || side->x_bytes + copy->width_bytes > array->row_bytes)
            return NULL;
        memory = array->memory;
        bytes = array->bytes;
        *ret_pitch = array->row_bytes;
    } else if (side->memory == CU_MEMORY_DEVICE) {
        memory = (unsigned char *)(uintptr_t)side->device;
        *ret_pitch = side->pitch;
        bytes = (side->y + copy->height - 1) * side->pitch + side->x_bytes + copy->width_bytes;
        if (side->x_bytes + copy->width_bytes > side->pitch ||
            !memory_holds(MEMORY_DEVICE, side->device, bytes))
            return NULL;
    } else if (side->memory == CU_MEMORY_HOST) {
        memory = side->host;
        *ret_pitch = side->pitch;
        bytes = (side->y + copy->height - 1) * side->pitch + side->x_bytes + copy->width_bytes;
        if (side->x_bytes + copy->width_bytes > side->pitch)
            return NULL;
    }
    const size_t first = side->y * *ret_pitch + side->x_bytes;
    const size_t end = first + (copy->height - 1) * *ret_pitch + copy->width_bytes;
    return memory && end <= bytes ? memory + first : NULL;
}

cu_result host_memcpy_2d_async(const struct cu_copy *copy, cu_stream stream)
{
    const cu_result result = host_ready();
    size_t source_pitch = 0, target_pitch = 0;
    if (result != CU_SUCCESS)
        return result;
    if (!host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (!copy)
        return CU_ERROR_INVALID_VALUE;
    if (copy->width_bytes == 0 || copy->height == 0)
        return CU_SUCCESS;
    const unsigned char *source = find_side(&copy->source, copy, &source_pitch);
    unsigned char *target = find_side(&copy->target, copy, &target_pitch);
    if (!source || !target)
        return CU_ERROR_INVALID_VALUE;
    for (size_t row = 0; row < copy->height; row++)
        memcpy(target + row * target_pitch, source + row * source_pitch, copy->width_bytes);
    return CU_SUCCESS;
}

static bool source_of_array(const struct cu_resource *resource, struct texture_source *ret)
{
    const struct array *array = find_array(resource->memory.array);
    if (!array)
        return false;
    *ret = (struct texture_source){.texels = array->memory,
                                   .width = array->shape.width,
                                   .height = array->shape.height,
                                   .pitch_bytes = array->row_bytes,
                                   .format = array->shape.format,
                                   .channels = array->shape.channels};
    return true;
}

/* Rows begin at multiples of 32 bytes, as on a GPU (texturePitchAlignment), and memory at multiples
 * of 256, which is what memory.h gives. */
static bool source_of_pitch(const struct cu_resource *resource, struct texture_source *ret)
{
    const size_t texel_bytes =
        texture_format_bytes(resource->memory.pitch.format) * resource->memory.pitch.channels;
    const size_t bytes = resource->memory.pitch.pitch_bytes * resource->memory.pitch.height;
    *ret = (struct texture_source){.texels =
                                       (unsigned char *)(uintptr_t)resource->memory.pitch.address,
                                   .width = resource->memory.pitch.width,
                                   .height = resource->memory.pitch.height,
                                   .pitch_bytes = resource->memory.pitch.pitch_bytes,
                                   .format = resource->memory.pitch.format,
                                   .channels = resource->memory.pitch.channels};
    return is_format(ret->format, ret->channels) && ret->width > 0 && ret->height > 0 &&
           ret->pitch_bytes % 32 == 0 && ret->width * texel_bytes <= ret->pitch_bytes &&
           resource->memory.pitch.address % 256 == 0 &&
           memory_holds(MEMORY_DEVICE, resource->memory.pitch.address, bytes);
}

static bool source_of_linear(const struct cu_resource *resource, struct texture_source *ret)
{
    const size_t texel_bytes =
        texture_format_bytes(resource->memory.linear.format) * resource->memory.linear.channels;
    *ret = (struct texture_source){.texels =
                                       (unsigned char *)(uintptr_t)resource->memory.linear.address,
                                   .format = resource->memory.linear.format,
                                   .channels = resource->memory.linear.channels};
    if (!is_format(ret->format, ret->channels))
        return false;
    ret->width = resource->memory.linear.bytes / texel_bytes;
    return resource->memory.linear.address % 256 == 0 &&
           memory_holds(MEMORY_DEVICE, resource->memory.linear.address,
                        resource->memory.linear.bytes);
}

cu_result host_texture_create(cu_texture *ret, const struct cu_resource *resource,
                              const struct cu_sampler *sampler, const void *view)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (!resource || !sampler || view)
        return CU_ERROR_INVALID_VALUE;
    struct texture made = {.is_line_of_memory = resource->kind == CU_RESOURCE_LINEAR};
    const bool is_right =
        resource->kind == CU_RESOURCE_ARRAY    ? source_of_array(resource, &made.source)
        : resource->kind == CU_RESOURCE_PITCH  ? source_of_pitch(resource, &made.source)
        : resource->kind == CU_RESOURCE_LINEAR ? source_of_linear(resource, &made.source)
                                               : false;
    if (!is_right)
        return CU_ERROR_INVALID_VALUE;
    made.source.sampler = *sampler;
    struct texture *texture = malloc(sizeof *texture);
    if (!texture)
        return CU_ERROR_OUT_OF_MEMORY;
    made.handle = host_handle_new();
    made.next = textures;
    *texture = made;
    textures = texture;
    *ret = (cu_texture)(uintptr_t)texture->handle;
    return CU_SUCCESS;
}

cu_result host_texture_destroy(cu_texture handle)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS)
        return result;
    LINK_TO(texture, textures, (uintptr_t)handle)
    struct texture *texture = *link;
    if (!texture)
        return HOST_ERROR_INVALID_HANDLE;
    *link = texture->next;
    free(texture);
    return CU_SUCCESS;
}

void host_texture_drop_all(void)
{
    while (textures) {
        struct texture *texture = textures;
        textures = texture->next;
        free(texture);
    }
    while (arrays) {
        struct array *array = arrays;
        arrays = array->next;
        free_array(array);
    }
}

/* The texture that a kernel's handle names. */
static const struct texture *find_texture(unsigned long long handle)
{
    LINK_TO(texture, textures, (uintptr_t)handle)
    if (!*link)
        emulation_trap("host_texture.c: no such texture", __LINE__);
    return *link;
}

void emulation_texture_fetch(unsigned long long handle, int dimensions, float x, float y,
                             float ret[4])
{
    const struct texture *texture = find_texture(handle);
    if (texture->is_line_of_memory || (texture->source.height == 0) != (dimensions == 1))
        emulation_trap("host_texture.c: a texture of other dimensions", __LINE__);
    texture_filter(&texture->source, x, y, ret);
}

/* Outside, all numbers are 0. */
void emulation_texture_load(unsigned long long handle, int index, float ret[4])
{
    const struct texture *texture = find_texture(handle);
    if (!texture->is_line_of_memory)
        emulation_trap("host_texture.c: a texture of other dimensions", __LINE__);
    memset(ret, 0, 4 * sizeof *ret);
    if (index >= 0 && (size_t)index < texture->source.width)
        texture_texel(&texture->source, 0, (size_t)index, ret);
}
