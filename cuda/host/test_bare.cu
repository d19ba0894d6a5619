/* A unit without shared memory. */
#include "device.h"
#include "host/test_call.h"

/* target[i] = source[i]. */
KERNEL(test_bare, struct test_call, call)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < call.n)
        call.target[i] = call.source[i];
}
