/* Fills of elements that are only copied: 16-byte patterns that are unique by position, so that no
 * copy from a wrong place gives the right bytes (cases.fill.unique). */
#include "fuzz/fill.h"
#include "fuzz/fill_source.h"

#include <endian.h>
#include <string.h>

static void noise_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    ret[0] = random_word(source->key, 2 * block);
    ret[1] = random_word(source->key, 2 * block + 1);
}

/* Counts from number + 1. Counters of 1 or 2 bytes would repeat at a power of two, and so would
 * those of 4 bytes after 2^32: there is noise in their place, whose 16-byte patterns do not repeat.
 */
static void count_block(const struct fill_source *source, uint64_t block, uint64_t shift,
                        uint64_t ret[2])
{
    const uint64_t number = 4 * block + shift + 1;
    switch (source->view.element_bytes) {
    case 4:
        if (number + 3 > UINT32_MAX) {
            noise_block(source, block, ret);
            return;
        }
        ret[0] = (number & UINT32_MAX) | (number + 1) << 32;
        ret[1] = ((number + 2) & UINT32_MAX) | (number + 3) << 32;
        return;
    case 8:
        ret[0] = 2 * block + shift + 1;
        ret[1] = 2 * block + shift + 2;
        return;
    case 16:
        ret[0] = block + shift + 1;
        ret[1] = random_word(source->key, block);
        return;
    default:
        noise_block(source, block, ret);
    }
}

static void position_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, 0, ret);
}

static void shifted_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, (uint64_t)source->shift, ret);
}

/* Every second lane a float that arithmetic would change: a copy must not. */
static void special_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    noise_block(source, block, ret);
    for (int index = 0; index < 2; index++) {
        uint64_t special = fill_specials[ret[index] & (SPECIALS_COUNT - 1)];
        ret[index] = ret[index] & 16 ? (ret[index] & ~(uint64_t)UINT32_MAX) | special
                                     : (ret[index] & UINT32_MAX) | special << 32;
    }
}

static void equal_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    (void)block;
    uint64_t word = random_word(source->key, 0) | 1;
    for (int bits = (int)(8 * source->view.element_bytes); bits < 64; bits *= 2)
        word = (word & ((UINT64_C(1) << bits) - 1)) | word << bits;
    ret[0] = word;
    ret[1] = word;
}

static void store_words(unsigned char *target, const uint64_t word[2])
{
    const uint64_t stored[2] = {htole64(word[0]), htole64(word[1])};
    memcpy(target, stored, sizeof stored);
}

/* The elements of one block, each where it belongs. A size known to the compiler makes each copy
 * one instruction. */
static inline unsigned char *scatter(unsigned char *target, const unsigned char *bytes,
                                     size_t count, size_t element_bytes, size_t stride_bytes)
{
    for (size_t at = 0; at < count; at += element_bytes, target += stride_bytes)
        memcpy(target, bytes + at, element_bytes);
    return target;
}

static unsigned char *scatter_block(unsigned char *target, const uint64_t word[2], size_t skip,
                                    size_t count, size_t element_bytes, size_t stride_bytes)
{
    unsigned char stored[16];
    store_words(stored, word);
    const unsigned char *bytes = stored + skip;
    if (element_bytes == 4)
        return scatter(target, bytes, count, 4, stride_bytes);
    if (element_bytes == 1)
        return scatter(target, bytes, count, 1, stride_bytes);
    if (element_bytes == 2)
        return scatter(target, bytes, count, 2, stride_bytes);
    return scatter(target, bytes, count, element_bytes, stride_bytes);
}

/* Makes 16 bytes of an operand, from 16 * block on, as two words whose low byte comes first. */
typedef void make_block(const struct fill_source *source, uint64_t block, uint64_t ret[2]);

/* The elements of an operand, row after row, are one stream of blocks. */
static void fill_stream(const struct fill_source *source, make_block *make, int64_t begin,
                        int64_t end, unsigned char *target, int64_t stride)
{
    size_t element_bytes = (size_t)source->view.element_bytes;
    size_t stride_bytes = element_bytes * (size_t)stride;
    uint64_t first = (uint64_t)(source->row * source->view.columns + begin) * element_bytes;
    size_t left = (size_t)(end - begin) * element_bytes, skip = first % 16;
    for (uint64_t block = first / 16; left > 0; block++) {
        uint64_t word[2];
        size_t count = left < 16 - skip ? left : 16 - skip;
        make(source, block, word);
        if (stride_bytes == element_bytes && count == 16) {
            store_words(target, word);
            target += 16;
        } else {
            target = scatter_block(target, word, skip, count, element_bytes, stride_bytes);
        }
        left -= count;
        skip = 0;
    }
}

/* The stretch by the function for one block. */
#define STRETCH(name)                                                                              \
    static void name##_stretch(const struct fill_source *source, int64_t begin, int64_t end,       \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        fill_stream(source, name##_block, begin, end, target, stride);                             \
    }

STRETCH(noise)
STRETCH(position)
STRETCH(shifted)
STRETCH(special)
STRETCH(equal)

fill_stretch *const fill_bytes[FILL_COUNT] = {
    [FILL_UNIFORM] = noise_stretch,   [FILL_POSITION] = position_stretch,
    [FILL_INTEGER] = noise_stretch,   [FILL_PERMUTATION] = shifted_stretch,
    [FILL_ONEHOT] = position_stretch, [FILL_EQUAL] = equal_stretch,
    [FILL_RANDOM] = noise_stretch,    [FILL_CANCEL] = noise_stretch,
    [FILL_SPECIAL] = special_stretch, [FILL_TIE] = noise_stretch,
    [FILL_SMALL] = noise_stretch,
};
