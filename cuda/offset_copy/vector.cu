/* Offset copy, 16 bytes a thread. Against scalar: a thread owns one 16-byte slot of the target,
 * counted from the start of a sector of 32 bytes, so every store but those at both ends is one
 * aligned 16-byte store at any offset, and no two warps store to one sector. Where the source is
 * aligned alike, so is the load. Where it is not, the slot is cut out of the two aligned 16-byte
 * words of the source that hold it; the second one is the neighbour's first, so it comes from the
 * cache. A slot that the copied range fills only in part, or whose two words would reach outside
 * the source's copied range, goes element by element.
 * Clauses: offset_copy.value.same, memory.guards.untouched, memory.reads.inside. */
#include "device.h"
#include "offset_copy/call.h"

enum { SLOT = 16, SECTOR = 32 };

/* 32 bits of (high, low), from bit `shift` < 32. */
DEVICE unsigned cut_word(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32) | low) >> shift);
}

/* Bytes shift ... shift + 15 of the 32 bytes low, high; shift < 16. */
DEVICE uint4 cut_slot(uint4 low, uint4 high, unsigned shift)
{
    const unsigned bits = 8 * (shift % 4);
    const int second = (shift & 8) != 0;
    const int odd = (shift & 4) != 0;
    /* Halved twice by plain selects, as an indexed array would not stay in registers. */
    const unsigned a0 = second ? low.z : low.x;
    const unsigned a1 = second ? low.w : low.y;
    const unsigned a2 = second ? high.x : low.z;
    const unsigned a3 = second ? high.y : low.w;
    const unsigned a4 = second ? high.z : high.x;
    const unsigned a5 = second ? high.w : high.y;
    const unsigned b0 = odd ? a1 : a0;
    const unsigned b1 = odd ? a2 : a1;
    const unsigned b2 = odd ? a3 : a2;
    const unsigned b3 = odd ? a4 : a3;
    const unsigned b4 = odd ? a5 : a4;
    return make_uint4(cut_word(b0, b1, bits), cut_word(b1, b2, bits), cut_word(b2, b3, bits),
                      cut_word(b3, b4, bits));
}

/* Copies the whole slot at byte `begin` of the range; false if it has to go by elements. */
DEVICE int copy_slot(const unsigned char *source, unsigned char *target, long long bytes,
                     long long begin)
{
    if (begin < 0 || begin + SLOT > bytes)
        return 0;
    uint4 *slot = (uint4 *)(target + begin);
    const unsigned shift = (unsigned)((size_t)(source + begin) % SLOT);
    if (shift == 0) {
        *slot = *(const uint4 *)(source + begin);
        return 1;
    }
    const long long window = begin - (long long)shift;
    if (window < 0 || window + 2 * SLOT > bytes)
        return 0;
    const uint4 *words = (const uint4 *)(source + window);
    *slot = cut_slot(words[0], words[1], shift);
    return 1;
}

#define OFFSET_COPY_VECTOR(entry, type)                                                            \
    KERNEL(entry, struct offset_copy_call, call)                                                   \
    {                                                                                              \
        const long long size = (long long)sizeof(type);                                            \
        const long long bytes = call.n * size;                                                     \
        const unsigned char *source = (const unsigned char *)call.source + call.offset * size;     \
        unsigned char *target = (unsigned char *)call.target + call.offset * size;                 \
        const long long slot = (long long)blockIdx.x * blockDim.x + threadIdx.x;                   \
        const long long lead = (long long)((size_t)target % SECTOR);                               \
        long long begin = slot * SLOT - lead;                                                      \
        if (begin <= -SLOT) /* an empty slot: its thread takes the one after the last */           \
            begin += (long long)gridDim.x * blockDim.x * SLOT;                                     \
        if (copy_slot(source, target, bytes, begin))                                               \
            return;                                                                                \
        const long long first = begin < 0 ? 0 : begin;                                             \
        const long long end = begin + SLOT < bytes ? begin + SLOT : bytes;                         \
        for (long long at = first; at < end; at += size)                                           \
            *(type *)(target + at) = *(const type *)(source + at);                                 \
    }

OFFSET_COPY_VECTOR(offset_copy_vector_1, unsigned char)
OFFSET_COPY_VECTOR(offset_copy_vector_2, unsigned short)
OFFSET_COPY_VECTOR(offset_copy_vector_4, unsigned)
OFFSET_COPY_VECTOR(offset_copy_vector_8, uint2)
OFFSET_COPY_VECTOR(offset_copy_vector_16, uint4)
