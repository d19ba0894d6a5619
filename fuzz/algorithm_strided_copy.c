/* The row of strided_copy (spec/strided_copy.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

static void strided_copy_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(axis[index == 0 ? COPY_SOURCE_OFFSET : COPY_TARGET_OFFSET], 0,
                          axis[COPY_N], axis[COPY_STEP]);
}

static void strided_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_strided_copy(operands[0], operands[1], (size_t)axis[COPY_N], (size_t)axis[COPY_STEP],
                        (size_t)axis[COPY_ELEMENT]);
}

const struct algorithm algorithm_strided_copy = {
    .name = "strided_copy",
    .summary = "target[i * stride] = source[i * stride], elements of 1 to 16 bytes",
    .clause_value = "strided_copy.value.same",
    .contracted_axis = -1,
    .axis_count = 5,
    .axes = {{"n", AXIS_SIZE, 0},
             {"stride", AXIS_STRIDE, 0},
             {"element", AXIS_ELEMENT, 0},
             {"source_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = strided_copy_view,
    .golden = strided_copy_golden,
    .parts = algorithm_same_part,
    .golden_part = algorithm_copy_part,
    .huge = {"n=65537 stride=65539 element=1", "n=32771 stride=65537 element=4",
             "n=4294967303 element=1 target_offset=1", "n=715827887 stride=3 element=4",
             "n=3 stride=2147483649 element=1",
             /* few elements */},
};
