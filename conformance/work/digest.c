/* Digests of outputs (digest.h). */
#include "conformance/work/digest.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CHUNK_ELEMENTS = 1024 };

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

/* Copies one stretch of a row whose elements lie apart, packed, into `ret`. */
static void gather(const unsigned char *element, const struct view *view, size_t count,
                   unsigned char *ret)
{
    size_t bytes = (size_t)view->element_bytes;
    for (size_t index = 0; index < count; index++)
        memcpy(ret + index * bytes, element + index * (size_t)view->column_stride * bytes, bytes);
}

static void take_row(struct digest *digest, const struct view *view, const struct format *format,
                     const unsigned char *first, int64_t columns)
{
    _Alignas(16) unsigned char chunk[CHUNK_ELEMENTS * FORMAT_BYTES_MAX];
    size_t bytes = (size_t)view->element_bytes;
    for (int64_t column = 0; column < columns; column += CHUNK_ELEMENTS) {
        int64_t left = columns - column;
        size_t count = (size_t)(left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS);
        const unsigned char *packed = first + (size_t)(column * view->column_stride) * bytes;
        if (view->column_stride != 1) {
            gather(packed, view, count, chunk);
            packed = chunk;
        }
        if (format->canonical) {
            format->canonical(packed, count, chunk);
            packed = chunk;
        }
        XXH3_128bits_update(&digest->state, packed, count * bytes);
    }
}

void digest_window(struct digest *digest, size_t begin, size_t end, const unsigned char *got)
{
    const struct arena *arena = digest->arena;
    int operand = arena->operand_count - 1;
    const struct format *format = arena_format(arena, operand);
    const struct view *view = &arena->operands[operand].view;
    struct block blocks[ARENA_BLOCKS_MAX];
    int count = arena_blocks(arena, operand, begin, end, blocks);
    for (int number = 0; number < count; number++) {
        struct block *block = &blocks[number];
        if (view->column_stride == 1 && view->row_stride == block->columns) { /* one long row */
            block->columns *= block->rows;
            block->rows = 1;
        }
        for (int64_t row = block->row; row < block->row + block->rows; row++)
            take_row(digest, view, format,
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
