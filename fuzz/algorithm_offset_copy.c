/* The row of offset_copy (spec/offset_copy.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

static void offset_copy_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(axis[index == 0 ? COPY_SOURCE_OFFSET : COPY_TARGET_OFFSET],
                          axis[COPY_STEP], axis[COPY_N], 1);
}

static void offset_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_offset_copy(operands[0], operands[1], (size_t)axis[COPY_N], (size_t)axis[COPY_STEP],
                       (size_t)axis[COPY_ELEMENT]);
}

const struct algorithm algorithm_offset_copy = {
    .name = "offset_copy",
    .summary = "target[offset + i] = source[offset + i], elements of 1 to 16 bytes",
    .clause_value = "offset_copy.value.same",
    .contracted_axis = -1,
    .axis_count = 5,
    .axes = {{"n", AXIS_SIZE, 0},
             {"offset", AXIS_OFFSET, 0},
             {"element", AXIS_ELEMENT, 0},
             {"source_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = offset_copy_view,
    .golden = offset_copy_golden,
    .parts = algorithm_same_part,
    .golden_part = algorithm_copy_part,
    .huge = {"n=2147483653 element=1 source_offset=1", "n=4294967303 element=1 target_offset=3",
             "n=2147483659 offset=5 element=4",
             "n=33 offset=4294967299 element=1", /* few elements */
             "n=268435459 element=16",
             /* bytes past 2^32 */},
};
