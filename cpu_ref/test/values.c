/* Inputs for the golden's tests (values.h). */
#include "cpu_ref/test/values.h"

#include <string.h>

/* SplitMix64's finisher over a counter: no state, no libc. */
uint64_t values_word(uint64_t seed, uint64_t counter)
{
    uint64_t word = (seed + 1) * 0xd1b54a32d192ed03u + (counter + 1) * 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

size_t values_below(uint64_t seed, uint64_t counter, size_t bound)
{
    return (size_t)(values_word(seed, counter) % bound);
}

/* Sign and mantissa from the word, and an exponent field within `reach` of `middle`. */
static uint32_t around(uint64_t word, uint32_t middle, uint32_t reach)
{
    uint32_t low = (uint32_t)word & 0x807fffffu;
    uint32_t exponent = middle - reach + (uint32_t)(word >> 32) % (2 * reach + 1);
    return low | exponent << 23;
}

static const uint32_t specials[16] = {
    0x00000000, 0x80000000, 0x00000000, 0x80000000, /* zeros */
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, /* least and greatest subnormal */
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, /* least normal and greatest float */
    0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, /* infinities, quiet and signalling NaN */
};

/* One in 4 is a zero and one in 64 another special, or a sum of a few dozen is always NaN. */
static uint32_t special(uint64_t word)
{
    uint32_t choice = (uint32_t)(word >> 58);
    if (choice < 16)
        return specials[choice % 4];
    if (choice == 16)
        return specials[(word >> 54) % 16];
    return around(word, 127, 8);
}

uint32_t values_bits(enum values_kind kind, uint64_t seed, uint64_t counter)
{
    uint64_t word = values_word(seed, counter);
    switch (kind) {
    case VALUES_NEAR:
        return around(word, 127, 8);
    case VALUES_WIDE:
        return around(word, 127, 60);
    case VALUES_TINY:
        return around(word, 53, 14);
    case VALUES_HUGE:
        return around(word, 188, 4);
    case VALUES_SPECIAL:
        return special(word);
    default:
        return (uint32_t)word;
    }
}

float values_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t values_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void values_fill(float *ret, size_t count, enum values_kind kind, uint64_t seed)
{
    /* As bits: a signalling NaN does not survive every machine's floating-point registers. */
    for (size_t index = 0; index < count; index++) {
        uint32_t bits = values_bits(kind, seed, index);
        memcpy(&ret[index], &bits, sizeof bits);
    }
}

void values_fill_bytes(void *ret, size_t bytes, uint64_t seed)
{
    unsigned char *to = ret;
    for (size_t index = 0; index < bytes; index++)
        to[index] = (unsigned char)values_word(seed, index);
}

void values_poison(float *ret, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        uint32_t bits = 0x5a000000u | (uint32_t)(index & 0xffffff);
        memcpy(&ret[index], &bits, sizeof bits);
    }
}
