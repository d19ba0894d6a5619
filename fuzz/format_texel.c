/* texel: what a texture has at one place, 1 to 4 numbers of 1 to 4 bytes; every bit counts. Floats
 * are filled as f32 is, row by row with their channels in place of columns, all else as bytes. */
#include "fuzz/fill.h"
#include "fuzz/fill_source.h"

static bool is_float(const struct fill_source *source)
{
    struct texture texture;
    source->test_case->algorithm->texture(source->test_case->axis, &texture);
    return texture.texel == TEXEL_F32;
}

static void fill_texels(const struct fill_source *source, enum fill_id fill, int64_t begin,
                        int64_t end, unsigned char *target, int64_t stride)
{
    if (!is_float(source)) {
        format_bytes.fills[fill](source, begin, end, target, stride);
        return;
    }
    const int64_t bytes = source->view.element_bytes, channels = bytes / (int64_t)sizeof(float);
    struct fill_source floats = *source;
    floats.view.element_bytes = sizeof(float);
    floats.view.columns *= channels;
    for (int64_t column = begin; column < end; column++, target += stride * bytes)
        format_f32.fills[fill](&floats, column * channels, (column + 1) * channels, target, 1);
}

#define STRETCH(name, FILL)                                                                        \
    static void name##_stretch(const struct fill_source *source, int64_t begin, int64_t end,       \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        fill_texels(source, FILL, begin, end, target, stride);                                     \
    }

STRETCH(uniform, FILL_UNIFORM)
STRETCH(position, FILL_POSITION)
STRETCH(integer, FILL_INTEGER)
STRETCH(permutation, FILL_PERMUTATION)
STRETCH(onehot, FILL_ONEHOT)
STRETCH(equal, FILL_EQUAL)
STRETCH(random, FILL_RANDOM)
STRETCH(cancel, FILL_CANCEL)
STRETCH(special, FILL_SPECIAL)
STRETCH(tie, FILL_TIE)
STRETCH(small, FILL_SMALL)

static fill_stretch *const fills_of_texel[FILL_COUNT] = {
    [FILL_UNIFORM] = uniform_stretch, [FILL_POSITION] = position_stretch,
    [FILL_INTEGER] = integer_stretch, [FILL_PERMUTATION] = permutation_stretch,
    [FILL_ONEHOT] = onehot_stretch,   [FILL_EQUAL] = equal_stretch,
    [FILL_RANDOM] = random_stretch,   [FILL_CANCEL] = cancel_stretch,
    [FILL_SPECIAL] = special_stretch, [FILL_TIE] = tie_stretch,
    [FILL_SMALL] = small_stretch,
};

const struct format format_texel = {.name = "texel", .fills = fills_of_texel};
