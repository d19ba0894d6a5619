/* The row of adjacent_difference (spec/adjacent_difference.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum { DIFFERENCE_N, DIFFERENCE_A_OFFSET, DIFFERENCE_B_OFFSET };

static void difference_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(axis[index == 0 ? DIFFERENCE_A_OFFSET : DIFFERENCE_B_OFFSET], 0,
                          axis[DIFFERENCE_N], 1);
}

static uint64_t difference_flops(const int64_t *axis)
{
    return (uint64_t)axis[DIFFERENCE_N];
}

static void difference_golden(const int64_t *axis, void *const *operands)
{
    golden_adjacent_difference(operands[0], operands[1], (size_t)axis[DIFFERENCE_N]);
}

/* With the element before, where there is one. */
static int difference_parts(const int64_t *axis, const struct block *output,
                            struct part ret[ALGORITHM_PARTS_MAX])
{
    (void)axis;
    ret[0] = (struct part){.operand = 0, .block = *output};
    if (output->column > 0) {
        ret[0].block.column--;
        ret[0].block.columns++;
    }
    return 1;
}

static void difference_golden_part(const int64_t *axis, const struct block *output,
                                   const struct part_memory *parts, void *ret)
{
    const float *a = parts[0].first;
    float *b = ret, pair[2];
    (void)axis;
    if (output->column == 0) {
        golden_adjacent_difference(a, b, (size_t)output->columns);
        return;
    }
    /* The golden takes its first element for the vector's: that one is computed with its own
     * neighbour. */
    golden_adjacent_difference(a + 1, b, (size_t)output->columns);
    golden_adjacent_difference(a, pair, 2);
    b[0] = pair[1];
}

const struct algorithm algorithm_adjacent_difference = {
    .name = "adjacent_difference",
    .summary = "b[i] = a[i] - a[i-1], f32, b[0] = a[0] - 0",
    .clause_value = "adjacent_difference.value.rest",
    .contracted_axis = -1,
    .axis_count = 3,
    .axes = {{"n", AXIS_SIZE, 0}, {"a_offset", AXIS_PLACEMENT, 0}, {"b_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"a", OPERAND_INPUT, &format_f32}, {"b", OPERAND_OUTPUT, &format_f32}},
    .view = difference_view,
    .golden = difference_golden,
    .parts = difference_parts,
    .golden_part = difference_golden_part,
    .flops = difference_flops,
    .huge =
        {
            "n=1073741831", /* bytes past 2^32 */
            "n=2147483659 a_offset=1 b_offset=3",
            "n=4294967311 b_offset=4",
        },
};
