/* Layout and contents of the arena (arena.h). */
#include "conformance/arena.h"

#include <string.h>

#include "fuzz/fill.h"
#include "fuzz/random.h"

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

struct arena arena_layout(const struct fuzz_case *test_case)
{
    struct arena arena = {.test_case = test_case,
                          .operand_count = test_case->algorithm->operand_count};
    size_t position = 0;
    for (int index = 0; index < arena.operand_count; index++) {
        struct arena_operand *operand = &arena.operands[index];
        operand->view = case_view(test_case, index);
        size_t element_bytes = (size_t)operand->view.element_bytes;
        operand->base = position + ARENA_GUARD_BYTES;
        operand->begin = operand->base + (size_t)operand->view.origin * element_bytes;
        operand->end = operand->begin + (size_t)operand->view.span * element_bytes;
        position = round_up(operand->end + ARENA_GUARD_BYTES, ARENA_ALIGNMENT_BYTES);
    }
    arena.bytes = position;
    return arena;
}

size_t arena_element(const struct arena *arena, int operand, int64_t row, int64_t column)
{
    const struct arena_operand *it = &arena->operands[operand];
    int64_t index = it->view.first + row * it->view.row_stride + column * it->view.column_stride;
    return it->begin + (size_t)(index * it->view.element_bytes);
}

/* Eight bytes at a time; one multiplication each, since this runs over every byte of every case. */
static void write_pattern(uint64_t key, unsigned char *target, size_t bytes)
{
    for (size_t position = 0; position < bytes; position += 8) {
        uint64_t word = (key + position) * UINT64_C(0x9e3779b97f4a7c15);
        word ^= word >> 29;
        memcpy(target + position, &word, bytes - position < 8 ? bytes - position : 8);
    }
}

void arena_expect(const struct arena *arena, uint64_t nonce, unsigned char *expected)
{
    const struct fuzz_case *test_case = arena->test_case;
    write_pattern(random_word(test_case->seed, nonce), expected, arena->bytes);
    void *addresses[ALGORITHM_OPERANDS_MAX];
    for (int index = 0; index < arena->operand_count; index++) {
        addresses[index] = expected + arena->operands[index].begin;
        if (test_case->algorithm->operands[index].role == OPERAND_INPUT)
            fill_operand(test_case, index, addresses[index]);
    }
    test_case->algorithm->golden(test_case->axis, addresses);
}

static void complement(unsigned char *bytes, size_t count)
{
    for (size_t index = 0; index < count; index++)
        bytes[index] = (unsigned char)~bytes[index];
}

static void poison_operand(const struct arena *arena, int index, unsigned char *image)
{
    const struct view *view = &arena->operands[index].view;
    size_t element_bytes = (size_t)view->element_bytes;
    for (int64_t row = 0; row < view->rows; row++) {
        if (view->column_stride == 1) {
            complement(image + arena_element(arena, index, row, 0),
                       (size_t)view->columns * element_bytes);
            continue;
        }
        for (int64_t column = 0; column < view->columns; column++)
            complement(image + arena_element(arena, index, row, column), element_bytes);
    }
}

void arena_poison(const struct arena *arena, const unsigned char *expected, unsigned char *image)
{
    memcpy(image, expected, arena->bytes);
    for (int index = 0; index < arena->operand_count; index++)
        if (arena->test_case->algorithm->operands[index].role == OPERAND_OUTPUT)
            poison_operand(arena, index, image);
}
