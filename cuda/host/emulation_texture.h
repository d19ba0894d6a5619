/* Fetches through textures (cuda/texture.h) on the host device (host_texture.c). */
#ifndef ASSAY_CUDA_HOST_EMULATION_TEXTURE_H
#define ASSAY_CUDA_HOST_EMULATION_TEXTURE_H

#include "arithmetic.h"
#include "emulation_interface.h"

#define EMULATION_TEXTURE(width, type, make)                                                       \
    static inline type texture_line_##width(unsigned long long texture, float x)                   \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_fetch(texture, 1, x, 0, fetched);                                        \
        return make(fetched);                                                                      \
    }                                                                                              \
    static inline type texture_plane_##width(unsigned long long texture, float x, float y)         \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_fetch(texture, 2, x, y, fetched);                                        \
        return make(fetched);                                                                      \
    }                                                                                              \
    static inline type texture_load_##width(unsigned long long texture, int index)                 \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_load(texture, index, fetched);                                           \
        return make(fetched);                                                                      \
    }

#define EMULATION_FETCHED_1(fetched) ((fetched)[0])
#define EMULATION_FETCHED_2(fetched) make_float2((fetched)[0], (fetched)[1])
#define EMULATION_FETCHED_4(fetched)                                                               \
    make_float4((fetched)[0], (fetched)[1], (fetched)[2], (fetched)[3])

EMULATION_TEXTURE(1, float, EMULATION_FETCHED_1)
EMULATION_TEXTURE(2, float2, EMULATION_FETCHED_2)
EMULATION_TEXTURE(4, float4, EMULATION_FETCHED_4)

#endif
