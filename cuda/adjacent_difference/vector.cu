/* Adjacent difference, 16 bytes a thread. Against global: a thread owns one 16-byte slot of b,
 * counted from an aligned address, so that loads and stores are as wide as memory is fast at; the
 * element before a slot is the neighbour's last, which a warp shuffle fetches without another load.
 * The first lane of a warp reads it from memory. Where a and b are not aligned alike, and at both
 * ends, a slot goes element by element.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest, memory.reads.inside. */
#include "device.h"
#include "adjacent_difference/call.h"

enum { SLOT_ELEMENTS = 4, SLOT_BYTES = 16, WARP = 32 };

DEVICE float element_before(const float *a, long long index)
{
    return index == 0 ? 0.0f : a[index - 1];
}

KERNEL(adjacent_difference_vector, struct adjacent_difference_call, call)
{
    const long long slot = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long lead = (long long)((size_t)call.b % SLOT_BYTES / sizeof(float));
    const long long begin = slot * SLOT_ELEMENTS - lead;
    const int alike = (size_t)call.a % SLOT_BYTES == (size_t)call.b % SLOT_BYTES;
    const int whole = alike && begin >= 0 && begin + SLOT_ELEMENTS <= call.n;
    float4 own = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (whole)
        own = *(const float4 *)(call.a + begin);
    /* Every lane takes part, even one without a whole slot: a shuffle is a convergence point. */
    float before = __shfl_up_sync(0xffffffffu, own.w, 1);
    if (whole) {
        /* The lane below has no whole slot to give from where this slot is the range's first. */
        if (threadIdx.x % WARP == 0 || begin < SLOT_ELEMENTS)
            before = element_before(call.a, begin);
        *(float4 *)(call.b + begin) = make_float4(__fsub_rn(own.x, before), __fsub_rn(own.y, own.x),
                                                  __fsub_rn(own.z, own.y), __fsub_rn(own.w, own.z));
        return;
    }
    const long long first = begin < 0 ? 0 : begin;
    const long long end = begin + SLOT_ELEMENTS < call.n ? begin + SLOT_ELEMENTS : call.n;
    for (long long index = first; index < end; index++)
        call.b[index] = __fsub_rn(call.a[index], element_before(call.a, index));
}
