/* Digests of outputs (digest.h). */
#include "conformance/digest.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CHUNK_ELEMENTS = 1024 };

static void canonical_nans(uint32_t *words, size_t count)
{
    for (size_t index = 0; index < count; index++)
        if ((words[index] & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000))
            words[index] = UINT32_C(0x7fffffff);
}

/* Copies one stretch of a row, packed, into `ret`. */
static void gather(const struct arena *arena, int operand, const unsigned char *got, int64_t row,
                   int64_t column, size_t count, unsigned char *ret)
{
    const struct view *view = &arena->operands[operand].view;
    size_t bytes = (size_t)view->element_bytes;
    if (view->column_stride == 1) {
        memcpy(ret, got + arena_element(arena, operand, row, column), count * bytes);
        return;
    }
    for (size_t index = 0; index < count; index++)
        memcpy(ret + index * bytes,
               got + arena_element(arena, operand, row, column + (int64_t)index), bytes);
}

void digest_output(const struct arena *arena, const unsigned char *got, uint64_t ret_digest[2])
{
    int operand = arena->operand_count - 1;
    const struct view *view = &arena->operands[operand].view;
    bool f32 = arena->test_case->algorithm->operands[operand].type == OPERAND_F32;
    XXH3_state_t state;
    memset(&state, 0, sizeof state); /* the header asks for it before the first reset */
    XXH3_128bits_reset_withSeed(&state, arena->test_case->seed);
    _Alignas(16) unsigned char chunk[CHUNK_ELEMENTS * 16];
    for (int64_t row = 0; row < view->rows; row++) {
        for (int64_t column = 0; column < view->columns; column += CHUNK_ELEMENTS) {
            int64_t left = view->columns - column;
            size_t count = (size_t)(left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS);
            gather(arena, operand, got, row, column, count, chunk);
            if (f32)
                canonical_nans((uint32_t *)(void *)chunk, count);
            XXH3_128bits_update(&state, chunk, count * (size_t)view->element_bytes);
        }
    }
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    ret_digest[0] = hash.low64;
    ret_digest[1] = hash.high64;
}

void digest_add(uint64_t sum[2], const uint64_t digest[2])
{
    uint64_t low = sum[0] + digest[0];
    sum[1] += digest[1] + (low < sum[0]);
    sum[0] = low;
}
