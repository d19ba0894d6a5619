/* Fetches from a texture of two dimensions that is in ordinary memory, row after row, one a
 * thread.
 * Clause: texture_fetch.value.fetched. */
#include "device.h"
#include "texture_fetch/fetch_body.h"

KERNEL(texture_fetch_pitch, struct texture_fetch_call, call)
{
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < call.n)
        fetch_plane(&call, at);
}
