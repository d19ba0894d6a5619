/* The nearest texels of a texture that is a line of memory: the kernel finds each texel's index,
 * and the texture converts what is there. One fetch a thread. Clause:
 * texture_fetch.value.fetched. */
#include "device.h"
#include "texture_fetch/nearest_body.h"

KERNEL(texture_fetch_linear, struct texture_fetch_call, call)
{
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= call.n)
        return;
    const long long index = nearest_index(&call, at);
    float *target = (float *)call.target + at * call.channels;
    if (index < 0) {
        for (int channel = 0; channel < call.channels; channel++)
            target[channel] = nearest_border(&call, channel);
        return;
    }
    if (call.channels == 1)
        ((float *)call.target)[at] = texture_load_1(call.texels, (int)index);
    else if (call.channels == 2)
        ((float2 *)call.target)[at] = texture_load_2(call.texels, (int)index);
    else
        ((float4 *)call.target)[at] = texture_load_4(call.texels, (int)index);
}
