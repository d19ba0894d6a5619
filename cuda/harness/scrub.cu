/* Writes over what earlier launches left on a multiprocessor: a GPU clears neither shared memory
 * nor registers between launches, so a kernel without its barrier may find there what a right one
 * left. A block that takes all the shared memory that it can has a multiprocessor to itself; its
 * 1024 threads hold 48 words each in registers over the barrier, and a few more in local memory.
 * Clause: memory.scrub.shared. */
#include "device.h"
#include "harness/call.h"
#include "harness/mix.h"

enum { HELD = 48, LOCAL = 16 };

KERNEL(harness_scrub, struct harness_scrub_call, call)
{
    DYNAMIC_SHARED(unsigned long long, shared);
    const unsigned thread = threadIdx.x;
    const unsigned words = (unsigned)call.shared_words;
    unsigned held[HELD], local[LOCAL], sum = 0;

    for (unsigned word = thread; word < words; word += blockDim.x)
        shared[word] = harness_mix(call.key, word);
    __syncthreads();
    UNROLL(48)
    for (unsigned index = 0; index < HELD; index++)
        held[index] = (unsigned)shared[(thread + index) % words];
    /* An index that is known at run time alone puts the array into local memory. */
    for (unsigned index = 0; index < LOCAL; index++)
        local[(thread + index) % LOCAL] = (unsigned)shared[index % words];
    __syncthreads(); /* no compiler moves the loads past it */
    UNROLL(48)
    for (unsigned index = 0; index < HELD; index++)
        sum += held[index];
    if (call.sink)
        call.sink[thread] = sum + local[sum % LOCAL];
}
