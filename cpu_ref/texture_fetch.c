/* The definition of texture_fetch: where a coordinate is, which texels it takes and with which
 * weights, and how they are summed. All of it is integer arithmetic but for the conversion of an
 * integer texel. Clauses: spec/texture_fetch.md. */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Coordinates are counted in multiples of 2^-24, no fewer than any filter's. */
#define TEXEL (INT64_C(1) << GOLDEN_COORDINATE_BITS_MAX)

enum { TAPS = 4, OUTSIDE = -1 };

#define FILTER_OF_90                                                                               \
    {                                                                                              \
        .coordinate_bits = 21, .weight_bits = 8, .sum_bits = 28                                    \
    }
static struct golden_filter filter = FILTER_OF_90;

void golden_filter_set(const struct golden_filter *its)
{
    filter = its ? *its : (struct golden_filter)FILTER_OF_90;
}

/* A weight of 1. */
static int whole(void)
{
    return 1 << filter.weight_bits;
}

/* The texels of a fetch, along one axis: `first` and the next one, which weighs `next` of whole().
 */
struct span {
    int64_t first;
    int next;
};

/* One texel's part in a channel. */
struct tap {
    bool is_taken; /* its place counts, even where the weight is rounded to 0 */
    int weight;
    float value;     /* of f32 */
    int64_t integer; /* of the others */
};

static int64_t floor_divide(int64_t dividend, int64_t divisor)
{
    const int64_t quotient = dividend / divisor;
    return quotient - (dividend % divisor < 0);
}

/* In multiples of 2^-24 texels; what is between two of them is rounded down, or up. Clauses:
 * texture_fetch.coordinate.cut, texture_fetch.coordinate.wild. */
static int64_t place(float coordinate, int64_t size, bool is_normalized, bool rounds_up)
{
    const float most = 0x1p38f; /* each float from 2^24 on is an even integer */
    if (isnan(coordinate) || fabsf(coordinate) < FLT_MIN)
        coordinate = 0;
    coordinate = coordinate > most ? most : coordinate < -most ? -most : coordinate;
    const double texels = (double)coordinate * (double)TEXEL;
    if (!is_normalized)
        return (int64_t)(rounds_up ? ceil(texels) : floor(texels));
    const int64_t unit = TEXEL >> filter.coordinate_bits;
    int64_t cut = (int64_t)floor(texels / (double)unit) * unit;
    /* The same texels, whatever the mode, an even number of sizes nearer. */
    if (cut < -TEXEL)
        cut -= floor_divide(cut + 3 * TEXEL, 2 * TEXEL) * 2 * TEXEL;
    if (cut >= 2 * TEXEL)
        cut -= floor_divide(cut - 2 * TEXEL, 2 * TEXEL) * 2 * TEXEL;
    return cut * size;
}

static struct span span_of(float coordinate, int64_t size, const struct golden_texture *texture)
{
    const bool halves_down = texture->is_linear && filter.halves_down;
    const int64_t at = place(coordinate, size, texture->is_normalized, halves_down);
    if (!texture->is_linear)
        return (struct span){floor_divide(at, TEXEL), 0};
    /* In steps of a weight, from the first texel's centre on. */
    const int64_t step = TEXEL >> filter.weight_bits;
    const int64_t half = halves_down ? step / 2 - 1 : step / 2;
    const int64_t steps = floor_divide(at - TEXEL / 2 + half, step);
    const int64_t first = floor_divide(steps, whole());
    return (struct span){first, (int)(steps - first * whole())};
}

/* The texel that stands for `index`, or OUTSIDE. Clauses: texture_fetch.address.modes,
 * texture_fetch.address.texels. */
static int64_t address(int64_t index, int64_t size, enum golden_address mode, bool is_normalized)
{
    if (index >= 0 && index < size)
        return index;
    if (mode == GOLDEN_ADDRESS_BORDER)
        return OUTSIDE;
    if (mode == GOLDEN_ADDRESS_CLAMP || !is_normalized)
        return index < 0 ? 0 : size - 1;
    if (mode == GOLDEN_ADDRESS_WRAP)
        return index - floor_divide(index, size) * size;
    index -= floor_divide(index, 2 * size) * 2 * size;
    return index < size ? index : 2 * size - 1 - index;
}

/* The numbers of a texel, in the order of enum golden_texel. */
static const struct number {
    size_t bytes;
    int64_t one; /* the greatest integer, which stands for 1 */
    bool is_signed;
} numbers[] = {{1, 255, false}, {1, 127, true}, {2, 65535, false}, {2, 32767, true}, {4, 1, true}};

/* Reads one channel of a texel. Clause: texture_fetch.border.color. */
static void read_tap(const struct golden_texture *texture, int64_t row, int64_t column,
                     size_t channel, struct tap *ret)
{
    static const float color[4] = {1, -1, 0, 1};
    const struct number *number = &numbers[texture->texel];
    if (row == OUTSIDE || column == OUTSIDE) {
        ret->value = color[channel];
        ret->integer =
            color[channel] < 0 && !number->is_signed ? 0 : (int64_t)color[channel] * number->one;
        return;
    }
    const size_t texel = (size_t)row * texture->leading + (size_t)column;
    const unsigned char *from = (const unsigned char *)texture->texels +
                                (texel * texture->channels + channel) * number->bytes;
    if (texture->texel == GOLDEN_TEXEL_F32) {
        memcpy(&ret->value, from, sizeof ret->value);
        return;
    }
    uint16_t wide = *from;
    if (number->bytes == sizeof wide)
        memcpy(&wide, from, sizeof wide);
    ret->integer = wide > number->one ? wide - 2 * (number->one + 1) : wide;
}

/* `value` of `one`, from -1 to 1, rounded to nearest. Clause: texture_fetch.texel.normalized. */
static float divide(int64_t value, int64_t one)
{
    return value < -one ? -1 : (float)value / (float)one;
}

/* Integers sum to 16 bits. The formulas are what is seen on an H200. Clauses:
 * texture_fetch.sum.unsigned, texture_fetch.sum.signed_16, texture_fetch.sum.signed_8. */
static float sum_integers(enum golden_texel texel, const struct tap taps[TAPS])
{
    int64_t sum = 0;
    for (int index = 0; index < TAPS; index++)
        sum += taps[index].weight * taps[index].integer;
    if (texel == GOLDEN_TEXEL_U8)
        sum *= 257;
    if (texel != GOLDEN_TEXEL_S8)
        return divide(floor_divide(sum + whole() / 2, whole()),
                      numbers[texel].is_signed ? 32767 : 65535);
    sum = floor_divide(sum * 256, whole());
    sum += floor_divide(floor_divide(sum, 16) + floor_divide(sum, 4096) + 4, 8);
    return divide(sum, 32767);
}

/* A finite sum times 2^exponent, rounded to 24 bits, halves away from zero; what is subnormal then
 * is a zero of its sign. Clause: texture_fetch.sum.rounded. */
static float round_sum(int64_t sum, int exponent)
{
    const uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    int excess = 0;
    while (magnitude >> excess >= UINT64_C(1) << FLT_MANT_DIG)
        excess++;
    const uint64_t half = excess > 0 ? UINT64_C(1) << (excess - 1) : 0;
    const double rounded = ldexp((double)((magnitude + half) >> excess), exponent + excess);
    const float value = rounded < (double)FLT_MIN ? 0 : (float)rounded;
    return sum < 0 ? -value : value;
}

/* Value and exponent of a finite float: value * 2^exponent, 0 for subnormal ones. */
static int64_t take_apart(float value, int *ret_exponent)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int biased = (int)(bits >> 23 & 255);
    const int64_t mantissa = biased == 0 ? 0 : (int64_t)((bits & 0x7fffff) | 0x800000);
    *ret_exponent = biased - 150;
    return bits >> 31 ? -mantissa : mantissa;
}

/* The sum of texels with a NaN or an infinity, or of zeros only. Returns false for any other sum.
 * Clauses: texture_fetch.sum.nan, texture_fetch.sum.zero. */
static bool sum_special(const struct tap taps[TAPS], float *ret)
{
    const uint32_t nan = 0x7fffffff;
    int positive = 0, negative = 0, others = 0, plus_zeros = 0;
    bool is_nan = false;
    for (int index = 0; index < TAPS; index++) {
        const float value = taps[index].value;
        if (!taps[index].is_taken)
            continue;
        is_nan |= isnan(value);
        positive += isinf(value) && value > 0;
        negative += isinf(value) && value < 0;
        others += isfinite(value) && fabsf(value) >= FLT_MIN;
        plus_zeros += fabsf(value) < FLT_MIN && !signbit(value);
    }
    if (is_nan || (positive && negative)) {
        memcpy(ret, &nan, sizeof nan);
        return true;
    }
    *ret = positive ? INFINITY : negative ? -INFINITY : plus_zeros ? 0.0f : -0.0f;
    return positive || negative || others == 0;
}

/* Texels are cut to the filter's bits from the highest one of the largest texel that weighs
 * anything, then weighed and summed exactly. Clause: texture_fetch.sum.cut. */
static float sum_floats(const struct tap taps[TAPS])
{
    const int spare_bits = filter.sum_bits - FLT_MANT_DIG;
    int64_t mantissas[TAPS], sum = 0;
    int exponents[TAPS], most = INT32_MIN;
    float special;
    if (sum_special(taps, &special))
        return special;
    for (int index = 0; index < TAPS; index++) {
        mantissas[index] = take_apart(taps[index].value, &exponents[index]);
        if (taps[index].weight > 0 && mantissas[index] != 0 && exponents[index] > most)
            most = exponents[index];
    }
    for (int index = 0; index < TAPS; index++) {
        if (taps[index].weight == 0 || mantissas[index] == 0)
            continue;
        const int below = most - exponents[index];
        if (below < 63) /* towards zero */
            sum +=
                taps[index].weight * (mantissas[index] * (1 << spare_bits) / (INT64_C(1) << below));
    }
    return sum == 0 ? 0 : round_sum(sum, most - spare_bits - filter.weight_bits);
}

/* How much each of two by two texels weighs. Clauses: texture_fetch.weight.steps,
 * texture_fetch.weight.corners. */
static void weigh(struct span x, struct span y, struct tap ret[TAPS])
{
    const int both = (x.next * y.next + whole() / 2) / whole();
    const int weights[TAPS] = {whole() - x.next - y.next + both, x.next - both, y.next - both,
                               both};
    for (int index = 0; index < TAPS; index++)
        ret[index] =
            (struct tap){.is_taken = (index % 2 == 0 || x.next > 0) && (index < 2 || y.next > 0),
                         .weight = weights[index]};
}

static void fetch(const struct golden_texture *texture, struct span x, struct span y, float *ret)
{
    const int64_t size[] = {(int64_t)texture->width,
                            texture->height == 0 ? 1 : (int64_t)texture->height};
    struct tap taps[TAPS];
    weigh(x, y, taps);
    for (size_t channel = 0; channel < texture->channels; channel++) {
        for (int index = 0; index < TAPS; index++) {
            if (!taps[index].is_taken)
                continue;
            const int64_t column =
                address(x.first + index % 2, size[0], texture->address[0], texture->is_normalized);
            const int64_t row =
                address(y.first + index / 2, size[1], texture->address[1], texture->is_normalized);
            read_tap(texture, row, column, channel, &taps[index]);
        }
        ret[channel] = !texture->is_linear && texture->texel != GOLDEN_TEXEL_F32
                           ? divide(taps[0].integer, numbers[texture->texel].one)
                       : !texture->is_linear                ? taps[0].value
                       : texture->texel == GOLDEN_TEXEL_F32 ? sum_floats(taps)
                                                            : sum_integers(texture->texel, taps);
    }
}

void golden_texture_fetch(const struct golden_texture *texture, const float *x, const float *y,
                          void *target, size_t n)
{
    unsigned char *to = target;
    for (size_t index = 0; index < n; index++) {
        const struct span in_row = span_of(x[index], (int64_t)texture->width, texture);
        const struct span in_column = texture->height == 0
                                          ? (struct span){0, 0}
                                          : span_of(y[index], (int64_t)texture->height, texture);
        float fetched[4];
        fetch(texture, in_row, in_column, fetched);
        memcpy(to, fetched, texture->channels * sizeof fetched[0]);
        to += texture->channels * sizeof fetched[0];
    }
}
