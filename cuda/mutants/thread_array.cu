/* Mutants of thread_array: elements that the array never gets, stores that are lost, places cut
 * short or taken from another thread, and an array that is not the thread's own. Elements are moved
 * as words of 4 bytes. */
#include "device.h"
#include "thread_array/call.h"

enum { WORDS_MAX = 4, SLOTS = 64 };

/* Mistakes, a bit each; a kernel's is known when it is compiled. */
enum {
    LAST_LEFT_OUT = 1,
    STORE_DROPPED = 2,
    PASS_SHORT = 4,
    PASS_DOWNWARDS = 8,
    ROUND_SHORT = 16,
    NEIGHBOURS_SLOT = 32,
    WINDOW_31_BITS = 64,
    NO_TURN = 128
};

DEVICE long long this_element(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Word `word` of the array's element `slot`. */
DEVICE unsigned source_word(const struct thread_array_call *call, int words, long long at, int slot,
                            int word, int wrong)
{
    const unsigned *source = (const unsigned *)call->source;
    const unsigned first = (unsigned)at * (unsigned)words & 0x7fffffffu;
    return wrong & WINDOW_31_BITS ? source[(long long)first + slot * words + word]
                                  : source[(at + slot) * words + word];
}

/* One word of the result; the words of an element do not meet. */
DEVICE unsigned one_word(const struct thread_array_call *call, unsigned array[SLOTS], int place,
                         int wrong)
{
    const int length = (int)call->length;
    const long long rounds = call->rounds - (wrong & ROUND_SHORT && call->rounds > 1 ? 1 : 0);
    unsigned sum = 0;
    UNROLL(1) /* small code is enough here */
    for (long long round = 0; round < rounds; round++) {
        const unsigned taken = array[wrong & NEIGHBOURS_SLOT ? (place + 1) % length : place];
        if (!(wrong & STORE_DROPPED))
            array[place] = sum;
        sum = taken;
        UNROLL(1)
        for (int step = 1; step < length - (wrong & PASS_SHORT ? 1 : 0); step++) {
            const int slot = wrong & PASS_DOWNWARDS ? length - step : step;
            array[slot] ^= array[slot - 1];
        }
        place = wrong & NO_TURN && place + 1 == length ? place : (place + 1) % length;
    }
    return sum;
}

DEVICE void exchange(const struct thread_array_call *call, long long at, int place, int wrong)
{
    const int words = (int)(call->element / 4);
    UNROLL(1)
    for (int word = 0; word < words; word++) {
        LOCAL_ARRAY(unsigned, array, SLOTS);
        UNROLL(1)
        for (int slot = 0; slot < (int)call->length - (wrong & LAST_LEFT_OUT ? 1 : 0); slot++)
            array[slot] = source_word(call, words, at, slot, word, wrong);
        ((unsigned *)call->target)[at * words + word] = one_word(call, array, place, wrong);
    }
}

#define EXCHANGE(name, place, wrong)                                                               \
    KERNEL(mutant_array_##name, struct thread_array_call, call)                                    \
    {                                                                                              \
        const long long at = this_element();                                                       \
        const unsigned length = (unsigned)call.length;                                             \
        if (at < call.n)                                                                           \
            exchange(&call, at, (int)((place) % length), wrong);                                   \
    }

EXCHANGE(last_left_out, call.index[at], LAST_LEFT_OUT)
EXCHANGE(store_dropped, call.index[at], STORE_DROPPED)
EXCHANGE(pass_short, call.index[at], PASS_SHORT)
EXCHANGE(pass_downwards, call.index[at], PASS_DOWNWARDS)
EXCHANGE(round_short, call.index[at], ROUND_SHORT)
EXCHANGE(neighbours_slot, call.index[at], NEIGHBOURS_SLOT)
EXCHANGE(no_turn, call.index[at], NO_TURN)
EXCHANGE(window_31_bits, call.index[at], WINDOW_31_BITS)
EXCHANGE(index_of_warp, call.index[at / warpSize * warpSize], 0)
EXCHANGE(index_8_bits, (unsigned char)call.index[at], 0)
EXCHANGE(index_16_bits, (unsigned short)call.index[at], 0)
/* As if the length were a power of two. */
EXCHANGE(index_masked, call.index[at] & (length - 1), 0)

/* One array for all threads of a block: each holds what the last of them put there. */
KERNEL(mutant_array_of_block, struct thread_array_call, call)
{
    SHARED unsigned array[WORDS_MAX][SLOTS];
    const long long at = this_element();
    const int words = (int)(call.element / 4);
    if (at < call.n)
        for (int word = 0; word < words; word++)
            for (int slot = 0; slot < (int)call.length; slot++)
                array[word][slot] = source_word(&call, words, at, slot, word, 0);
    __syncthreads();
    if (at >= call.n)
        return;
    const int place = (int)(call.index[at] % (unsigned)call.length);
    for (int word = 0; word < words; word++) {
        LOCAL_ARRAY(unsigned, own, SLOTS);
        for (int slot = 0; slot < (int)call.length; slot++)
            own[slot] = array[word][slot];
        ((unsigned *)call.target)[at * words + word] = one_word(&call, own, place, 0);
    }
}
