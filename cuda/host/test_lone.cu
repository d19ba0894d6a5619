/* A unit of one kernel, with all the static shared memory that fits beside 256 dynamic bytes. */
#include "device.h"
#include "host/test_call.h"

/* words[i] = i, by threads that reach no barrier. */
KERNEL(test_lone, struct test_call, call)
{
    SHARED unsigned words[(49152 - 256) / 4];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    words[threadIdx.x] = i;
    if (i < call.n)
        call.words[i] = words[threadIdx.x];
}
