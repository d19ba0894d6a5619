/* Fetches from a texture in an array of the driver's, of one dimension or two, one a thread.
 * Address modes, filter and conversion are the texture's. Clause: texture_fetch.value.fetched. */
#include "device.h"
#include "texture_fetch/fetch_body.h"

KERNEL(texture_fetch_array, struct texture_fetch_call, call)
{
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= call.n)
        return;
    if (call.height == 0)
        fetch_line(&call, at);
    else
        fetch_plane(&call, at);
}
