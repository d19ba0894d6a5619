/* The host driver's arrays and textures: an array is rows without gaps, a texture what
 * kernels read. Clause: driver.host.textures. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/host/emulation_interface.h"
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"
#include "cuda/pretended.h"

/* How the emulation reads a texture: coordinates, addressing and filtering as an H200 does them, or
 * with the numbers of bits of the GPU that it pretends to be, in floating point where the golden
 * (cpu_ref/texture_fetch.c) counts in integers. */

/* A texture's memory, and how it is read. */
struct texture_source {
    const unsigned char *texels;
    size_t width, height; /* a height of 0: one dimension */
    size_t pitch_bytes;
    int format; /* of a channel, CU_FORMAT_... */
    unsigned channels;
    struct cu_sampler sampler;
};

enum { WRAP = 0, CLAMP = 1, MIRROR = 2, BORDER = 3 }; /* CUaddress_mode */
enum { CORNERS = 4 };

static const struct texel_format {
    int format;
    size_t bytes;
    double one; /* what stands for 1 */
    bool has_sign;
} formats[] = {{CU_FORMAT_F32, 4, 1, true},
               {CU_FORMAT_U8, 1, 255, false},
               {CU_FORMAT_U16, 2, 65535, false},
               {CU_FORMAT_S8, 1, 127, true},
               {CU_FORMAT_S16, 2, 32767, true}};

static const struct texel_format *find_format(int format)
{
    for (size_t index = 0; index < sizeof formats / sizeof formats[0]; index++)
        if (formats[index].format == format)
            return &formats[index];
    return NULL;
}

/* Bytes of one number of a texel; 0 for a format that assay does not use. */
static size_t texture_format_bytes(int format)
{
    const struct texel_format *found = find_format(format);
    return found ? found->bytes : 0;
}

/* In how many bits a fetch counts; read once from the environment. */
static struct pretended_filter filter;
static pthread_once_t filter_once = PTHREAD_ONCE_INIT;

static void read_filter(void)
{
    filter = pretended_filter();
}

static float to_float(double value, double one)
{
    return (float)fmax(value / one, -1);
}

/* In texels. A normalized coordinate loses the bits below 2^-coordinate_bits. */
static double position(float coordinate, double size, bool is_normalized)
{
    const double far = 0x1p30; /* an even number of sizes, whatever the size */
    double at = isnan(coordinate) || fabsf(coordinate) < FLT_MIN ? 0 : (double)coordinate;
    at = fmin(fmax(at, -far), far);
    return is_normalized
               ? ldexp(floor(ldexp(at, filter.coordinate_bits)), -filter.coordinate_bits) * size
               : at;
}

/* The texel in whose place `index` is read; -1 beyond the border. */
static double in_texture(double index, double size, int mode)
{
    if (mode == BORDER)
        return index < 0 || index >= size ? -1 : index;
    if (mode == CLAMP)
        return fmin(fmax(index, 0), size - 1);
    const double period = mode == WRAP ? size : 2 * size;
    const double within = index - floor(index / period) * period;
    return within < size ? within : period - 1 - within;
}

/* A border's color is brought into the range of the format. */
static double border_channel(const struct texel_format *format, float color)
{
    if (format->format == CU_FORMAT_F32)
        return (double)color;
    return trunc(fmin(fmax((double)color, format->has_sign ? -1 : 0), 1) * format->one);
}

/* The result of floats, of which one is NaN or infinite, or all are zeros; false if they are to
 * be summed. Subnormal ones are zeros. */
static bool combine_special(const double value[], const bool counts[], float *ret)
{
    bool has_nan = false, has_plus = false, has_minus = false, all_minus_zero = true,
         all_zero = true;
    for (int corner = 0; corner < CORNERS; corner++) {
        if (!counts[corner])
            continue;
        const bool is_zero = fabs(value[corner]) < (double)FLT_MIN;
        has_nan |= isnan(value[corner]) != 0;
        has_plus |= value[corner] > DBL_MAX;
        has_minus |= value[corner] < -DBL_MAX;
        all_zero &= is_zero;
        all_minus_zero &= is_zero && signbit(value[corner]);
    }
    if (has_nan || (has_plus && has_minus)) {
        const uint32_t bits = 0x7fffffff;
        memcpy(ret, &bits, sizeof bits);
        return true;
    }
    *ret = has_plus ? INFINITY : has_minus ? -INFINITY : all_minus_zero ? -0.0f : 0.0f;
    return has_plus || has_minus || all_zero;
}

/* Each float loses what is below the last bit that the largest one may have (28 on an H200), and
 * the sum is rounded away from zero at a tie. Everything between is exact in double. */
static float combine_floats(const double value[], const bool counts[], const int weight[])
{
    double largest = 0, sum = 0;
    float special;
    int exponent;
    if (combine_special(value, counts, &special))
        return special;
    for (int corner = 0; corner < CORNERS; corner++)
        if (counts[corner] && weight[corner] > 0 && fabs(value[corner]) >= (double)FLT_MIN)
            largest = fmax(largest, fabs(value[corner]));
    frexp(largest, &exponent);
    for (int corner = 0; corner < CORNERS; corner++)
        if (counts[corner] && fabs(value[corner]) >= (double)FLT_MIN)
            sum += weight[corner] * trunc(ldexp(value[corner], filter.sum_bits - exponent));
    if (sum == 0)
        return 0;
    int digits;
    frexp(sum, &digits);
    const int drop = digits > 24 ? digits - 24 : 0;
    const double rounded =
        ldexp(round(ldexp(sum, -drop)), drop + exponent - filter.sum_bits - filter.weight_bits);
    return fabs(rounded) < (double)FLT_MIN ? (float)copysign(0, rounded) : (float)rounded;
}

/* Bytes and 16-bit integers are weighed as integers, and the sum has 16 bits. */
static float combine_integers(const struct texel_format *format, const double value[],
                              const int weight[])
{
    const double whole = ldexp(1, filter.weight_bits);
    double sum = 0;
    for (int corner = 0; corner < CORNERS; corner++)
        sum += weight[corner] * value[corner];
    switch (format->format) {
    case CU_FORMAT_U8:
        return to_float(floor(257 * sum / whole + 0.5), 65535);
    case CU_FORMAT_U16:
        return to_float(floor(sum / whole + 0.5), 65535);
    case CU_FORMAT_S16:
        return to_float(floor(sum / whole + 0.5), 32767);
    default:
        sum = floor(sum / whole * 256);
        sum += floor((floor(sum / 16) + floor(sum / 4096) + 4) / 8);
        return to_float(sum, 32767);
    }
}

/* Two neighbours along an axis: the first, and how many steps of a weight the second has. */
static double split(double at, bool is_linear, int *ret_next)
{
    *ret_next = 0;
    if (!is_linear)
        return floor(at);
    const double whole = ldexp(1, filter.weight_bits), from = whole * at - whole / 2;
    const double steps = filter.halves_down ? ceil(from - 0.5) : floor(from + 0.5);
    const double first = floor(steps / whole);
    *ret_next = (int)(steps - whole * first);
    return first;
}

struct corners {
    double row[CORNERS], column[CORNERS]; /* -1: the border */
    int weight[CORNERS];
    bool counts[CORNERS];
};

static double read_corner(const struct texture_source *source, const struct texel_format *format,
                          const struct corners *corners, int corner, unsigned channel)
{
    if (corners->row[corner] < 0 || corners->column[corner] < 0)
        return border_channel(format, source->sampler.border[channel]);
    const size_t texel = (size_t)corners->column[corner] * source->channels + channel;
    const unsigned char *from =
        source->texels + (size_t)corners->row[corner] * source->pitch_bytes + texel * format->bytes;
    float value;
    int8_t s8;
    uint16_t u16;
    int16_t s16;
    switch (format->format) {
    case CU_FORMAT_U8:
        return *from;
    case CU_FORMAT_S8:
        memcpy(&s8, from, sizeof s8);
        return s8;
    case CU_FORMAT_U16:
        memcpy(&u16, from, sizeof u16);
        return u16;
    case CU_FORMAT_S16:
        memcpy(&s16, from, sizeof s16);
        return s16;
    default:
        memcpy(&value, from, sizeof value);
        return (double)value;
    }
}

/* The other numbers of a texel that has fewer than four. */
static void set_rest(unsigned channels, float ret[4])
{
    for (unsigned channel = channels; channel < 4; channel++)
        ret[channel] = channel == 3;
}

/* The bits of a float, which a conversion to double and back could change where it is a NaN. */
static float nearest_channel(const struct texture_source *source, const struct texel_format *format,
                             const struct corners *corners, unsigned channel)
{
    float value;
    if (format->format != CU_FORMAT_F32 || corners->row[0] < 0 || corners->column[0] < 0)
        return to_float(read_corner(source, format, corners, 0, channel), format->one);
    memcpy(&value,
           source->texels + (size_t)corners->row[0] * source->pitch_bytes +
               ((size_t)corners->column[0] * source->channels + channel) * sizeof value,
           sizeof value);
    return value;
}

/* Arrays and textures. */

struct array {
    struct host_object object;
    struct cu_array_shape shape;
    unsigned char *memory;
    size_t row_bytes, bytes;
};

struct texture {
    struct host_object object;
    bool is_line_of_memory; /* texels by index alone */
    struct texture_source source;
};

static bool is_format(int format, unsigned channels)
{
    return texture_format_bytes(format) > 0 && (channels == 1 || channels == 2 || channels == 4);
}

cu_result host_array_create(cu_array *ret, const struct cu_array_shape *shape)
{
    if (!shape || shape->width == 0 || !is_format(shape->format, shape->channels))
        return CU_ERROR_INVALID_VALUE;
    const size_t row_bytes = shape->width * shape->channels * texture_format_bytes(shape->format);
    const size_t bytes = row_bytes * (shape->height ? shape->height : 1);
    void *memory = memory_make(MEMORY_DEVICE, host_current(), bytes);
    struct array *array = memory ? host_object_make(HOST_ARRAY, sizeof *array) : NULL;
    if (!array) {
        memory_drop(MEMORY_DEVICE, memory);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    *array = (struct array){array->object, *shape, memory, row_bytes, bytes};
    *ret = array->object.handle;
    return CU_SUCCESS;
}

cu_result host_array_destroy(cu_array handle)
{
    const struct array *array = host_object_find(handle, HOST_ARRAY);
    if (array)
        memory_drop(MEMORY_DEVICE, array->memory);
    return host_object_drop(handle, HOST_ARRAY);
}

/* The first byte of one side of a copy; NULL if its rows are not all inside. */
static unsigned char *find_side(const struct cu_copy_side *side, const struct cu_copy *copy,
                                size_t *ret_pitch)
{
    size_t bytes = 0;
    unsigned char *memory = NULL;
    if (side->memory == CU_MEMORY_ARRAY) {
        const struct array *array = host_object_find(side->array, HOST_ARRAY);
        if (!array || side->x_bytes + copy->width_bytes > array->row_bytes)
            return NULL;
        memory = array->memory;
        bytes = array->bytes;
        *ret_pitch = array->row_bytes;
    } else if (side->memory == CU_MEMORY_DEVICE) {
        memory = (unsigned char *)(uintptr_t)side->device;
        *ret_pitch = side->pitch;
        bytes = (side->y + copy->height - 1) * side->pitch + side->x_bytes + copy->width_bytes;
        if (side->x_bytes + copy->width_bytes > side->pitch || !host_owns(side->device, bytes))
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
    size_t source_pitch = 0, target_pitch = 0;
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
    const struct array *array = host_object_find(resource->memory.array, HOST_ARRAY);
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

/* Memory begins at multiples of 256 bytes, as memory.h gives it. */
static bool source_of_memory(cu_address address, size_t bytes, int format, unsigned channels,
                             struct texture_source *ret)
{
    *ret = (struct texture_source){.texels = (const unsigned char *)(uintptr_t)address,
                                   .format = format,
                                   .channels = channels};
    return is_format(format, channels) && address % 256 == 0 && host_owns(address, bytes);
}

/* Rows begin at multiples of 32 bytes, as on a GPU (texturePitchAlignment). */
static bool source_of_pitch(const struct cu_resource *resource, struct texture_source *ret)
{
    const size_t pitch = resource->memory.pitch.pitch_bytes;
    const size_t width = resource->memory.pitch.width, height = resource->memory.pitch.height;
    if (!source_of_memory(resource->memory.pitch.address, pitch * height,
                          resource->memory.pitch.format, resource->memory.pitch.channels, ret))
        return false;
    ret->width = width;
    ret->height = height;
    ret->pitch_bytes = pitch;
    return width > 0 && height > 0 && pitch % 32 == 0 &&
           width * texture_format_bytes(ret->format) * ret->channels <= pitch;
}

static bool source_of_linear(const struct cu_resource *resource, struct texture_source *ret)
{
    const size_t bytes = resource->memory.linear.bytes;
    if (!source_of_memory(resource->memory.linear.address, bytes, resource->memory.linear.format,
                          resource->memory.linear.channels, ret))
        return false;
    ret->width = bytes / (texture_format_bytes(ret->format) * ret->channels);
    return true;
}

cu_result host_texture_create(cu_texture *ret, const struct cu_resource *resource,
                              const struct cu_sampler *sampler, const void *view)
{
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
    struct texture *texture = host_object_make(HOST_TEXTURE, sizeof *texture);
    if (!texture)
        return CU_ERROR_OUT_OF_MEMORY;
    made.object = texture->object;
    *texture = made;
    *ret = (cu_texture)(uintptr_t)texture->object.handle;
    return CU_SUCCESS;
}

cu_result host_texture_destroy(cu_texture handle)
{
    return host_object_drop((const void *)(uintptr_t)handle, HOST_TEXTURE);
}

/* The texture that a kernel's handle names. */
static const struct texture *find_texture(unsigned long long handle)
{
    const struct texture *texture = host_object_find((const void *)(uintptr_t)handle, HOST_TEXTURE);
    if (!texture)
        emulation_trap("host_texture.c: no such texture", __LINE__);
    return texture;
}

void emulation_texture_fetch(unsigned long long handle, int dimensions, float x, float y,
                             float ret[4])
{
    const struct texture *texture = find_texture(handle);
    if (texture->is_line_of_memory || (texture->source.height == 0) != (dimensions == 1))
        emulation_trap("host_texture.c: a texture of other dimensions", __LINE__);
    const struct texel_format *format = find_format(texture->source.format);
    struct corners corners;
    pthread_once(&filter_once, read_filter);
    const struct cu_sampler *sampler = &texture->source.sampler;
    const bool is_linear = sampler->filter == CU_FILTER_LINEAR;
    const bool is_normalized = sampler->flags & CU_SAMPLER_NORMALIZED_COORDINATES;
    const double width = (double)texture->source.width,
                 height = texture->source.height ? (double)texture->source.height : 1;
    int next_x, next_y = 0, modes[2];
    for (int axis = 0; axis < 2; axis++) { /* both that turn need normalized coordinates */
        const int mode = sampler->address[axis];
        modes[axis] = !is_normalized && (mode == WRAP || mode == MIRROR) ? CLAMP : mode;
    }
    const double column = split(position(x, width, is_normalized), is_linear, &next_x);
    const double row =
        texture->source.height ? split(position(y, height, is_normalized), is_linear, &next_y) : 0;
    const int whole = 1 << filter.weight_bits;
    const int both = (next_x * next_y + whole / 2) >> filter.weight_bits;
    for (int corner = 0; corner < CORNERS; corner++) {
        const int right = corner & 1, below = corner >> 1;
        corners.counts[corner] = (!right || next_x > 0) && (!below || next_y > 0);
        corners.weight[corner] = right && below ? both
                                 : right        ? next_x - both
                                 : below        ? next_y - both
                                                : whole - next_x - next_y + both;
        corners.column[corner] = in_texture(column + right, width, modes[0]);
        corners.row[corner] = in_texture(row + below, height, modes[1]);
    }
    for (unsigned channel = 0; channel < texture->source.channels; channel++) {
        double value[CORNERS] = {0};
        if (texture->source.sampler.filter != CU_FILTER_LINEAR) {
            ret[channel] = nearest_channel(&texture->source, format, &corners, channel);
            continue;
        }
        for (int corner = 0; corner < CORNERS; corner++)
            if (corners.counts[corner])
                value[corner] = read_corner(&texture->source, format, &corners, corner, channel);
        ret[channel] = format->format == CU_FORMAT_F32
                           ? combine_floats(value, corners.counts, corners.weight)
                           : combine_integers(format, value, corners.weight);
    }
    set_rest(texture->source.channels, ret);
}

/* Outside, all numbers are 0. */
void emulation_texture_load(unsigned long long handle, int index, float ret[4])
{
    const struct texture *texture = find_texture(handle);
    if (!texture->is_line_of_memory)
        emulation_trap("host_texture.c: a texture of other dimensions", __LINE__);
    memset(ret, 0, 4 * sizeof *ret);
    if (index >= 0 && (size_t)index < texture->source.width) {
        const struct texel_format *format = find_format(texture->source.format);
        const struct corners corners = {.column = {(double)index}};
        for (unsigned channel = 0; channel < texture->source.channels; channel++)
            ret[channel] = nearest_channel(&texture->source, format, &corners, channel);
        set_rest(texture->source.channels, ret);
    }
}
