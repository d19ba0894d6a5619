/* Shared by the kernels of thread_array: a thread that has its array in local memory, and one that
 * has it in registers. */
#ifndef ASSAY_CUDA_THREAD_ARRAY_ARRAY_BODY_H
#define ASSAY_CUDA_THREAD_ARRAY_ARRAY_BODY_H

#include "device.h"
#include "thread_array/call.h"

/* Elements of `type` in `bytes` bytes, but no more than `most`. */
#define ARRAY_ELEMENTS(type, bytes, most)                                                          \
    ((bytes) / (int)sizeof(type) < (most) ? (bytes) / (int)sizeof(type) : (most))

DEVICE long long this_element(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* The index at which the array is read and written first. */
DEVICE int first_place(const struct thread_array_call *call, long long at)
{
    return (int)(call->index[at] % (unsigned)call->length);
}

DEVICE int next_place(int place, int length)
{
    return place + 1 == length ? 0 : place + 1;
}

/* The place is known only at run time, and registers have no such index: the array is in local
 * memory. */
#define LOCAL_BODY(type, combine)                                                                  \
    do {                                                                                           \
        const long long at = this_element();                                                       \
        if (at >= call.n)                                                                          \
            return;                                                                                \
        const type *source = (const type *)call.source + at;                                       \
        const int length = (int)call.length;                                                       \
        int place = first_place(&call, at);                                                        \
        type sum = {0};                                                                            \
        LOCAL_ARRAY(type, array, ARRAY_ELEMENTS(type, 256, 64));                                   \
        for (int slot = 0; slot < length; slot++)                                                  \
            array[slot] = source[slot];                                                            \
        for (long long round = 0; round < call.rounds; round++) {                                  \
            const type taken = array[place];                                                       \
            array[place] = sum;                                                                    \
            sum = taken;                                                                           \
            for (int slot = 1; slot < length; slot++)                                              \
                combine(array[slot], array[slot - 1]);                                             \
            place = next_place(place, length);                                                     \
        }                                                                                          \
        ((type *)call.target)[at] = sum;                                                           \
    } while (0)

/* Every loop over the array is laid out in a row, so that each slot is a name of its own: the place
 * is looked for among all of them. */
#define REGISTER_BODY(type, combine)                                                               \
    do {                                                                                           \
        enum { SLOTS = ARRAY_ELEMENTS(type, 128, 32) };                                            \
        const long long at = this_element();                                                       \
        if (at >= call.n)                                                                          \
            return;                                                                                \
        const type *source = (const type *)call.source + at;                                       \
        const int length = (int)call.length;                                                       \
        int place = first_place(&call, at);                                                        \
        type sum = {0};                                                                            \
        LOCAL_ARRAY(type, array, SLOTS);                                                           \
        EACH_SLOT(slot, 0, length, SLOTS)                                                          \
        array[slot] = source[slot];                                                                \
        for (long long round = 0; round < call.rounds; round++) {                                  \
            type taken = sum;                                                                      \
            EACH_SLOT(slot, 0, length, SLOTS)                                                      \
            if (slot == place) {                                                                   \
                taken = array[slot];                                                               \
                array[slot] = sum;                                                                 \
            }                                                                                      \
            sum = taken;                                                                           \
            EACH_SLOT(slot, 1, length, SLOTS)                                                      \
            combine(array[slot], array[slot - 1]);                                                 \
            place = next_place(place, length);                                                     \
        }                                                                                          \
        ((type *)call.target)[at] = sum;                                                           \
    } while (0)

#endif
