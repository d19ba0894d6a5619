/* Counter-based random numbers: word `counter` of stream `seed`, with no state to carry. */
#pragma once

#include <stdint.h>

/* SplitMix64's output function (Steele, Lea, Flood 2014) over seed + counter * golden gamma. */
static inline uint64_t random_word(uint64_t seed, uint64_t counter)
{
    uint64_t word = seed + (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* A number in [0, bound); bound > 0. Bias is below bound / 2^32. */
static inline uint64_t random_below(uint64_t seed, uint64_t counter, uint64_t bound)
{
    return bound >> 32 ? random_word(seed, counter) % bound
                       : ((random_word(seed, counter) >> 32) * bound) >> 32;
}
