/* coordinate: an f32 that names a place in the first operand, a texture: in a row of x by its
 * width, in a row of y by its height. Every bit counts. Its fills keep near the texture and meet
 * what decides a fetch: the edges of texels, the steps of a filter's weights, both ends
 * (cases.fill.coordinate). */
#include <math.h>
#include <string.h>

#include "fuzz/fill.h"
#include "fuzz/fill_source.h"

/* What a row of coordinates runs over. */
struct extent {
    double texels; /* at least 1 */
    double unit;   /* of a coordinate, in texels */
};

static struct extent extent_of(const struct fill_source *source)
{
    struct texture texture;
    source->test_case->algorithm->texture(source->test_case->axis, &texture);
    const int64_t size = source->row == 0 ? texture.width : texture.height;
    const double texels = size < 1 ? 1 : (double)size;
    return (struct extent){texels, texture.is_normalized ? texels : 1};
}

/* The float next to it, one or two steps away, or itself. */
static float near(float value, uint64_t noise)
{
    const float to = noise & 1 ? INFINITY : -INFINITY;
    for (uint64_t step = noise >> 1 & 3; step > 1; step--)
        value = nextafterf(value, to);
    return value;
}

static double fraction(uint64_t noise)
{
    return (double)(noise >> 11) * 0x1p-53;
}

typedef float choose(const struct fill_source *source, const struct extent *extent, uint64_t noise,
                     uint64_t place);

/* Anywhere, from a quarter before the texture to a quarter after it; at a texel's edge, where
 * nearest texels change; where a weight does. */
static float choose_mixed(const struct fill_source *source, const struct extent *extent,
                          uint64_t noise, uint64_t place)
{
    const uint64_t more = random_word(source->key ^ 1, place);
    const double at = (1.5 * fraction(noise) - 0.25) * extent->texels;
    switch (more & 3) {
    case 0:
        return near((float)(floor(at) / extent->unit), more >> 2);
    case 1:
        return near((float)(floor(at * 512) / 512 / extent->unit), more >> 2);
    default:
        return (float)((at + (more & 4 ? 0 : 2 * fraction(more) - 1)) / extent->unit);
    }
}

/* A texel's centre, each texel in turn. */
static float choose_centre(const struct fill_source *source, const struct extent *extent,
                           uint64_t noise, uint64_t place)
{
    (void)source, (void)noise;
    return (float)((fmod((double)place, extent->texels) + 0.5) / extent->unit);
}

static float choose_shifted(const struct fill_source *source, const struct extent *extent,
                            uint64_t noise, uint64_t place)
{
    return choose_centre(source, extent, noise, place + (uint64_t)source->shift);
}

static float choose_one(const struct fill_source *source, const struct extent *extent,
                        uint64_t noise, uint64_t place)
{
    (void)noise, (void)place;
    return choose_mixed(source, extent, source->key, 0);
}

/* Every order of magnitude. */
static float choose_far(const struct fill_source *source, const struct extent *extent,
                        uint64_t noise, uint64_t place)
{
    const double at = (double)choose_mixed(source, extent, noise, place);
    const int power = (int)(random_word(source->key ^ 2, place) % 64);
    return (float)(power < 32 ? at : ldexp(at, power - 48));
}

static float choose_special(const struct fill_source *source, const struct extent *extent,
                            uint64_t noise, uint64_t place)
{
    const uint64_t pick = random_word(source->key ^ 2, place);
    float value;
    if (pick & 3)
        return choose_mixed(source, extent, noise, place);
    memcpy(&value, &fill_specials[pick >> 2 & (SPECIALS_COUNT - 1)], sizeof value);
    return value;
}

static void fill_coordinates(const struct fill_source *source, choose *pick, int64_t begin,
                             int64_t end, unsigned char *target, int64_t stride)
{
    const struct extent extent = extent_of(source);
    for (int64_t column = begin; column < end; column++) {
        const uint64_t noise = random_word(source->row_key, (uint64_t)column);
        const float value = pick(source, &extent, noise, (uint64_t)column);
        memcpy(target, &value, sizeof value);
        target += stride * (int64_t)sizeof value;
    }
}

#define STRETCH(name)                                                                              \
    static void name##_stretch(const struct fill_source *source, int64_t begin, int64_t end,       \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        fill_coordinates(source, choose_##name, begin, end, target, stride);                       \
    }

STRETCH(mixed)
STRETCH(centre)
STRETCH(shifted)
STRETCH(one)
STRETCH(far)
STRETCH(special)

static fill_stretch *const fills_of_coordinate[FILL_COUNT] = {
    [FILL_UNIFORM] = mixed_stretch,   [FILL_POSITION] = centre_stretch,
    [FILL_INTEGER] = mixed_stretch,   [FILL_PERMUTATION] = shifted_stretch,
    [FILL_ONEHOT] = mixed_stretch,    [FILL_EQUAL] = one_stretch,
    [FILL_RANDOM] = far_stretch,      [FILL_CANCEL] = mixed_stretch,
    [FILL_SPECIAL] = special_stretch, [FILL_TIE] = mixed_stretch,
    [FILL_SMALL] = mixed_stretch,
};

const struct format format_coordinate = {.name = "coordinate",
                                         .bytes = sizeof(float),
                                         .is_number = true,
                                         .write = format_f32_write,
                                         .read = format_f32_read,
                                         .fills = fills_of_coordinate};
