/* Adjacent differences that are wrong at an end, at a tile's edge, or past the last element. */
#include "device.h"
#include "adjacent_difference/call.h"

enum { TILE = 256 };

DEVICE long long thread_index(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* The element before `index`, or 0 for the first. */
DEVICE float before(const struct adjacent_difference_call *call, long long index)
{
    return index > 0 ? call->a[index - 1] : 0.0f;
}

DEVICE void right(const struct adjacent_difference_call *call, long long index)
{
    if (index < call->n)
        call->b[index] = __fsub_rn(call->a[index], before(call, index));
}

/* Document 001: threads past the end load nothing, but write. */
KERNEL(mutant_difference_unguarded, struct adjacent_difference_call, call)
{
    SHARED float tile[TILE];
    const unsigned x = threadIdx.x;
    const long long index = thread_index();
    if (index < call.n)
        tile[x] = call.a[index];
    __syncthreads();
    if (x > 0)
        call.b[index] = __fsub_rn(tile[x], tile[x - 1]);
    else
        call.b[index] = __fsub_rn(tile[x], before(&call, index));
}

/* The guard takes one thread too many. */
KERNEL(mutant_difference_one_past, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    if (index <= call.n)
        call.b[index] = __fsub_rn(call.a[index], before(&call, index));
}

/* The first thread also writes the element before the first. */
KERNEL(mutant_difference_one_before, struct adjacent_difference_call, call)
{
    right(&call, thread_index());
    if (thread_index() == 0)
        call.b[-1] = 0.0f;
}

/* The guard takes one thread too few. */
KERNEL(mutant_difference_last_unwritten, struct adjacent_difference_call, call)
{
    if (thread_index() < call.n - 1)
        right(&call, thread_index());
}

/* The operands of the subtraction are swapped. */
KERNEL(mutant_difference_sign, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        call.b[index] = __fsub_rn(before(&call, index), call.a[index]);
}

/* The difference to the next element: the last one reads past the end. */
KERNEL(mutant_difference_forward, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        call.b[index] = __fsub_rn(call.a[index + 1], call.a[index]);
}

/* The first thread of every block takes 0 for the element before, not only that of the first block.
 */
KERNEL(mutant_difference_tile_edge, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        call.b[index] = __fsub_rn(call.a[index], threadIdx.x > 0 ? before(&call, index) : 0.0f);
}

/* The first element is subtracted from itself, as if it were its own neighbour. */
KERNEL(mutant_difference_first, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        call.b[index] = __fsub_rn(call.a[index], call.a[index > 0 ? index - 1 : 0]);
}

/* The second block alone takes the element two before. */
KERNEL(mutant_difference_one_block, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    const long long neighbour = blockIdx.x == 1 ? index - 1 : index;
    if (index < call.n)
        call.b[index] = __fsub_rn(call.a[index], before(&call, neighbour));
}

/* The result is also written over the input. */
KERNEL(mutant_difference_in_place, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    right(&call, index);
    if (index < call.n)
        ((float *)call.a)[index] = call.b[index];
}

/* The last thread writes far outside every allocation. */
KERNEL(mutant_difference_far_write, struct adjacent_difference_call, call)
{
    const long long index = thread_index();
    right(&call, index);
    if (index == call.n - 1)
        call.b[index + (1LL << 40)] = 0.0f;
}
