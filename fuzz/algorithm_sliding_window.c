/* The row of sliding_window (spec/sliding_window.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    WINDOW_N,
    WINDOW_HOT,
    WINDOW_RESIDENT,
    WINDOW_HOT_OFFSET,
    WINDOW_STREAM_OFFSET,
    WINDOW_TARGET_OFFSET
};

/* Nothing can be added to without hot data. */
static int64_t sums(const int64_t *axis)
{
    return axis[WINDOW_HOT] == 0 ? 0 : axis[WINDOW_N];
}

static void sliding_window_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {algorithm_line(axis[WINDOW_HOT_OFFSET], 0, axis[WINDOW_HOT], 1),
                                 algorithm_line(axis[WINDOW_STREAM_OFFSET], 0, sums(axis), 1),
                                 algorithm_line(axis[WINDOW_TARGET_OFFSET], 0, sums(axis), 1)};
    *ret = views[index];
}

static void sliding_window_golden(const int64_t *axis, void *const *operands)
{
    golden_sliding_window(operands[0], operands[1], operands[2], (size_t)sums(axis),
                          (size_t)axis[WINDOW_HOT]);
}

/* Where the element lies in the hot data; without any there is no element. */
static int64_t place_of(const int64_t *axis, int64_t element)
{
    return axis[WINDOW_HOT] == 0 ? 0 : element % axis[WINDOW_HOT];
}

/* The block's part of the stream, and of the hot data what it takes: a range, the two ends of a
 * block that turns at the hot data's end once, or all. */
static int sliding_window_parts(const int64_t *axis, const struct block *output,
                                struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t hot = axis[WINDOW_HOT], first = place_of(axis, output->column);
    const int64_t past = first + output->columns - hot;
    const bool is_all = output->columns >= hot;
    ret[0] = (struct part){.operand = 1, .block = *output};
    ret[1] = (struct part){.operand = 0, .block = {.rows = 1, .columns = hot}};
    if (is_all)
        return 2;
    ret[1].block.column = first;
    ret[1].block.columns = past > 0 ? hot - first : output->columns;
    ret[2] = (struct part){.operand = 0, .block = {.rows = 1, .columns = past}};
    return past > 0 ? 3 : 2;
}

static void sliding_window_golden_part(const int64_t *axis, const struct block *output,
                                       const struct part_memory *parts, void *ret)
{
    const int64_t hot = axis[WINDOW_HOT];
    const bool is_all = output->columns >= hot;
    const uint32_t *range = parts[1].first, *stream = parts[0].first;
    int64_t place = place_of(axis, output->column);
    for (int64_t at = 0, count; at < output->columns; at += count) {
        count = hot - place < output->columns - at ? hot - place : output->columns - at;
        golden_sliding_window(is_all ? range + place : range, stream + at, (uint32_t *)ret + at,
                              (size_t)count, (size_t)count);
        range = is_all ? range : parts[2].first;
        place = 0;
    }
}

const struct algorithm algorithm_sliding_window = {
    .name = "sliding_window",
    .summary = "target[i] = stream[i] + hot[i mod hot], u32",
    .clause_value = "sliding_window.value.sum",
    .contracted_axis = -1,
    .axis_count = 6,
    .axes = {{"n", AXIS_SIZE, 0},
             {"hot", AXIS_SIZE, 0},
             {"resident", AXIS_KEPT, 0},
             {"hot_offset", AXIS_PLACEMENT, 0},
             {"stream_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"hot", OPERAND_INPUT, &format_u32},
                 {"stream", OPERAND_INPUT, &format_u32},
                 {"target", OPERAND_OUTPUT, &format_u32}},
    .view = sliding_window_view,
    .golden = sliding_window_golden,
    .parts = sliding_window_parts,
    .golden_part = sliding_window_golden_part,
    .huge = {"n=2147483659 hot=257 resident=129", "n=1073741831 hot=65521 resident=70000",
             "n=4294967311 hot=268435459 target_offset=1",
             "n=259 hot=4294967311 resident=2147483659 hot_offset=5",
             "n=2147483659 hot=2147483647 resident=1"},
};
