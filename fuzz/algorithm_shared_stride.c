/* The row of shared_stride (spec/shared_stride.md). */
#include <string.h>

#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    STRIDE_N,
    STRIDE_STRIDE,
    STRIDE_ROUNDS,
    STRIDE_ELEMENT,
    STRIDE_SOURCE_OFFSET,
    STRIDE_TARGET_OFFSET
};

static void shared_stride_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(axis[index == 0 ? STRIDE_SOURCE_OFFSET : STRIDE_TARGET_OFFSET], 0,
                          axis[STRIDE_N], 1);
}

static uint64_t shared_stride_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(axis[STRIDE_N], axis[STRIDE_ROUNDS] - 1);
}

static void shared_stride_golden(const int64_t *axis, void *const *operands)
{
    golden_shared_stride(operands[0], operands[1], (size_t)axis[STRIDE_N],
                         (size_t)axis[STRIDE_STRIDE], (size_t)axis[STRIDE_ROUNDS],
                         (size_t)axis[STRIDE_ELEMENT]);
}

/* Whole tiles. */
static int shared_stride_parts(const int64_t *axis, const struct block *output,
                               struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t first = output->column - output->column % GOLDEN_TILE;
    int64_t end = output->column + output->columns;
    end += (GOLDEN_TILE - end % GOLDEN_TILE) % GOLDEN_TILE;
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[0].block.column = first;
    ret[0].block.columns = (end < axis[STRIDE_N] ? end : axis[STRIDE_N]) - first;
    return 1;
}

/* Tile after tile, of which the first and the last may be wanted in part. */
static void shared_stride_golden_part(const int64_t *axis, const struct block *output,
                                      const struct part_memory *parts, void *ret)
{
    const int64_t bytes = axis[STRIDE_ELEMENT], end = output->column + output->columns;
    const unsigned char *tile = parts[0].first;
    unsigned char *target = ret;
    int64_t next;
    for (int64_t column = output->column; column < end; column = next) {
        const int64_t first = column - column % GOLDEN_TILE, left = axis[STRIDE_N] - first;
        const int64_t width = left < GOLDEN_TILE ? left : GOLDEN_TILE;
        next = first + GOLDEN_TILE < end ? first + GOLDEN_TILE : end;
        golden_shared_stride_tile(tile, (size_t)width, target, (size_t)(column - first),
                                  (size_t)(next - first), (size_t)axis[STRIDE_STRIDE],
                                  (size_t)axis[STRIDE_ROUNDS], (size_t)bytes);
        target += (next - column) * bytes;
        tile += width * bytes;
    }
}

const struct algorithm algorithm_shared_stride = {
    .name = "shared_stride",
    .summary = "target[i] = xor of source[(i * stride + r) mod 1024], r below rounds, tile by tile",
    .clause_value = "shared_stride.value.combined",
    .contracted_axis = -1,
    .axis_count = 6,
    .axes = {{"n", AXIS_SIZE, 0},
             {"stride", AXIS_STEP, 0},
             {"rounds", AXIS_ROUNDS, 0},
             {"element", AXIS_ELEMENT, 0},
             {"source_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = shared_stride_view,
    .golden = shared_stride_golden,
    .parts = shared_stride_parts,
    .golden_part = shared_stride_golden_part,
    .flops = shared_stride_flops,
    .huge =
        {
            "n=2147483659 stride=33 element=1",
            "n=4294967311 stride=2 element=1 source_offset=1",
            "n=1073741831 stride=17 rounds=2", /* bytes past 2^32 */
            "n=1073741835 stride=4294967311",
        },
};
