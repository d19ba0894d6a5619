/* The row of thread_array (spec/thread_array.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    ARRAY_N,
    ARRAY_LENGTH,
    ARRAY_DISTINCT,
    ARRAY_ROUNDS,
    ARRAY_ELEMENT,
    ARRAY_SOURCE_OFFSET,
    ARRAY_INDEX_OFFSET,
    ARRAY_TARGET_OFFSET
};

/* Elements that so many neighbouring arrays are made of. */
static int64_t window(const int64_t *axis, int64_t arrays)
{
    return arrays == 0 ? 0 : arrays + axis[ARRAY_LENGTH] - 1;
}

static void thread_array_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {
        algorithm_line(axis[ARRAY_SOURCE_OFFSET], 0, window(axis, axis[ARRAY_N]), 1),
        algorithm_line(axis[ARRAY_INDEX_OFFSET], 0, axis[ARRAY_N], 1),
        algorithm_line(axis[ARRAY_TARGET_OFFSET], 0, axis[ARRAY_N], 1)};
    *ret = views[index];
}

/* The exclusive ors of the passes. */
static uint64_t thread_array_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(algorithm_product(axis[ARRAY_N], axis[ARRAY_ROUNDS]),
                                       axis[ARRAY_LENGTH] - 1);
}

static void thread_array_golden(const int64_t *axis, void *const *operands)
{
    golden_thread_array(operands[0], operands[1], operands[2], (size_t)axis[ARRAY_N],
                        (size_t)axis[ARRAY_LENGTH], (size_t)axis[ARRAY_ROUNDS],
                        (size_t)axis[ARRAY_ELEMENT]);
}

/* The block's arrays, which overlap, and its indices. */
static int thread_array_parts(const int64_t *axis, const struct block *output,
                              struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[0].block.columns = window(axis, output->columns);
    ret[1] = (struct part){.operand = 1, .block = *output};
    return 2;
}

static void thread_array_golden_part(const int64_t *axis, const struct block *output,
                                     const struct part_memory *parts, void *ret)
{
    golden_thread_array(parts[0].first, parts[1].first, ret, (size_t)output->columns,
                        (size_t)axis[ARRAY_LENGTH], (size_t)axis[ARRAY_ROUNDS],
                        (size_t)axis[ARRAY_ELEMENT]);
}

const struct algorithm algorithm_thread_array = {
    .name = "thread_array",
    .summary = "target[i] = what rounds of exchanges leave of an array from source[i] on",
    .clause_value = "thread_array.value.exchanged",
    .contracted_axis = -1,
    .axis_count = 8,
    .axes = {{"n", AXIS_SIZE, 0},
             {"length", AXIS_LENGTH, 0},
             {"distinct", AXIS_LANES, 0},
             {"rounds", AXIS_ROUNDS, 0},
             {"element", AXIS_ELEMENT, 0},
             {"source_offset", AXIS_PLACEMENT, 0},
             {"index_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"index", OPERAND_INPUT, &format_index},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = thread_array_view,
    .golden = thread_array_golden,
    .parts = thread_array_parts,
    .golden_part = thread_array_golden_part,
    .flops = thread_array_flops,
    .huge = {"n=2147483659 length=3 element=1", "n=1073741831 length=2 rounds=2 element=8",
             "n=4294967311 length=2 element=1 source_offset=1"},
};
