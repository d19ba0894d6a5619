/* Writes over what earlier launches left on a multiprocessor: a GPU clears neither shared memory
 * nor registers between launches, so a kernel without its barrier may find there what a correct one
 * left. A block that takes all the shared memory that it can has a multiprocessor to itself; its
 * 1024 threads hold 48 words each in registers over the barrier. Local memory has a kernel of its
 * own: on an H200 it takes 25 us, shared memory and registers 2.
 * Clause: memory.scrub.shared. */
#include "device.h"
#include "harness/call.h"
#include "harness/mix.h"

/* A power of two of the words in shared memory is read again, which costs no division. */
enum { HELD = 48, LOCAL = 64, READ_WORDS = 4096 };

KERNEL(harness_scrub, struct harness_scrub_call, call)
{
    DYNAMIC_SHARED(unsigned long long, shared);
    const unsigned thread = threadIdx.x;
    const unsigned words = (unsigned)call.shared_words;
    unsigned held[HELD], sum = 0;

    for (unsigned word = thread; word < words; word += blockDim.x)
        shared[word] = harness_mix(call.key, word);
    __syncthreads();
    UNROLL(48)
    for (unsigned index = 0; index < HELD; index++)
        held[index] = (unsigned)shared[(thread + index) % READ_WORDS];
    __syncthreads(); /* no compiler moves the loads past it */
    UNROLL(48)
    for (unsigned index = 0; index < HELD; index++)
        sum += held[index];
    if (call.sink)
        call.sink[thread] = sum;
}

/* An index that is known only at run time puts the array into local memory. It is the same in all
 * threads of a warp, whose words then are adjacent: with one for each thread a run of
 * thread_array/local took 5.7 s on an H200 in place of 1.3. */
KERNEL(harness_scrub_local, struct harness_scrub_call, call)
{
    const unsigned first = (unsigned)call.shared_words;
    unsigned local[LOCAL];
    for (unsigned index = 0; index < LOCAL; index++)
        local[(first + index) % LOCAL] = (unsigned)harness_mix(call.key, index);
    if (call.sink)
        call.sink[threadIdx.x] = local[call.sink[0] % LOCAL];
}
