/* The row of shared_copy (spec/shared_copy.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum { SHARED_N, SHARED_COUNT, SHARED_ELEMENT, SHARED_SOURCE_OFFSET, SHARED_TARGET_OFFSET };

static void shared_copy_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(axis[index == 0 ? SHARED_SOURCE_OFFSET : SHARED_TARGET_OFFSET], 0,
                          axis[SHARED_N], 1);
}

static void shared_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_shared_copy(operands[0], operands[1], (size_t)axis[SHARED_N], (size_t)axis[SHARED_COUNT],
                       (size_t)axis[SHARED_ELEMENT]);
}

/* The tile of an element: its first one, and the end. */
struct tile {
    int64_t first, end;
};

static struct tile tile_of(const int64_t *axis, int64_t column)
{
    const int64_t whole = GOLDEN_COPY_THREADS * axis[SHARED_COUNT];
    const int64_t first = column - column % whole;
    return (struct tile){first, axis[SHARED_N] - first < whole ? axis[SHARED_N] : first + whole};
}

/* Within one tile the same elements from its other end, else whole tiles. */
static int shared_copy_parts(const int64_t *axis, const struct block *output,
                             struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t end = output->column + output->columns;
    const struct tile one = tile_of(axis, output->column), last = tile_of(axis, end - 1);
    ret[0] = (struct part){.operand = 0, .block = *output};
    if (one.first == last.first) {
        ret[0].block.column = one.first + one.end - end;
    } else {
        ret[0].block.column = one.first;
        ret[0].block.columns = last.end - one.first;
    }
    return 1;
}

/* What the block has of a tile comes from one place of the source, and is turned around by itself.
 */
static void shared_copy_golden_part(const int64_t *axis, const struct block *output,
                                    const struct part_memory *parts, void *ret)
{
    const int64_t bytes = axis[SHARED_ELEMENT], end = output->column + output->columns;
    struct part part[ALGORITHM_PARTS_MAX];
    shared_copy_parts(axis, output, part);
    for (int64_t column = output->column, next; column < end; column = next) {
        const struct tile tile = tile_of(axis, column);
        next = tile.end < end ? tile.end : end;
        const int64_t from = tile.first + tile.end - next - part[0].block.column;
        golden_shared_copy((const unsigned char *)parts[0].first + from * bytes,
                           (unsigned char *)ret + (column - output->column) * bytes,
                           (size_t)(next - column), (size_t)axis[SHARED_COUNT], (size_t)bytes);
    }
}

const struct algorithm algorithm_shared_copy = {
    .name = "shared_copy",
    .summary = "target[i] = source[w - 1 - i] in tiles of w = 128 copy_count elements",
    .clause_value = "shared_copy.value.mirrored",
    .contracted_axis = -1,
    .axis_count = 5,
    .axes = {{"n", AXIS_SIZE, 0},
             {"copy_count", AXIS_COPIES, 0},
             {"element", AXIS_ELEMENT, 0},
             {"source_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = shared_copy_view,
    .golden = shared_copy_golden,
    .parts = shared_copy_parts,
    .golden_part = shared_copy_golden_part,
    /* Past each power of two by more than the widest tile, as tiles need not begin there. */
    .huge = {"n=2147614727 copy_count=3 element=1 source_offset=1",
             "n=4295098375 copy_count=24 element=1 target_offset=3",
             "n=1073872903 copy_count=5 source_offset=2", /* bytes past 2^32 */
             "n=268566543 copy_count=24 element=16", "n=4295098375 copy_count=7"},
};
