/* Layout and contents of the arena, and watching what computes and reads them (arena.h). */
#include "conformance/work/arena.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_ref/float_state.h"
#include "fuzz/fill.h"
#include "fuzz/random.h"

/* Watching the floating-point state. Clause: numerics.state.asserted. */

static atomic_bool lost;

const char float_watch_note[] =
    "the floating-point state (rounding, subnormals) was changed while the golden model or the "
    "host device computed, as a preloaded library can do: do not trust the bits";

void float_watch_begin(void)
{
    float_state_set();
}

void float_watch_end(void)
{
    if (!float_state_is_set())
        lost = true;
}

bool float_watch_is_lost(void)
{
    return lost;
}

/* Layout and contents of the arena. */

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* From operand `first` on, and the others after it. */
static struct arena lay_out(const struct fuzz_case *test_case, int first, enum arena_edge edge)
{
    struct arena arena = {
        .test_case = test_case, .operand_count = test_case->algorithm->operand_count, .edge = edge};
    const int last = arena.operand_count - 1, at_edge = edge == ARENA_EDGE_END ? last : 0;
    for (int turn = 0; turn <= last; turn++) {
        const int index = (first + turn) % arena.operand_count;
        struct arena_operand *operand = &arena.operands[index];
        operand->view = case_view(test_case, index);
        const size_t element_bytes = (size_t)operand->view.element_bytes;
        const size_t bytes = (size_t)operand->view.span * element_bytes;
        operand->from = arena.bytes;
        operand->begin =
            operand->from + ARENA_GUARD_BYTES + (size_t)operand->view.origin * element_bytes;
        if (turn == at_edge && edge == ARENA_EDGE_BEGIN)
            operand->begin = operand->from;
        else if (turn == at_edge && edge == ARENA_EDGE_END)
            operand->begin = round_up(operand->begin + bytes, ARENA_ALIGNMENT_BYTES) - bytes;
        operand->end = operand->begin + bytes;
        operand->to = turn == at_edge && edge == ARENA_EDGE_END
                          ? operand->end
                          : round_up(operand->end + ARENA_GUARD_BYTES, ARENA_ALIGNMENT_BYTES);
        arena.bytes = operand->to;
    }
    return arena;
}

struct arena arena_layout(const struct fuzz_case *test_case)
{
    return lay_out(test_case, 0, ARENA_EDGE_NONE);
}

struct arena arena_layout_at_edge(const struct fuzz_case *test_case, int operand,
                                  enum arena_edge edge)
{
    int next = (operand + 1) % test_case->algorithm->operand_count;
    return lay_out(test_case, edge == ARENA_EDGE_END ? next : operand, edge);
}

size_t arena_element(const struct arena *arena, int operand, int64_t row, int64_t column)
{
    const struct arena_operand *it = &arena->operands[operand];
    int64_t index = it->view.first + row * it->view.row_stride + column * it->view.column_stride;
    return it->begin + (size_t)(index * it->view.element_bytes);
}

int64_t arena_rank(const struct arena *arena, int index, size_t position)
{
    const struct arena_operand *operand = &arena->operands[index];
    const struct view *view = &operand->view;
    if (position <= operand->begin || view->rows == 0 || view->columns == 0)
        return 0;
    int64_t bytes = view->element_bytes;
    int64_t place = ((int64_t)(position - operand->begin) + bytes - 1) / bytes - view->first;
    if (place <= 0)
        return 0;
    int64_t row = place / view->row_stride, rest = place % view->row_stride;
    int64_t column = (rest + view->column_stride - 1) / view->column_stride;
    column = column < view->columns ? column : view->columns;
    return row < view->rows ? row * view->columns + column : view->rows * view->columns;
}

int arena_blocks(const struct arena *arena, int operand, size_t begin, size_t end,
                 struct block ret[ARENA_BLOCKS_MAX])
{
    const struct arena_operand *it = &arena->operands[operand];
    int64_t columns = it->view.columns;
    int64_t rank = arena_rank(arena, operand, begin), last = arena_rank(arena, operand, end);
    int count = 0;
    while (rank < last) {
        struct block block = {.row = rank / columns, .rows = 1, .column = rank % columns};
        int64_t row_end = (block.row + 1) * columns;
        block.columns = (last < row_end ? last : row_end) - rank;
        if (block.columns == columns)
            block.rows = (last - rank) / columns;
        rank += block.rows * block.columns;
        ret[count++] = block;
    }
    return count;
}

const struct format *arena_format(const struct arena *arena, int operand)
{
    return arena->test_case->algorithm->operands[operand].format;
}

/* Eight bytes at a time; one multiplication each, since this runs over every byte of every case. */
void arena_pattern(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window)
{
    const uint64_t set = arena_format(arena, 0)->guard_bits;
    uint64_t key = random_word(arena->test_case->seed, nonce) + begin;
    size_t bytes = end - begin;
    for (size_t position = 0; position < bytes; position += 8) {
        uint64_t word = (key + position) * UINT64_C(0x9e3779b97f4a7c15);
        word = (word ^ word >> 29) | set;
        memcpy(window + position, &word, bytes - position < 8 ? bytes - position : 8);
    }
}

bool arena_has_canonical(const struct arena *arena, int operand)
{
    const struct operand *it = &arena->test_case->algorithm->operands[operand];
    return arena->is_canonical && it->role == OPERAND_OUTPUT && it->format->canonical != NULL;
}

void arena_expect(const struct arena *arena, uint64_t nonce, unsigned char *expected)
{
    const struct fuzz_case *test_case = arena->test_case;
    float_watch_begin();
    arena_pattern(arena, nonce, 0, arena->bytes, expected);
    void *addresses[ALGORITHM_OPERANDS_MAX];
    for (int index = 0; index < arena->operand_count; index++) {
        addresses[index] = expected + arena->operands[index].begin;
        if (test_case->algorithm->operands[index].role == OPERAND_INPUT)
            fill_operand(test_case, index, addresses[index]);
    }
    test_case->algorithm->golden(test_case->axis, addresses);
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        if (!arena_has_canonical(arena, index))
            continue;
        const int64_t step = view->column_stride == 1 ? view->columns : 1; /* a row at a time */
        for (int64_t row = 0; row < view->rows; row++) {
            for (int64_t column = 0; column < view->columns; column += step) {
                unsigned char *element = expected + arena_element(arena, index, row, column);
                arena_format(arena, index)->canonical(element, (size_t)step, element);
            }
        }
    }
    float_watch_end();
}

void arena_readable(const struct arena *arena, unsigned char *ret)
{
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        const int64_t step = view->column_stride == 1 ? view->columns : 1; /* a row at a time */
        for (int64_t row = 0; row < view->rows; row++)
            for (int64_t column = 0; column < view->columns; column += step)
                memset(ret + arena_element(arena, index, row, column), 1,
                       (size_t)(step * view->element_bytes));
    }
}

/* In pieces of a size that the compiler knows, which it makes vectors of. */
static void complement(unsigned char *bytes, size_t count)
{
    enum { PIECE = 8 };
    size_t index = 0;
    for (; count - index >= PIECE * sizeof(uint64_t); index += PIECE * sizeof(uint64_t)) {
        uint64_t words[PIECE];
        memcpy(words, bytes + index, sizeof words);
        for (int word = 0; word < PIECE; word++)
            words[word] = ~words[word];
        memcpy(bytes + index, words, sizeof words);
    }
    for (; index < count; index++)
        bytes[index] = (unsigned char)~bytes[index];
}

void arena_flip_window(const struct arena *arena, size_t begin, size_t end, unsigned char *window)
{
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        const int count = arena->test_case->algorithm->operands[index].role == OPERAND_OUTPUT
                              ? arena_blocks(arena, index, begin, end, blocks)
                              : 0;
        for (const struct block *block = blocks; block < blocks + count; block++) {
            const int64_t step =
                view->column_stride == 1 ? block->columns : 1; /* a row at a time */
            for (int64_t row = 0; row < block->rows; row++)
                for (int64_t column = 0; column < block->columns; column += step)
                    complement(window + (arena_element(arena, index, block->row + row,
                                                       block->column + column) -
                                         begin),
                               (size_t)(step * view->element_bytes));
        }
    }
}

void arena_poison_window(const struct arena *arena, size_t begin, size_t end,
                         const unsigned char *expected, unsigned char *image)
{
    memcpy(image, expected, end - begin);
    arena_flip_window(arena, begin, end, image);
}

void arena_poison(const struct arena *arena, const unsigned char *expected, unsigned char *image)
{
    arena_poison_window(arena, 0, arena->bytes, expected, image);
}

/* Which reads are watched, and where a stray one is. */

/* Watched on either side of the arena as well. */
enum { BEYOND_BYTES = ARENA_GUARD_BYTES };

void reads_prepare(struct reads *reads, const struct cuda_driver *driver, const struct arena *arena)
{
    enum { STREAM = 2 }; /* of the seed's random numbers, as in callable.c */
    const size_t bytes = arena->bytes + 2 * BEYOND_BYTES;
    reads->watched = false;
    if (driver->watch_reads == NULL ||
        random_below(~arena->test_case->seed, STREAM, READS_EVERY) != 0)
        return;
    if (reads->readable_bytes < bytes) {
        reads_release(reads);
        reads->readable = malloc(bytes);
        if (reads->readable == NULL)
            return; /* all else is checked */
        reads->readable_bytes = bytes;
    }
    memset(reads->readable, 0, bytes);
    arena_readable(arena, reads->readable + BEYOND_BYTES);
    reads->watch = (struct driver_watch){.bytes = bytes, .readable = reads->readable};
    reads->watched = true;
}

void reads_begin(struct reads *reads, const struct cuda_driver *driver, cu_address address)
{
    if (!reads->watched)
        return;
    reads->watch.address = address - BEYOND_BYTES;
    driver->watch_reads(&reads->watch);
}

void reads_end(struct reads *reads, const struct cuda_driver *driver)
{
    if (reads->watched)
        driver->watch_reads(NULL);
}

bool reads_strayed(const struct reads *reads, const struct arena *arena,
                   char ret_text[READS_TEXT_BYTES])
{
    if (!reads->watch.strayed)
        return false;
    int64_t position = (int64_t)reads->watch.stray_byte - BEYOND_BYTES;
    int index = 0;
    while (index + 1 < arena->operand_count && position >= (int64_t)arena->operands[index].to)
        index++;
    const struct arena_operand *it = &arena->operands[index];
    int64_t begin = (int64_t)it->begin, end = (int64_t)it->end;
    char where[64];
    if (position < begin)
        snprintf(where, sizeof where, "%" PRId64 " bytes before the start", begin - position);
    else if (position >= end)
        snprintf(where, sizeof where, "%" PRId64 " bytes past the end", position - end);
    else
        snprintf(where, sizeof where, "in a gap, %" PRId64 " bytes after the start",
                 position - begin);
    snprintf(ret_text, READS_TEXT_BYTES, "%s reads a byte %s of operand %s",
             reads->watch.stray_thread, where, arena->test_case->algorithm->operands[index].name);
    return true;
}

void reads_release(struct reads *reads)
{
    free(reads->readable);
    reads->readable = NULL;
    reads->readable_bytes = 0;
    reads->watched = false;
}
