/* Digests of outputs (digest.h). */
#include "conformance/work/digest.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CHUNK_ELEMENTS = 1024 };

/* Every NaN counts as one: the bytes hold f32 of whatever alignment. */
static void canonical_nans(unsigned char *elements, size_t count)
{
    static const uint32_t canonical = UINT32_C(0x7fffffff);
    for (size_t index = 0; index < count; index++) {
        uint32_t bits;
        memcpy(&bits, elements + index * sizeof bits, sizeof bits);
        if ((bits & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000))
            memcpy(elements + index * sizeof bits, &canonical, sizeof bits);
    }
}

struct digest {
    const struct arena *arena;
    XXH3_state_t state;
};

static void begin_digest(struct digest *digest, const struct arena *arena)
{
    digest->arena = arena;
    memset(&digest->state, 0, sizeof digest->state); /* the header asks for it before a reset */
    XXH3_128bits_reset_withSeed(&digest->state, arena->test_case->seed);
}

/* Copies one stretch of a row, packed, into `ret`. */
static void gather(const unsigned char *element, const struct view *view, size_t count,
                   unsigned char *ret)
{
    size_t bytes = (size_t)view->element_bytes;
    if (view->column_stride == 1) {
        memcpy(ret, element, count * bytes);
        return;
    }
    for (size_t index = 0; index < count; index++)
        memcpy(ret + index * bytes, element + index * (size_t)view->column_stride * bytes, bytes);
}

static void take_row(struct digest *digest, const struct view *view, bool f32,
                     const unsigned char *first, int64_t columns)
{
    _Alignas(16) unsigned char chunk[CHUNK_ELEMENTS * 16];
    for (int64_t column = 0; column < columns; column += CHUNK_ELEMENTS) {
        int64_t left = columns - column;
        size_t count = (size_t)(left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS);
        gather(first + (size_t)(column * view->column_stride * view->element_bytes), view, count,
               chunk);
        if (f32)
            canonical_nans(chunk, count);
        XXH3_128bits_update(&digest->state, chunk, count * (size_t)view->element_bytes);
    }
}

void digest_window(struct digest *digest, size_t begin, size_t end, const unsigned char *got)
{
    const struct arena *arena = digest->arena;
    int operand = arena->operand_count - 1;
    bool f32 = arena->test_case->algorithm->operands[operand].type == OPERAND_F32;
    struct block blocks[ARENA_BLOCKS_MAX];
    int count = arena_blocks(arena, operand, begin, end, blocks);
    for (int number = 0; number < count; number++) {
        const struct block *block = &blocks[number];
        for (int64_t row = block->row; row < block->row + block->rows; row++)
            take_row(digest, &arena->operands[operand].view, f32,
                     got + (arena_element(arena, operand, row, block->column) - begin),
                     block->columns);
    }
}

static void end_digest(struct digest *digest, uint64_t ret_digest[2])
{
    XXH128_hash_t hash = XXH3_128bits_digest(&digest->state);
    ret_digest[0] = hash.low64;
    ret_digest[1] = hash.high64;
}

struct digest *digest_open(const struct arena *arena)
{
    struct digest *digest = aligned_alloc(64, sizeof *digest); /* the state's alignment */
    if (digest)
        begin_digest(digest, arena);
    return digest;
}

void digest_close(struct digest *digest, uint64_t ret_digest[2])
{
    end_digest(digest, ret_digest);
    free(digest);
}

void digest_output(const struct arena *arena, const unsigned char *got, uint64_t ret_digest[2])
{
    struct digest digest;
    begin_digest(&digest, arena);
    digest_window(&digest, 0, arena->bytes, got);
    end_digest(&digest, ret_digest);
}

void digest_add(uint64_t sum[2], const uint64_t digest[2])
{
    uint64_t low = sum[0] + digest[0];
    sum[1] += digest[1] + (low < sum[0]);
    sum[0] = low;
}
