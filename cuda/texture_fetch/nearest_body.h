/* Shared by the kernels of texture_fetch that read single texels: which texel a coordinate names,
 * in the kernel's own arithmetic, and the border's color. */
#ifndef ASSAY_CUDA_TEXTURE_FETCH_NEAREST_BODY_H
#define ASSAY_CUDA_TEXTURE_FETCH_NEAREST_BODY_H

#include "texture.h"
#include "texture_fetch/call.h"

enum { NEAREST_WRAP, NEAREST_CLAMP, NEAREST_MIRROR, NEAREST_BORDER };

/* A coordinate's place in texels, rounded down. One that is normalized has 21 bits after the point;
 * in a texture that repeats, a coordinate an even number of sizes away has the same place. */
DEVICE long long nearest_place(float coordinate, long long size, int is_normalized, int turns)
{
    const float least = 1.17549435e-38f, steps = 2097152.0f, far = 1099511627776.0f;
    if (!(fabsf(coordinate) >= least)) /* NaN, too */
        coordinate = 0.0f;
    if (!is_normalized)
        return (long long)floorf(fminf(fmaxf(coordinate, -far), far));
    const float nearest = turns ? far : 2.0f;
    coordinate = fminf(fmaxf(coordinate, -nearest), nearest);
    long long place = (long long)floorf(__fmul_rn(coordinate, steps));
    if (turns)
        place &= 2 * 2097152 - 1;
    return (place * size) >> 21;
}

/* The texel along one axis; below 0: the border. */
DEVICE long long nearest_texel(float coordinate, long long size, int is_normalized, int mode)
{
    const int turns = is_normalized && (mode == NEAREST_WRAP || mode == NEAREST_MIRROR);
    const long long index = nearest_place(coordinate, size, is_normalized, turns);
    if (index >= 0 && index < size)
        return index;
    if (mode == NEAREST_BORDER)
        return -1;
    if (!turns)
        return index < 0 ? 0 : size - 1;
    return mode == NEAREST_WRAP ? index - size : 2 * size - 1 - index;
}

/* The texel's index in rows that are `ld` texels apart; below 0: the border. */
DEVICE long long nearest_index(const struct texture_fetch_call *call, long long at)
{
    const int is_normalized = call->normalized != 0;
    long long column =
        nearest_texel(call->coords[at], call->width, is_normalized, (int)call->address_x);
    long long row = 0;
    if (call->height > 0)
        row = nearest_texel(call->coords[call->n + at], call->height, is_normalized,
                            (int)call->address_y);
    return column < 0 || row < 0 ? -1 : row * call->ld + column;
}

/* Number `channel` of the border: 1, -1, 0, 1; of formats without a sign 0 in place of -1. */
DEVICE float nearest_border(const struct texture_fetch_call *call, int channel)
{
    const int has_sign = call->texel != 0 && call->texel != 2;
    return channel == 2 ? 0.0f : channel != 1 ? 1.0f : has_sign ? -1.0f : 0.0f;
}

#endif
