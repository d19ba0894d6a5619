/* What a window of an arena must hold, made without the rest of it: input elements one by one, and
 * the golden of the blocks of output that lie in it (stream.h). */
#include <stdlib.h>
#include <string.h>

#include "conformance/work/stream.h"
#include "fuzz/fill.h"

/* Packed elements into their places. */
static void scatter(const struct arena *arena, int operand, const struct block *block,
                    const unsigned char *packed, size_t begin, unsigned char *window)
{
    const struct view *view = &arena->operands[operand].view;
    size_t bytes = (size_t)view->element_bytes;
    for (int64_t row = 0; row < block->rows; row++) {
        const unsigned char *from = packed + (size_t)(row * block->columns) * bytes;
        unsigned char *to =
            window + (arena_element(arena, operand, block->row + row, block->column) - begin);
        if (view->column_stride == 1) {
            memcpy(to, from, (size_t)block->columns * bytes);
            continue;
        }
        for (int64_t column = 0; column < block->columns; column++)
            memcpy(to + (size_t)(column * view->column_stride) * bytes,
                   from + (size_t)column * bytes, bytes);
    }
}

static void *make_part(const struct fuzz_case *test_case, const struct part *part)
{
    const struct block *block = &part->block;
    size_t bytes = (size_t)case_view(test_case, part->operand).element_bytes;
    void *memory = malloc((size_t)(block->rows * block->columns) * bytes + 1);
    if (memory)
        fill_block(test_case, part->operand, block, memory, part->transposed ? 1 : block->columns,
                   part->transposed ? block->rows : 1);
    return memory;
}

/* The golden of one block of the output, at its place. */
static bool expect_output(const struct arena *arena, int operand, const struct block *block,
                          size_t begin, unsigned char *window)
{
    const struct fuzz_case *test_case = arena->test_case;
    const struct algorithm *algorithm = test_case->algorithm;
    struct part parts[ALGORITHM_PARTS_MAX];
    void *inputs[ALGORITHM_PARTS_MAX] = {NULL};
    size_t bytes = (size_t)arena->operands[operand].view.element_bytes;
    unsigned char *packed = malloc((size_t)(block->rows * block->columns) * bytes);
    int count = algorithm->parts(test_case->axis, block, parts);
    bool good = packed != NULL;
    for (int index = 0; good && index < count; index++) {
        inputs[index] = make_part(test_case, &parts[index]);
        good = inputs[index] != NULL;
    }
    if (good) {
        algorithm->golden_part(test_case->axis, block, inputs, packed);
        scatter(arena, operand, block, packed, begin, window);
    }
    for (int index = 0; index < count; index++)
        free(inputs[index]);
    free(packed);
    return good;
}

bool stream_expect(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window)
{
    const struct fuzz_case *test_case = arena->test_case;
    bool good = true;
    arena_pattern(arena, nonce, begin, end, window);
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        int count = arena_blocks(arena, index, begin, end, blocks);
        for (int number = 0; number < count; number++) {
            const struct block *block = &blocks[number];
            size_t first = arena_element(arena, index, block->row, block->column);
            if (test_case->algorithm->operands[index].role == OPERAND_INPUT)
                fill_block(test_case, index, block, window + (first - begin), view->row_stride,
                           view->column_stride);
            else
                good = expect_output(arena, index, block, begin, window) && good;
        }
    }
    return good;
}
