/* Copies that move the wrong bytes, or the right ones too far. All but one go byte by byte, so that
 * one entry does for every size of element. */
#include "device.h"
#include "offset_copy/call.h"
#include "strided_copy/call.h"

enum { SLOT = 16 };

DEVICE long long thread_index(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Copies the bytes from `begin` to `end` of both; `begin` may be after `end`. */
DEVICE void copy(void *target, const void *source, long long begin, long long end)
{
    for (long long at = begin; at < end; at++)
        ((unsigned char *)target)[at] = ((const unsigned char *)source)[at];
}

/* Copies element `from` of the source to element `to` of the target. */
DEVICE void move(void *target, long long to, const void *source, long long from, long long element)
{
    copy((unsigned char *)target + to * element, (const unsigned char *)source + from * element, 0,
         element);
}

/* The first byte of this thread's 16-byte slot of the target, from element 0 of the copied range;
 * slots start at aligned addresses, so the first one may start before the range. */
DEVICE long long slot_begin(const struct offset_copy_call *call)
{
    const size_t address = (size_t)call->target + (size_t)(call->offset * call->element);
    return thread_index() * SLOT - (long long)(address % SLOT);
}

DEVICE long long at_least_zero(long long value)
{
    return value < 0 ? 0 : value;
}

DEVICE long long at_most(long long value, long long limit)
{
    return value < limit ? value : limit;
}

/* The offset is applied to the target alone. */
KERNEL(mutant_offset_ignored, struct offset_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move(call.target, call.offset + index, call.source, index, call.element);
}

/* The copy starts at element 0, not at the offset. */
KERNEL(mutant_head_copied, struct offset_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.offset + call.n)
        move(call.target, index, call.source, index, call.element);
}

/* The last 16-byte slot is written whole, past the last element. */
KERNEL(mutant_tail_slot_whole, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    const long long begin = slot_begin(&call);
    if (begin < call.n * call.element)
        copy((unsigned char *)call.target + skip, (const unsigned char *)call.source + skip,
             at_least_zero(begin), begin + SLOT);
}

/* The first 16-byte slot is written whole, from before the first element. */
KERNEL(mutant_head_slot_whole, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    const long long begin = slot_begin(&call);
    copy((unsigned char *)call.target + skip, (const unsigned char *)call.source + skip, begin,
         at_most(begin + SLOT, call.n * call.element));
}

/* Slots are loaded as if the source were aligned as the target is: its address is rounded down. */
KERNEL(mutant_alignment_assumed, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    const unsigned char *source = (const unsigned char *)call.source + skip;
    const long long begin = slot_begin(&call);
    const long long shift = (long long)((size_t)(source + begin) % SLOT);
    copy((unsigned char *)call.target + skip, source - shift, at_least_zero(begin),
         at_most(begin + SLOT, call.n * call.element));
}

/* The upper half of a whole slot gets the bytes of the lower half. */
KERNEL(mutant_half_slot, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    unsigned char *target = (unsigned char *)call.target + skip;
    const unsigned char *source = (const unsigned char *)call.source + skip;
    const long long begin = slot_begin(&call);
    const long long bytes = call.n * call.element;
    copy(target, source, at_least_zero(begin), at_most(begin + SLOT, bytes));
    if (begin >= 0 && begin + SLOT <= bytes)
        copy(target + begin + SLOT / 2, source + begin, 0, SLOT / 2);
}

/* Elements of 8 bytes move as if they had 4. */
KERNEL(mutant_narrow_element, struct offset_copy_call, call)
{
    const long long index = call.offset + thread_index();
    if (thread_index() < call.n)
        copy((unsigned char *)call.target + index * 8,
             (const unsigned char *)call.source + index * 8, 0, call.element / 2);
}

/* 16-byte accesses at any address, which is a fault where the address is not aligned. */
KERNEL(mutant_misaligned_access, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    unsigned char *target = (unsigned char *)call.target + skip;
    const unsigned char *source = (const unsigned char *)call.source + skip;
    const long long begin = thread_index() * SLOT;
    const long long bytes = call.n * call.element;
    if (begin + SLOT <= bytes)
        *(uint4 *)(target + begin) = *(const uint4 *)(source + begin);
    else
        copy(target, source, begin, bytes);
}

/* The stride is applied to the target alone. */
KERNEL(mutant_stride_ignored, struct strided_copy_call, call)
{
    const long long index = thread_index();
    if (index < call.n)
        move(call.target, index * call.stride, call.source, index, call.element);
}

/* Each thread but the last also copies the element after its own, which is in the gap. */
KERNEL(mutant_gap_filled, struct strided_copy_call, call)
{
    const long long at = thread_index() * call.stride;
    if (thread_index() < call.n)
        move(call.target, at, call.source, at, call.element);
    if (thread_index() < call.n - 1 && call.stride > 1)
        move(call.target, at + 1, call.source, at + 1, call.element);
}

/* The guard takes one thread too many. */
KERNEL(mutant_stride_one_past, struct strided_copy_call, call)
{
    const long long at = thread_index() * call.stride;
    if (thread_index() <= call.n)
        move(call.target, at, call.source, at, call.element);
}

/* The first element is left out. */
KERNEL(mutant_first_unwritten, struct strided_copy_call, call)
{
    const long long at = thread_index() * call.stride;
    if (thread_index() > 0 && thread_index() < call.n)
        move(call.target, at, call.source, at, call.element);
}

/* The last thread reads far outside every allocation. */
KERNEL(mutant_far_read, struct strided_copy_call, call)
{
    const long long at = thread_index() * call.stride;
    const long long far = thread_index() == call.n - 1 ? 1LL << 42 : 0;
    if (thread_index() < call.n)
        move(call.target, at, (const unsigned char *)call.source + far, at, call.element);
}
