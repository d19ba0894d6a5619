/* Four floats at a time, for kernels with 16-byte accesses: where an address is no multiple of 16
 * bytes, or fewer than four are left, they go one by one. Nothing outside a row is read or written.
 * Clauses: memory.reads.inside, memory.gaps.untouched. */
#ifndef ASSAY_CUDA_FOUR_H
#define ASSAY_CUDA_FOUR_H

#include "async_copy.h"
#include "device.h"

/* True if every fourth element of every row is at a multiple of 16 bytes. */
DEVICE bool four_are_aligned(const float *matrix, long long leading)
{
    return ((size_t)matrix & 15) == 0 && (leading & 3) == 0;
}

/* Elements that are not there are 0: they belong to no element of C. */
DEVICE float4 four_load(const float *from, long long left, bool aligned)
{
    if (aligned && left >= 4)
        return *(const float4 *)from;
    return make_float4(left > 0 ? from[0] : 0.0f, left > 1 ? from[1] : 0.0f,
                       left > 2 ? from[2] : 0.0f, left > 3 ? from[3] : 0.0f);
}

DEVICE void four_store(float *to, long long left, bool aligned, float4 value)
{
    if (aligned && left >= 4) {
        *(float4 *)to = value;
        return;
    }
    if (left > 0)
        to[0] = value.x;
    if (left > 1)
        to[1] = value.y;
    if (left > 2)
        to[2] = value.z;
    if (left > 3)
        to[3] = value.w;
}

/* The same for what nobody reads soon: it leaves the L2 cache first. */
DEVICE void four_store_streaming(float *to, long long left, bool aligned, float4 value)
{
    if (aligned && left >= 4)
        __stcs((float4 *)to, value);
    else
        four_store(to, left, false, value);
}

/* Starts asynchronous copies of up to four floats to shared memory. */
DEVICE void copy_four(float4 *to, const float *from, long long left, bool aligned)
{
    if (aligned && left >= 4) {
        copy_async_16_bypass(to, from);
        return;
    }
    UNROLL(4)
    for (int index = 0; index < 4; index++)
        if (index < left)
            copy_async_4((float *)to + index, from + index);
}

/* One step of the chains of a row's four elements. */
DEVICE void four_add(float left, float4 right, float4 *sum)
{
    sum->x = fmaf(left, right.x, sum->x);
    sum->y = fmaf(left, right.y, sum->y);
    sum->z = fmaf(left, right.z, sum->z);
    sum->w = fmaf(left, right.w, sum->w);
}

#endif
