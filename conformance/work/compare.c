/* The comparator (compare.h). One pass of memcmp where all is right; else every byte is put into
 * its class, so that the message names the worst thing that happened and counts the others. */
#include "conformance/work/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "conformance/base/heap.h"

/* One window: bytes [begin, end) of the arena, the memory beginning with the byte `begin`. */
struct scan {
    const struct arena *arena;
    size_t begin, end;
    const unsigned char *image;
    const unsigned char *expected;
    const unsigned char *got;
    struct comparison *comparison;
};

/* The part of a finding on one difference; a whole finding is too large to be made for each. */
struct difference {
    int64_t row, column, distance_bytes;
    uint64_t ulp;
    int unwritten;
};

static void note_difference(struct scan *scan, enum place place, int operand, size_t position,
                            size_t bytes, const struct difference *it)
{
    scan->comparison->counts[place] += place == PLACE_GAP || place == PLACE_GUARD ? bytes : 1;
    struct finding *first = &scan->comparison->first[place];
    if (first->verdict == VERDICT_FAIL)
        return;
    *first = (struct finding){.verdict = VERDICT_FAIL,
                              .place = place,
                              .operand = operand,
                              .unwritten = it->unwritten,
                              .row = it->row,
                              .column = it->column,
                              .distance_bytes = it->distance_bytes,
                              .unit_bytes = (int)bytes,
                              .ulp = it->ulp};
    memcpy(first->expected, scan->expected + (position - scan->begin), bytes);
    memcpy(first->got, scan->got + (position - scan->begin), bytes);
}

/* Bytes that nobody may write: from `begin` to `end`, in the class `place`. */
static void scan_untouchable(struct scan *scan, enum place place, int operand, size_t begin,
                             size_t end, const struct difference *near)
{
    begin = begin > scan->begin ? begin : scan->begin;
    end = end < scan->end ? end : scan->end;
    if (begin >= end || memcmp(scan->expected + (begin - scan->begin),
                               scan->got + (begin - scan->begin), end - begin) == 0)
        return;
    const struct arena_operand *it = &scan->arena->operands[operand];
    struct difference where = *near;
    for (size_t position = begin; position < end; position++) {
        if (scan->expected[position - scan->begin] == scan->got[position - scan->begin])
            continue;
        /* Before the base it is negative; after the span it counts from the span's end. */
        where.distance_bytes = position < it->begin ? (int64_t)position - (int64_t)it->begin
                                                    : (int64_t)position - (int64_t)it->end;
        note_difference(scan, place, operand, position, 1, &where);
    }
}

/* True when `count` packed elements of an operand, at `at` of the window, are right. What counts as
 * equal is so in results alone, and on a GPU not even there. */
static bool is_right(const struct scan *scan, int index, size_t at, size_t count)
{
    const struct operand *operand = &scan->arena->test_case->algorithm->operands[index];
    const size_t bytes = (size_t)scan->arena->operands[index].view.element_bytes;
    const unsigned char *expected = scan->expected + at, *got = scan->got + at;
    if (operand->role == OPERAND_INPUT || scan->arena->is_canonical)
        return memcmp(expected, got, count * bytes) == 0;
    return format_alike(operand->format, bytes, expected, got, count);
}

/* Elements that are looked at together; most are right, if with other bits. */
enum { STRETCH = 64 };

/* One row of a block, and the gaps before each of its elements; *position is where the element
 * before the next one ends, *where its place. */
static void scan_row(struct scan *scan, int index, const struct block *block, int64_t row,
                     size_t *position, struct difference *where)
{
    const struct operand *operand = &scan->arena->test_case->algorithm->operands[index];
    const struct view *view = &scan->arena->operands[index].view;
    const bool output = operand->role == OPERAND_OUTPUT;
    const enum place place = output ? PLACE_ELEMENT : PLACE_INPUT;
    const size_t bytes = (size_t)view->element_bytes;
    int64_t end = block->column + block->columns, looked_to = block->column;
    for (int64_t column = block->column; column < end; column++) {
        size_t element = arena_element(scan->arena, index, row, column);
        scan_untouchable(scan, PLACE_GAP, index, *position, element, where);
        if (column == looked_to && view->column_stride == 1 && end - column >= STRETCH) {
            looked_to += STRETCH;
            if (is_right(scan, index, element - scan->begin, STRETCH)) {
                column += STRETCH - 1;
                element += (STRETCH - 1) * bytes;
            }
        }
        const size_t at = element - scan->begin;
        *where = (struct difference){.row = row, .column = column};
        *position = element + bytes;
        if (is_right(scan, index, at, 1))
            continue;
        struct difference wrong = {.row = row, .column = column};
        if (scan->comparison->first[place].verdict != VERDICT_FAIL) { /* later ones are counted */
            wrong.ulp = format_distance(operand->format, scan->expected + at, scan->got + at);
            wrong.unwritten = output && memcmp(scan->image + at, scan->got + at, bytes) == 0;
        }
        note_difference(scan, place, index, element, bytes, &wrong);
    }
}

/* Elements and the gaps between them, in the order of memory, as far as the window holds them. A
 * gap that the window begins with is after the last element before the window. */
static void scan_operand(struct scan *scan, int index)
{
    const struct arena_operand *it = &scan->arena->operands[index];
    size_t position = it->begin > scan->begin ? it->begin : scan->begin;
    struct block blocks[ARENA_BLOCKS_MAX];
    int count = arena_blocks(scan->arena, index, scan->begin, scan->end, blocks);
    const int64_t rank = arena_rank(scan->arena, index, scan->begin) - 1;
    struct difference where = {.row = -1, .column = -1};
    if (rank >= 0)
        where =
            (struct difference){.row = rank / it->view.columns, .column = rank % it->view.columns};
    for (const struct block *block = blocks; block < blocks + count; block++)
        for (int64_t row = block->row; row < block->row + block->rows; row++)
            scan_row(scan, index, block, row, &position, &where);
    scan_untouchable(scan, PLACE_GAP, index, position, it->end, &where);
}

static const char *broken_clause(const struct arena *arena, const struct finding *finding)
{
    if (place_clause(finding->place))
        return place_clause(finding->place);
    const struct format *format = arena_format(arena, finding->operand);
    if (arena_has_canonical(arena, finding->operand) && !finding->unwritten &&
        format_alike(format, (size_t)finding->unit_bytes, finding->expected, finding->got, 1))
        return format->canonical_clause;
    return finding->unwritten ? "memory.output.written" : arena->test_case->algorithm->clause_value;
}

void compare_window(struct comparison *comparison, const struct arena *arena, size_t begin,
                    size_t end, const unsigned char *image, const unsigned char *expected,
                    const unsigned char *got)
{
    if (memcmp(expected, got, end - begin) == 0)
        return;
    struct scan scan = {.arena = arena,
                        .begin = begin,
                        .end = end,
                        .image = image,
                        .expected = expected,
                        .got = got,
                        .comparison = comparison};
    for (int index = 0; index < arena->operand_count; index++) {
        const struct arena_operand *it = &arena->operands[index];
        struct difference nowhere = {.row = -1, .column = -1};
        if (it->from >= end || it->to <= begin)
            continue;
        scan_untouchable(&scan, PLACE_GUARD, index, it->from, it->begin, &nowhere);
        scan_operand(&scan, index);
        scan_untouchable(&scan, PLACE_GUARD, index, it->end, it->to, &nowhere);
    }
}

void compare_join(struct comparison *comparison, const struct comparison *later)
{
    for (int place = 0; place < PLACE_COUNT; place++) {
        comparison->counts[place] += later->counts[place];
        if (comparison->first[place].verdict != VERDICT_FAIL &&
            later->first[place].verdict == VERDICT_FAIL)
            comparison->first[place] = later->first[place];
    }
}

enum verdict compare_end(const struct comparison *comparison, const struct arena *arena,
                         struct finding *ret)
{
    static const enum place order[] = {PLACE_GUARD, PLACE_GAP, PLACE_INPUT, PLACE_ELEMENT};
    for (size_t index = 0; index < sizeof order / sizeof order[0]; index++) {
        struct finding first = comparison->first[order[index]];
        if (first.verdict != VERDICT_FAIL)
            continue;
        first.wrong_elements = comparison->counts[PLACE_ELEMENT];
        first.wrong_gap_bytes = comparison->counts[PLACE_GAP];
        first.wrong_guard_bytes = comparison->counts[PLACE_GUARD];
        first.wrong_inputs = comparison->counts[PLACE_INPUT];
        snprintf(first.clause, sizeof first.clause, "%s", broken_clause(arena, &first));
        *ret = first;
        return VERDICT_FAIL;
    }
    return VERDICT_PASS; /* what differed counts as equal */
}

enum verdict compare_arena(const struct arena *arena, const unsigned char *image,
                           const unsigned char *expected, const unsigned char *got,
                           struct finding *ret)
{
    struct comparison comparison;
    if (memcmp(expected, got, arena->bytes) == 0)
        return VERDICT_PASS;
    memset(&comparison, 0, sizeof comparison);
    compare_window(&comparison, arena, 0, arena->bytes, image, expected, got);
    return compare_end(&comparison, arena, ret);
}

/* Digests of outputs. */

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

void digest_window(struct digest *digest, size_t begin, size_t end, const unsigned char *got)
{
    _Alignas(16) unsigned char chunk[CHUNK_ELEMENTS * FORMAT_BYTES_MAX];
    const struct arena *arena = digest->arena;
    const int operand = arena->operand_count - 1;
    const struct format *format = arena_format(arena, operand);
    const struct view *view = &arena->operands[operand].view;
    const size_t bytes = (size_t)view->element_bytes, step = (size_t)view->column_stride * bytes;
    struct block blocks[ARENA_BLOCKS_MAX];
    const int count = arena_blocks(arena, operand, begin, end, blocks);
    for (struct block *block = blocks; block < blocks + count; block++) {
        if (view->column_stride == 1 && view->row_stride == block->columns) { /* one long row */
            block->columns *= block->rows;
            block->rows = 1;
        }
        for (int64_t row = block->row; row < block->row + block->rows; row++) {
            const unsigned char *first =
                got + (arena_element(arena, operand, row, block->column) - begin);
            for (int64_t column = 0; column < block->columns; column += CHUNK_ELEMENTS) {
                const int64_t left = block->columns - column;
                const size_t taken = (size_t)(left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS);
                const unsigned char *packed = first + (size_t)column * step;
                for (size_t index = 0; step != bytes && index < taken; index++)
                    memcpy(chunk + index * bytes, packed + index * step, bytes);
                packed = step == bytes ? packed : chunk;
                if (format->canonical)
                    format->canonical(packed, taken, chunk);
                XXH3_128bits_update(&digest->state, format->canonical ? chunk : packed,
                                    taken * bytes);
            }
        }
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
    heap_need(digest);
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
