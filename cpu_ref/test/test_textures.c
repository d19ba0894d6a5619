/* The golden of textures: near what the filter means exactly, the same of a texture that is alike
 * everywhere, and every integer texel. */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>

#include "cpu_ref/test/values.h"
#include "spec/testing.h"

static float fetch_one(const struct golden_texture *texture, float x, float y)
{
    float result;
    golden_texture_fetch(texture, &x, &y, &result, 1);
    return result;
}

/* A finite float of any exponent in a range around 1. */
static float some_float(uint64_t index, uint64_t key, uint32_t exponents)
{
    const uint64_t word = values_word(index, key);
    const uint32_t bits = ((uint32_t)word & 0x807fffff) |
                          (127 - exponents / 2 + (uint32_t)(word >> 32) % (exponents + 1)) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

START_TEST(filtered_values_are_near_the_exact_ones, "texture_fetch.filter.bound")
{
    for (uint64_t index = 0; index < 20000; index++) {
        const float texels[] = {some_float(index, 1, (uint32_t)index % 60),
                                some_float(index, 2, (uint32_t)index % 60)};
        const struct golden_texture texture = {.texels = texels,
                                               .width = 2,
                                               .leading = 2,
                                               .texel = GOLDEN_TEXEL_F32,
                                               .channels = 1,
                                               .is_linear = true,
                                               .address = {GOLDEN_ADDRESS_CLAMP}};
        const float x = 0.5f + (float)(values_word(index, 3) % 65537) / 65536.0f;
        const double p = (double)texels[0], q = (double)texels[1], part = (double)x - 0.5;
        const double exact = (1 - part) * p + part * q;
        const double bound =
            fabs(q - p) / 512 + fmax(fabs(p), fabs(q)) / (1 << 23) + (double)FLT_MIN;
        ck_assert(fabs((double)fetch_one(&texture, x, 0) - exact) <= bound);
    }
}

/* Whatever the weights, they sum to 1. */
START_TEST(a_texture_that_is_alike_everywhere_stays_so, "texture_fetch.weight.corners")
{
    float texels[15];
    struct golden_texture texture = {.texels = texels,
                                     .width = 5,
                                     .height = 3,
                                     .leading = 5,
                                     .texel = GOLDEN_TEXEL_F32,
                                     .channels = 1,
                                     .is_linear = true};
    for (uint64_t index = 0; index < 20000; index++) {
        const float value = some_float(index, 4, 200);
        for (int at = 0; at < 15; at++)
            texels[at] = value;
        texture.is_normalized = index % 2 == 0;
        texture.address[0] = (enum golden_address)(index % 3); /* all but the border */
        texture.address[1] = (enum golden_address)(index / 3 % 3);
        const float x = some_float(index, 5, 8), y = some_float(index, 6, 8);
        ck_assert(fetch_one(&texture, x, y) == value);
    }
}

/* Every texel of every format, by its fraction; a filter at its centre gives the same. */
START_TEST(integers_are_fractions_of_the_greatest, "texture_fetch.texel.normalized",
           "texture_fetch.sum.unsigned", "texture_fetch.sum.signed_16",
           "texture_fetch.sum.signed_8")
{
    static const struct {
        enum golden_texel texel;
        int32_t least, most;
    } formats[] = {{GOLDEN_TEXEL_U8, 0, 255},
                   {GOLDEN_TEXEL_S8, -128, 127},
                   {GOLDEN_TEXEL_U16, 0, 65535},
                   {GOLDEN_TEXEL_S16, -32768, 32767}};
    for (size_t index = 0; index < sizeof formats / sizeof formats[0]; index++) {
        for (int32_t value = formats[index].least; value <= formats[index].most; value++) {
            const uint8_t narrow = (uint8_t)value;
            const uint16_t wide = (uint16_t)value;
            struct golden_texture texture = {
                .texels = formats[index].most > 255 ? (const void *)&wide : &narrow,
                .width = 1,
                .leading = 1,
                .texel = formats[index].texel,
                .channels = 1};
            const double exact = fmax((double)value / formats[index].most, -1);
            const float nearest = fetch_one(&texture, 0.5f, 0);
            ck_assert(nearest == (float)exact);
            texture.is_linear = true;
            ck_assert(fabs((double)fetch_one(&texture, 0.5f, 0) - exact) <= 0.51 / 32767);
            if (formats[index].most > 255)
                ck_assert(fetch_one(&texture, 0.5f, 0) == nearest);
        }
    }
}

/* One texel of 1 beside zeros weighs what its neighbour's distance leaves: by hand, for a filter of
 * few bits. */
START_TEST(another_filter_counts_in_its_own_bits, "texture_fetch.filter.other")
{
    static const struct golden_filter coarse = {
        .coordinate_bits = 12, .weight_bits = 4, .sum_bits = 25, .halves_down = true};
    static const float steps[] = {0, 1, 1}, far[] = {1, 0x1p-25f};
    struct golden_texture texture = {.texels = steps,
                                     .width = 2,
                                     .leading = 2,
                                     .texel = GOLDEN_TEXEL_F32,
                                     .channels = 1,
                                     .is_linear = true,
                                     .address = {GOLDEN_ADDRESS_CLAMP, GOLDEN_ADDRESS_CLAMP}};
    /* A 32nd is halfway between two weights, and what is a bit more is nearer to the upper one. */
    const float half = 0.5f + 1.0f / 32;
    ck_assert(fetch_one(&texture, half, 0) == 1.0f / 32);
    golden_filter_set(&coarse);
    ck_assert(fetch_one(&texture, half, 0) == 0);
    ck_assert(fetch_one(&texture, nextafterf(half, 1), 0) == 1.0f / 16);
    ck_assert(fetch_one(&texture, 0.5f + 3.0f / 32, 0) == 1.0f / 16);
    /* What is below the 25th bit of 1 is lost; 28 bits keep it. */
    texture.texels = far;
    ck_assert(fetch_one(&texture, 0.5f + 15.0f / 16, 0) == 1.0f / 16);
    golden_filter_set(NULL);
    ck_assert(fetch_one(&texture, 0.5f + 15.0f / 16, 0) == 0x1p-4f * (1 + 0xfp-25f));
    /* A third is between two multiples of 2^-12, and of 2^-21. */
    texture.texels = steps;
    texture.width = texture.leading = 3;
    texture.is_linear = false;
    texture.is_normalized = true;
    const float third = 1.0f / 3 + 0x1p-20f;
    ck_assert(fetch_one(&texture, third, 0) == 1);
    golden_filter_set(&coarse);
    ck_assert(fetch_one(&texture, third, 0) == 0);
    golden_filter_set(NULL);
}

/* Two sizes away lies the same texel, where the texture is repeated; the border everywhere else. */
START_TEST(far_texels_are_near_ones, "texture_fetch.address.modes")
{
    static const float texels[] = {1, 2, 4, 8, 16, 32, 64};
    struct golden_texture texture = {.texels = texels,
                                     .width = 7,
                                     .leading = 7,
                                     .texel = GOLDEN_TEXEL_F32,
                                     .channels = 1,
                                     .is_normalized = true};
    for (int index = 0; index < 4000; index++) {
        const float x = (float)index / 1000.0f - 2.0f, far = x + 4096.0f, back = x - 65536.0f;
        const float same = far - 4096.0f; /* without the bits that are lost there */
        texture.is_linear = index % 2;
        for (int mode = GOLDEN_ADDRESS_WRAP; mode <= GOLDEN_ADDRESS_MIRROR; mode += 2) {
            texture.address[0] = (enum golden_address)mode;
            ck_assert(fetch_one(&texture, same, 0) == fetch_one(&texture, far, 0));
            ck_assert(fetch_one(&texture, back + 65536.0f, 0) == fetch_one(&texture, back, 0));
        }
        texture.address[0] = GOLDEN_ADDRESS_BORDER;
        ck_assert(fetch_one(&texture, far, 0) == 1 && fetch_one(&texture, back, 0) == 1);
        texture.address[0] = GOLDEN_ADDRESS_CLAMP;
        ck_assert(fetch_one(&texture, far, 0) == 64 && fetch_one(&texture, back, 0) == 1);
    }
}
