/* Words that the harness's kernels write, and sums that they take. */
#ifndef ASSAY_CUDA_HARNESS_MIX_H
#define ASSAY_CUDA_HARNESS_MIX_H

#include "device.h"

/* The word that they write: no two numbers have the same word under one key. */
DEVICE unsigned long long harness_mix(unsigned long long key, unsigned long long number)
{
    unsigned long long word = (key + number) * 0x9e3779b97f4a7c15ull;
    return word ^ word >> 29;
}

/* One link of a chain of words that no order but theirs gives. */
DEVICE unsigned harness_chain(unsigned chain, unsigned word)
{
    return (chain ^ word) * 0x9e3779b1u;
}

/* A word at a place, for a digest: another word at that place is another number, and words that are
 * exchanged or moved have another sum (the finalizer of SplitMix64). */
DEVICE unsigned long long harness_blend(unsigned long long word, unsigned long long place)
{
    word += place * 0x9e3779b97f4a7c15ull;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ word >> 27) * 0x94d049bb133111ebull;
    return word ^ word >> 31;
}

#endif
