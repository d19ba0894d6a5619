/* Writes over what earlier launches left on a multiprocessor: a GPU clears neither shared memory
 * nor registers between launches, so a kernel without its barrier may find there what a correct one
 * left. A block that takes all the shared memory that it can has a multiprocessor to itself; its
 * 1024 threads hold 52 of their 64 registers' words over the barrier. Local memory has a kernel of
 * its own: on an H200 it takes 25 us, shared memory and registers 2.
 * Clause: memory.scrub.shared. */
#include "device.h"
#include "harness/call.h"
#include "harness/mix.h"

enum { LOCAL = 64 };

KERNEL(harness_scrub, struct harness_scrub_call, call)
{
    DYNAMIC_SHARED(unsigned long long, shared);
    const unsigned words = (unsigned)call.shared_words;
    /* The key moves the reads: registers of addresses have other words under another key, too. */
    const unsigned first = (threadIdx.x + (unsigned)call.key) % HARNESS_SCRUB_READ;
    unsigned held[HARNESS_SCRUB_HELD];

    for (unsigned word = threadIdx.x; word < words; word += blockDim.x)
        shared[word] = harness_mix(call.key, word);
    __syncthreads();
    UNROLL(52)
    for (unsigned index = 0; index < HARNESS_SCRUB_HELD; index++)
        held[index] = (unsigned)shared[first + index];
    __syncthreads(); /* no compiler moves the loads past it */
    /* Nor does one fold them before it: the chain begins with a word read after it. */
    unsigned chain = (unsigned)shared[first];
    UNROLL(52)
    for (unsigned index = 0; index < HARNESS_SCRUB_HELD; index++)
        chain = harness_chain(chain, held[index]);
    if (call.sink)
        call.sink[threadIdx.x] = chain;
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
