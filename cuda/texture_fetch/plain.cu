/* The nearest texels by plain loads: addressing and conversion are the kernel's, one fetch a
 * thread. What the others are measured against. Clauses: texture_fetch.value.fetched,
 * texture_fetch.texel.normalized. */
#include "device.h"
#include "texture_fetch/nearest_body.h"

/* Number `place` of the memory, as a float. */
DEVICE float read_number(const struct texture_fetch_call *call, long long place)
{
    const void *texels = (const void *)call->texels;
    if (call->texel == 0)
        return (float)((const unsigned char *)texels)[place] / 255.0f;
    if (call->texel == 1)
        return fmaxf((float)((const signed char *)texels)[place] / 127.0f, -1.0f);
    if (call->texel == 2)
        return (float)((const unsigned short *)texels)[place] / 65535.0f;
    if (call->texel == 3)
        return fmaxf((float)((const short *)texels)[place] / 32767.0f, -1.0f);
    return ((const float *)texels)[place];
}

KERNEL(texture_fetch_plain, struct texture_fetch_call, call)
{
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= call.n)
        return;
    const long long index = nearest_index(&call, at);
    float *target = (float *)call.target + at * call.channels;
    for (int channel = 0; channel < call.channels; channel++)
        target[channel] = index < 0 ? nearest_border(&call, channel)
                                    : read_number(&call, index * call.channels + channel);
}
