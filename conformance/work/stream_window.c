/* The contents of a window (stream_window.h): what is dense is made in its place, and in its place
 * alone. */
#include "conformance/work/stream_window.h"
#include "conformance/work/float_watch.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fill.h"

/* A part so small is held for as long as the case is. */
enum { HELD_BYTES_MAX = 64 << 20 };

static int64_t part_leading(const struct part *part)
{
    return part->transposed ? part->block.rows : part->block.columns;
}

/* False without memory. */
static bool make_part(const struct fuzz_case *test_case, const struct part *part,
                      struct part_memory *ret)
{
    const struct block *block = &part->block;
    int64_t leading = part_leading(part);
    size_t bytes = (size_t)case_view(test_case, part->operand).element_bytes;
    void *memory = malloc((size_t)(block->rows * block->columns) * bytes + 1);
    if (memory == NULL)
        return false;
    fill_block(test_case, part->operand, block, memory, part->transposed ? 1 : leading,
               part->transposed ? leading : 1);
    *ret = (struct part_memory){.first = memory, .leading = leading};
    return true;
}

struct stream_source stream_source_open(const struct arena *arena)
{
    const struct fuzz_case *test_case = arena->test_case;
    struct view output = arena->operands[arena->operand_count - 1].view;
    struct block whole = {.rows = output.rows, .columns = output.columns};
    struct stream_source source = {.arena = arena};
    int count = test_case->algorithm->parts(test_case->axis, &whole, source.parts);
    for (int index = 0; index < count; index++) {
        const struct part *part = &source.parts[index];
        int64_t bytes = case_view(test_case, part->operand).element_bytes;
        if (part->block.rows * part->block.columns * bytes <= HELD_BYTES_MAX)
            make_part(test_case, part, &source.held[index]);
    }
    return source;
}

void stream_source_close(struct stream_source *source)
{
    for (int index = 0; index < ALGORITHM_PARTS_MAX; index++)
        free(source->held[index].first);
}

/* Where a part lies in the held one around it. */
static struct part_memory held_part(const struct stream_source *source, int index,
                                    const struct part *part)
{
    const struct part *whole = &source->parts[index];
    struct part_memory memory = source->held[index];
    int64_t row = part->block.row - whole->block.row;
    int64_t column = part->block.column - whole->block.column;
    int64_t skip = part->transposed ? column * memory.leading + row : row * memory.leading + column;
    int64_t bytes = source->arena->operands[part->operand].view.element_bytes;
    memory.first = (unsigned char *)memory.first + skip * bytes;
    return memory;
}

/* The golden of one block of the output, packed. */
static bool compute(const struct stream_source *source, int operand, const struct block *block,
                    void *ret)
{
    const struct fuzz_case *test_case = source->arena->test_case;
    const struct algorithm *algorithm = test_case->algorithm;
    struct part parts[ALGORITHM_PARTS_MAX];
    struct part_memory memory[ALGORITHM_PARTS_MAX] = {{NULL, 0}};
    int count = algorithm->parts(test_case->axis, block, parts);
    bool good = true;
    for (int index = 0; good && index < count; index++) {
        if (source->held[index].first)
            memory[index] = held_part(source, index, &parts[index]);
        else
            good = make_part(test_case, &parts[index], &memory[index]);
    }
    if (good)
        algorithm->golden_part(test_case->axis, block, memory, ret);
    if (good && arena_has_canonical(source->arena, operand))
        arena_format(source->arena, operand)
            ->canonical(ret, (size_t)(block->rows * block->columns), ret);
    for (int index = 0; index < count; index++)
        if (source->held[index].first == NULL)
            free(memory[index].first);
    return good;
}

/* True when the block's elements lie without a gap between them, as packed ones do. */
static bool is_dense(const struct view *view, const struct block *block)
{
    return view->column_stride == 1 && (block->rows == 1 || (block->columns == view->row_stride &&
                                                             view->row_stride == view->columns));
}

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

/* The golden of one block of the output, at its place. */
static bool expect_output(const struct stream_source *source, int operand,
                          const struct block *block, size_t begin, unsigned char *window)
{
    const struct arena *arena = source->arena;
    const struct view *view = &arena->operands[operand].view;
    if (is_dense(view, block))
        return compute(source, operand, block,
                       window + (arena_element(arena, operand, block->row, block->column) - begin));
    void *packed = malloc((size_t)(block->rows * block->columns * view->element_bytes));
    bool good = packed && compute(source, operand, block, packed);
    if (good)
        scatter(arena, operand, block, packed, begin, window);
    free(packed);
    return good;
}

/* True where the operand is among those that are made here. */
static bool is_made(const struct arena *arena, int operand, bool with_outputs)
{
    return with_outputs || arena->test_case->algorithm->operands[operand].role == OPERAND_INPUT;
}

/* The pattern, but for what dense blocks will cover. */
static void expect_pattern(const struct arena *arena, uint64_t nonce, bool with_outputs,
                           size_t begin, size_t end, unsigned char *window)
{
    size_t from = begin;
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        int count = is_made(arena, index, with_outputs)
                        ? arena_blocks(arena, index, begin, end, blocks)
                        : 0;
        for (int number = 0; number < count; number++) {
            const struct block *block = &blocks[number];
            if (!is_dense(view, block))
                continue;
            size_t first = arena_element(arena, index, block->row, block->column);
            size_t bytes = (size_t)(block->rows * block->columns * view->element_bytes);
            size_t to = (first + 7) / 8 * 8; /* the pattern comes in words */
            if (from < to)
                arena_pattern(arena, nonce, from, to, window + (from - begin));
            from = (first + bytes) / 8 * 8;
        }
    }
    if (from < end)
        arena_pattern(arena, nonce, from, end, window + (from - begin));
}

static void fill_inputs(const struct arena *arena, size_t begin, size_t end, unsigned char *window)
{
    float_watch_begin();
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        int count =
            is_made(arena, index, false) ? arena_blocks(arena, index, begin, end, blocks) : 0;
        for (int number = 0; number < count; number++)
            fill_block(arena->test_case, index, &blocks[number],
                       window +
                           (arena_element(arena, index, blocks[number].row, blocks[number].column) -
                            begin),
                       view->row_stride, view->column_stride);
    }
    float_watch_end();
}

void stream_begin(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                  unsigned char *window)
{
    expect_pattern(arena, nonce, false, begin, end, window);
    fill_inputs(arena, begin, end, window);
}

bool stream_outputs(const struct stream_source *source, size_t begin, size_t end,
                    unsigned char *window)
{
    const struct arena *arena = source->arena;
    bool good = true;
    float_watch_begin();
    for (int index = 0; index < arena->operand_count; index++) {
        struct block blocks[ARENA_BLOCKS_MAX];
        int count =
            is_made(arena, index, false) ? 0 : arena_blocks(arena, index, begin, end, blocks);
        for (int number = 0; number < count; number++)
            good = expect_output(source, index, &blocks[number], begin, window) && good;
    }
    float_watch_end();
    return good;
}

bool stream_expect(const struct stream_source *source, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window)
{
    expect_pattern(source->arena, nonce, true, begin, end, window);
    fill_inputs(source->arena, begin, end, window);
    return stream_outputs(source, begin, end, window);
}
