/* Fills of operands of bytes: 16-byte patterns that are unique by position, so that no copy from a
 * wrong place gives the right bytes (cases.fill.unique). */
#include "fuzz/fill_source.h"

void fill_noise_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    ret[0] = random_word(source->key, 2 * block);
    ret[1] = random_word(source->key, 2 * block + 1);
}

/* Counts from number + 1. Counters of 1 or 2 bytes would repeat at a power of two, so elements that
 * small get noise, whose 16-byte patterns do not repeat. */
static void count_block(const struct fill_source *source, uint64_t block, uint64_t shift,
                        uint64_t ret[2])
{
    uint64_t number;
    switch (source->view.element_bytes) {
    case 4:
        number = 4 * block + shift + 1;
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
        fill_noise_block(source, block, ret);
    }
}

void fill_position_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, 0, ret);
}

void fill_shifted_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, (uint64_t)source->shift, ret);
}

/* Every second lane a float that arithmetic would change: a copy must not. */
void fill_special_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    fill_noise_block(source, block, ret);
    for (int index = 0; index < 2; index++) {
        uint64_t special = fill_specials[ret[index] & (FILL_SPECIALS - 1)];
        ret[index] = ret[index] & 16 ? (ret[index] & ~(uint64_t)UINT32_MAX) | special
                                     : (ret[index] & UINT32_MAX) | special << 32;
    }
}

void fill_equal_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    (void)block;
    uint64_t word = source->row_key | 1;
    for (int bits = (int)(8 * source->view.element_bytes); bits < 64; bits *= 2)
        word = (word & ((UINT64_C(1) << bits) - 1)) | word << bits;
    ret[0] = word;
    ret[1] = word;
}
