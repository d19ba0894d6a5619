/* Mutants of texture_fetch: coordinates, weights and numbers of a texture that is right; and texels
 * addressed and converted by the kernel itself, each with one mistake. */
#include "device.h"
#include "texture_fetch/fetch_body.h"
#include "texture_fetch/nearest_body.h"

DEVICE long long this_fetch(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* The number of a fetch; 0 beyond a texture's last one. */
DEVICE float4 fetched(const struct texture_fetch_call *call, float x, float y)
{
    const int is_line = call->height == 0;
    if (call->channels == 1)
        return make_float4(is_line ? texture_line_1(call->texels, x)
                                   : texture_plane_1(call->texels, x, y),
                           0.0f, 0.0f, 0.0f);
    if (call->channels == 2) {
        const float2 pair =
            is_line ? texture_line_2(call->texels, x) : texture_plane_2(call->texels, x, y);
        return make_float4(pair.x, pair.y, 0.0f, 0.0f);
    }
    return is_line ? texture_line_4(call->texels, x) : texture_plane_4(call->texels, x, y);
}

DEVICE void store(const struct texture_fetch_call *call, long long at, float4 value)
{
    float *target = (float *)call->target + at * call->channels;
    target[0] = value.x;
    if (call->channels > 1)
        target[1] = value.y;
    if (call->channels > 2) {
        target[2] = value.z;
        target[3] = value.w;
    }
}

DEVICE float of_x(const struct texture_fetch_call *call, long long at)
{
    return call->coords[at];
}

DEVICE float of_y(const struct texture_fetch_call *call, long long at)
{
    return call->height == 0 ? 0.0f : call->coords[call->n + at];
}

/* One that fetches at other coordinates. */
#define MOVED(name, x_, y_)                                                                        \
    KERNEL(mutant_fetch_##name, struct texture_fetch_call, call)                                   \
    {                                                                                              \
        const long long at = this_fetch();                                                         \
        if (at >= call.n)                                                                          \
            return;                                                                                \
        const float x = of_x(&call, at), y = of_y(&call, at);                                      \
        store(&call, at, fetched(&call, x_, y_));                                                  \
    }

/* In 256ths from a texel's centre on, rounded down. */
DEVICE float cut_weight(float coordinate)
{
    const float steps = floorf(__fmul_rn(__fsub_rn(coordinate, 0.5f), 256.0f));
    return __fadd_rn(__fmul_rn(steps, 0.00390625f), 0.5f);
}

DEVICE float top_of(const struct texture_fetch_call *call, float size)
{
    return call->normalized ? 1.0f : size;
}

MOVED(weight_cut, cut_weight(x), cut_weight(y))
MOVED(filter_left_out, __fadd_rn(floorf(x), 0.5f), __fadd_rn(floorf(y), 0.5f))
MOVED(half_texel, __fadd_rn(x, 0.5f / (float)call.width), y)
MOVED(axes_swapped, y, x)
MOVED(nearest_rounded, __fadd_rn(x, 0.5f), y)
MOVED(below_clamped, fmaxf(x, 0.0f), y)
MOVED(above_clamped, fminf(x, top_of(&call, (float)call.width)), y)
MOVED(row_above_clamped, x, fminf(y, top_of(&call, (float)call.height)))

/* One that has the numbers of each texel in another order. */
#define MIXED(name, value)                                                                         \
    KERNEL(mutant_fetch_##name, struct texture_fetch_call, call)                                   \
    {                                                                                              \
        const long long at = this_fetch();                                                         \
        if (at >= call.n)                                                                          \
            return;                                                                                \
        const float4 it = fetched(&call, of_x(&call, at), of_y(&call, at));                        \
        store(&call, at, value);                                                                   \
    }

MIXED(pair_swapped, make_float4(it.y, it.x, it.z, it.w))
MIXED(four_swapped, make_float4(it.x, it.z, it.y, it.w))
MIXED(last_lost, make_float4(it.x, it.y, it.z, it.x))

/* Mistakes of the kernel's own addressing and conversion. */
enum nearest_mistake {
    MISTAKE_WRAPS_AT_SIZE,
    MISTAKE_MIRROR_SKIPS,
    MISTAKE_BORDER_ZERO,
    MISTAKE_BORDER_SIGNED,
    MISTAKE_ROW_IS_WIDTH,
    MISTAKE_UNSIGNED,
    MISTAKE_OF_256,
    MISTAKE_BELOW_MINUS_1,
    MISTAKE_UNCUT,
    MISTAKE_TEXEL_31_BITS
};

DEVICE float wrong_number(const struct texture_fetch_call *call, long long place, int mistake)
{
    const void *texels = (const void *)call->texels;
    const float below = mistake == MISTAKE_BELOW_MINUS_1 ? -2.0f : -1.0f;
    if (call->texel == 0 || (call->texel == 1 && mistake == MISTAKE_UNSIGNED))
        return (float)((const unsigned char *)texels)[place] / (call->texel == 1 ? 127.0f
                                                                : mistake == MISTAKE_OF_256
                                                                    ? 256.0f
                                                                    : 255.0f);
    if (call->texel == 1)
        return fmaxf((float)((const signed char *)texels)[place] / 127.0f, below);
    if (call->texel == 2)
        return (float)((const unsigned short *)texels)[place] / 65535.0f;
    if (call->texel == 3)
        return fmaxf((float)((const short *)texels)[place] / 32767.0f, below);
    return ((const float *)texels)[place];
}

DEVICE long long wrong_texel(float coordinate, long long size, int is_normalized, int mode,
                             int mistake)
{
    long long index = nearest_texel(coordinate, size, is_normalized, mode);
    const long long place = nearest_place(coordinate, size, is_normalized, 0);
    if (mistake == MISTAKE_WRAPS_AT_SIZE && place == size)
        index = 0;
    if (mistake == MISTAKE_MIRROR_SKIPS && mode == NEAREST_MIRROR && is_normalized &&
        (place < 0 || place >= size) && index > 0)
        index--;
    if (mistake == MISTAKE_UNCUT && is_normalized && coordinate > 0.0f && coordinate < 1.0f) {
        index = (long long)floorf(__fmul_rn(coordinate, (float)size));
        index = index < size ? index : size - 1;
    }
    return index;
}

DEVICE void fetch_wrong(const struct texture_fetch_call *call, long long at, int mistake)
{
    const int is_normalized = call->normalized != 0;
    const long long pitch = mistake == MISTAKE_ROW_IS_WIDTH ? call->width : call->ld;
    const long long column =
        wrong_texel(of_x(call, at), call->width, is_normalized, (int)call->address_x, mistake);
    const long long row = call->height == 0
                              ? 0
                              : wrong_texel(of_y(call, at), call->height, is_normalized,
                                            (int)call->address_y, mistake);
    long long index = row * pitch + column;
    if (mistake == MISTAKE_TEXEL_31_BITS)
        index &= 0x7fffffff;
    for (int channel = 0; channel < call->channels; channel++) {
        float value = nearest_border(call, channel);
        if (mistake == MISTAKE_BORDER_ZERO)
            value = 0.0f;
        if (mistake == MISTAKE_BORDER_SIGNED && channel == 1)
            value = -1.0f;
        if (column >= 0 && row >= 0)
            value = wrong_number(call, index * call->channels + channel, mistake);
        ((float *)call->target)[at * call->channels + channel] = value;
    }
}

#define NEAREST(name, mistake)                                                                     \
    KERNEL(mutant_fetch_##name, struct texture_fetch_call, call)                                   \
    {                                                                                              \
        const long long at = this_fetch();                                                         \
        if (at < call.n)                                                                           \
            fetch_wrong(&call, at, mistake);                                                       \
    }

NEAREST(wraps_at_size, MISTAKE_WRAPS_AT_SIZE)
NEAREST(mirror_skips, MISTAKE_MIRROR_SKIPS)
NEAREST(border_zero, MISTAKE_BORDER_ZERO)
NEAREST(border_signed, MISTAKE_BORDER_SIGNED)
NEAREST(row_is_width, MISTAKE_ROW_IS_WIDTH)
NEAREST(unsigned, MISTAKE_UNSIGNED)
NEAREST(of_256, MISTAKE_OF_256)
NEAREST(below_minus_1, MISTAKE_BELOW_MINUS_1)
NEAREST(uncut, MISTAKE_UNCUT)
NEAREST(texel_31_bits, MISTAKE_TEXEL_31_BITS)

/* The place of a fetch in fewer bits: beyond them the first results are written once more. */
#define NARROW(name, bits)                                                                         \
    KERNEL(mutant_fetch_##name, struct texture_fetch_call, call)                                   \
    {                                                                                              \
        const long long at = this_fetch() & ((1LL << (bits)) - 1);                                 \
        if (at < call.n)                                                                           \
            store(&call, at, fetched(&call, of_x(&call, at), of_y(&call, at)));                    \
    }

NARROW(array_16_bits, 16)
NARROW(pitch_16_bits, 16)
NARROW(pitch_31_bits, 31)

/* The byte that a result begins at wraps at 2^32. */
KERNEL(mutant_fetch_byte_32_bits, struct texture_fetch_call, call)
{
    const long long at = this_fetch();
    if (at >= call.n)
        return;
    const unsigned begin = (unsigned)at * (unsigned)call.channels * 4u;
    struct texture_fetch_call moved = call;
    moved.target = (unsigned char *)call.target + begin;
    store(&moved, 0, fetched(&call, of_x(&call, at), of_y(&call, at)));
}
