/* Copies between two GPUs that move the wrong bytes, or to the wrong side. They go byte by byte, so
 * that one entry does for every size of element. */
#include "device.h"
#include "peer_copy/call.h"

DEVICE long long thread_index(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Copies that many bytes of element `from` of the source to element `to` of the target. */
DEVICE void move(void *target, long long to, const void *source, long long from, long long element,
                 long long bytes)
{
    for (long long at = 0; at < bytes; at++)
        ((unsigned char *)target)[to * element + at] =
            ((const unsigned char *)source)[from * element + at];
}

KERNEL(mutant_peer_next_element, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move(call.target, index, call.source, index + 1 < call.n ? index + 1 : index, call.element,
             call.element);
}

KERNEL(mutant_peer_tail_dropped, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n - call.n % 32)
        move(call.target, index, call.source, index, call.element, call.element);
}

KERNEL(mutant_peer_half_element, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move(call.target, index, call.source, index, call.element, call.element / 2);
}

/* As if the two addresses were swapped: the first GPU's memory is written, from the second's. */
KERNEL(mutant_peer_wrong_way, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move((void *)call.source, index, call.target, index, call.element, call.element);
}

KERNEL(mutant_peer_source_written, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index >= call.n)
        return;
    move(call.target, index, call.source, index, call.element, call.element);
    ((unsigned char *)call.source)[index * call.element] ^= 1;
}

KERNEL(mutant_peer_one_past, struct peer_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move(call.target, index, call.source, index, call.element, call.element);
    if (index == call.n - 1)
        ((unsigned char *)call.target)[call.n * call.element] ^= 1;
}
