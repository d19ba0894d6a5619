/* Fetches through a texture object, a number of 8 bytes:
 *
 *     texture_line_1(texture, x)      of one dimension, as float; _2 as float2, _4 as float4
 *     texture_plane_1(texture, x, y)  of two
 *     texture_load_1(texture, index)  of linear memory, by a texel's index */
#ifndef ASSAY_CUDA_TEXTURE_H
#define ASSAY_CUDA_TEXTURE_H

#include "device.h"

#ifdef __CUDACC__
#define texture_line_1(texture, x)     tex1D<float>(texture, x)
#define texture_line_2(texture, x)     tex1D<float2>(texture, x)
#define texture_line_4(texture, x)     tex1D<float4>(texture, x)
#define texture_plane_1(texture, x, y) tex2D<float>(texture, x, y)
#define texture_plane_2(texture, x, y) tex2D<float2>(texture, x, y)
#define texture_plane_4(texture, x, y) tex2D<float4>(texture, x, y)
#define texture_load_1(texture, index) tex1Dfetch<float>(texture, index)
#define texture_load_2(texture, index) tex1Dfetch<float2>(texture, index)
#define texture_load_4(texture, index) tex1Dfetch<float4>(texture, index)
#endif /* else emulation.h has them */

#endif
