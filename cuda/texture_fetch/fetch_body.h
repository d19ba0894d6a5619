/* Shared by the kernels of texture_fetch that filter: one fetch a thread, of one, two or four
 * numbers, all in one kernel. */
#ifndef ASSAY_CUDA_TEXTURE_FETCH_FETCH_BODY_H
#define ASSAY_CUDA_TEXTURE_FETCH_FETCH_BODY_H

#include "texture.h"
#include "texture_fetch/call.h"

DEVICE void fetch_line(const struct texture_fetch_call *call, long long at)
{
    const float x = call->coords[at];
    if (call->channels == 1)
        ((float *)call->target)[at] = texture_line_1(call->texels, x);
    else if (call->channels == 2)
        ((float2 *)call->target)[at] = texture_line_2(call->texels, x);
    else
        ((float4 *)call->target)[at] = texture_line_4(call->texels, x);
}

DEVICE void fetch_plane(const struct texture_fetch_call *call, long long at)
{
    const float x = call->coords[at], y = call->coords[call->n + at];
    if (call->channels == 1)
        ((float *)call->target)[at] = texture_plane_1(call->texels, x, y);
    else if (call->channels == 2)
        ((float2 *)call->target)[at] = texture_plane_2(call->texels, x, y);
    else
        ((float4 *)call->target)[at] = texture_plane_4(call->texels, x, y);
}

#endif
