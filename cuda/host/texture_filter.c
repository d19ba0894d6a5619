/* Reading a texture (texture_filter.h). */
#include "cuda/host/texture_filter.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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

size_t texture_format_bytes(int format)
{
    const struct texel_format *found = find_format(format);
    return found ? found->bytes : 0;
}

/* The number as it lies in memory. */
static double read_channel(const struct texel_format *format, const unsigned char *from)
{
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

static float to_float(double value, double one)
{
    return (float)fmax(value / one, -1);
}

/* In texels. A normalized coordinate has 21 bits after the point. */
static double position(float coordinate, double size, bool is_normalized)
{
    const double far = 0x1p30; /* an even number of sizes, whatever the size */
    double at = isnan(coordinate) || fabsf(coordinate) < FLT_MIN ? 0 : (double)coordinate;
    at = fmin(fmax(at, -far), far);
    return is_normalized ? floor(at * 0x1p21) * 0x1p-21 * size : at;
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

/* The result of floats, of which one is NaN or infinite, or all are zeros; false where they are to
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

/* Each float loses what lies below the 28th bit of the largest one, and the sum is rounded away
 * from zero at a tie. Everything between is exact in double. */
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
            sum += weight[corner] * trunc(ldexp(value[corner], 28 - exponent));
    if (sum == 0)
        return 0;
    int digits;
    frexp(sum, &digits);
    const int drop = digits > 24 ? digits - 24 : 0;
    const double rounded = ldexp(round(ldexp(sum, -drop)), drop + exponent - 36);
    return fabs(rounded) < (double)FLT_MIN ? (float)copysign(0, rounded) : (float)rounded;
}

/* Bytes and 16-bit integers are weighed as integers, and the sum has 16 bits. */
static float combine_integers(const struct texel_format *format, const double value[],
                              const int weight[])
{
    double sum = 0;
    for (int corner = 0; corner < CORNERS; corner++)
        sum += weight[corner] * value[corner];
    switch (format->format) {
    case CU_FORMAT_U8:
        return to_float(floor((257 * sum + 128) / 256), 65535);
    case CU_FORMAT_U16:
        return to_float(floor((sum + 128) / 256), 65535);
    case CU_FORMAT_S16:
        return to_float(floor((sum + 128) / 256), 32767);
    default:
        sum += floor((floor(sum / 16) + floor(sum / 4096) + 4) / 8);
        return to_float(sum, 32767);
    }
}

/* Two neighbours along an axis: the first, and how many 256ths the second weighs. */
static double split(double at, bool is_linear, int *ret_next)
{
    *ret_next = 0;
    if (!is_linear)
        return floor(at);
    const double steps = floor(256 * at - 127.5);
    const double first = floor(steps / 256);
    *ret_next = (int)(steps - 256 * first);
    return first;
}

struct corners {
    double row[CORNERS], column[CORNERS]; /* -1: the border */
    int weight[CORNERS];
    bool counts[CORNERS];
};

static void find_corners(const struct texture_source *source, float x, float y, struct corners *ret)
{
    const struct cu_sampler *sampler = &source->sampler;
    const bool is_linear = sampler->filter == CU_FILTER_LINEAR;
    const bool is_normalized = sampler->flags & CU_SAMPLER_NORMALIZED_COORDINATES;
    const double width = (double)source->width,
                 height = source->height ? (double)source->height : 1;
    int next_x, next_y = 0, modes[2];
    for (int axis = 0; axis < 2; axis++) { /* both that turn need normalized coordinates */
        const int mode = sampler->address[axis];
        modes[axis] = !is_normalized && (mode == WRAP || mode == MIRROR) ? CLAMP : mode;
    }
    const double column = split(position(x, width, is_normalized), is_linear, &next_x);
    const double row =
        source->height ? split(position(y, height, is_normalized), is_linear, &next_y) : 0;
    const int both = (next_x * next_y + 128) >> 8;
    for (int corner = 0; corner < CORNERS; corner++) {
        const int right = corner & 1, below = corner >> 1;
        ret->counts[corner] = (!right || next_x > 0) && (!below || next_y > 0);
        ret->weight[corner] = right && below ? both
                              : right        ? next_x - both
                              : below        ? next_y - both
                                             : 256 - next_x - next_y + both;
        ret->column[corner] = in_texture(column + right, width, modes[0]);
        ret->row[corner] = in_texture(row + below, height, modes[1]);
    }
}

static double read_corner(const struct texture_source *source, const struct texel_format *format,
                          const struct corners *corners, int corner, unsigned channel)
{
    if (corners->row[corner] < 0 || corners->column[corner] < 0)
        return border_channel(format, source->sampler.border[channel]);
    const size_t texel = (size_t)corners->column[corner] * source->channels + channel;
    return read_channel(format, source->texels +
                                    (size_t)corners->row[corner] * source->pitch_bytes +
                                    texel * format->bytes);
}

/* What a texel that has fewer numbers gives for the rest. */
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

void texture_filter(const struct texture_source *source, float x, float y, float ret[4])
{
    const struct texel_format *format = find_format(source->format);
    struct corners corners;
    find_corners(source, x, y, &corners);
    for (unsigned channel = 0; channel < source->channels; channel++) {
        double value[CORNERS] = {0};
        if (source->sampler.filter != CU_FILTER_LINEAR) {
            ret[channel] = nearest_channel(source, format, &corners, channel);
            continue;
        }
        for (int corner = 0; corner < CORNERS; corner++)
            if (corners.counts[corner])
                value[corner] = read_corner(source, format, &corners, corner, channel);
        ret[channel] = format->format == CU_FORMAT_F32
                           ? combine_floats(value, corners.counts, corners.weight)
                           : combine_integers(format, value, corners.weight);
    }
    set_rest(source->channels, ret);
}

void texture_texel(const struct texture_source *source, size_t row, size_t column, float ret[4])
{
    const struct texel_format *format = find_format(source->format);
    const struct corners corners = {.row = {(double)row}, .column = {(double)column}};
    for (unsigned channel = 0; channel < source->channels; channel++)
        ret[channel] = nearest_channel(source, format, &corners, channel);
    set_rest(source->channels, ret);
}
