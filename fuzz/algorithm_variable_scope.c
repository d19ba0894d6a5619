/* The row of variable_scope (spec/variable_scope.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    SCOPE_N,
    SCOPE_LAUNCHES,
    SCOPE_RELOAD,
    SCOPE_INITIAL_OFFSET,
    SCOPE_STEPS_OFFSET,
    SCOPE_TARGET_OFFSET
};

/* Of the steps of one launch. */
static int64_t columns_of(const int64_t *axis)
{
    enum { COLUMNS_MAX = 8 };
    return axis[SCOPE_N] < COLUMNS_MAX ? axis[SCOPE_N] : COLUMNS_MAX;
}

static void variable_scope_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {algorithm_line(axis[SCOPE_INITIAL_OFFSET], 0, axis[SCOPE_N], 1),
                                 algorithm_matrix(axis[SCOPE_STEPS_OFFSET], axis[SCOPE_LAUNCHES],
                                                  columns_of(axis), columns_of(axis)),
                                 algorithm_line(axis[SCOPE_TARGET_OFFSET], 0, axis[SCOPE_N], 1)};
    *ret = views[index];
}

static uint64_t variable_scope_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(axis[SCOPE_N], axis[SCOPE_LAUNCHES]);
}

static void variable_scope_golden(const int64_t *axis, void *const *operands)
{
    golden_variable_scope(operands[0], operands[1], operands[2], 0, (size_t)axis[SCOPE_N],
                          (size_t)columns_of(axis), (size_t)axis[SCOPE_LAUNCHES],
                          (size_t)axis[SCOPE_RELOAD]);
}

/* The block's own elements, and all steps. */
static int variable_scope_parts(const int64_t *axis, const struct block *output,
                                struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[1] = (struct part){.operand = 1,
                           .block = {.rows = axis[SCOPE_LAUNCHES], .columns = columns_of(axis)}};
    return 2;
}

static void variable_scope_golden_part(const int64_t *axis, const struct block *output,
                                       const struct part_memory *parts, void *ret)
{
    golden_variable_scope(parts[0].first, parts[1].first, ret, (size_t)output->column,
                          (size_t)output->columns, (size_t)columns_of(axis),
                          (size_t)axis[SCOPE_LAUNCHES], (size_t)axis[SCOPE_RELOAD]);
}

const struct algorithm algorithm_variable_scope = {
    .name = "variable_scope",
    .summary = "target[i]: what a variable holds after launches that each change it, u32",
    .clause_value = "variable_scope.value.sequence",
    .contracted_axis = -1,
    .axis_count = 6,
    .axes = {{"n", AXIS_SIZE, 0},
             {"launches", AXIS_LAUNCHES, 0},
             {"reload", AXIS_RELOAD, 0},
             {"initial_offset", AXIS_PLACEMENT, 0},
             {"steps_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"initial", OPERAND_INPUT, &format_u32},
                 {"steps", OPERAND_INPUT, &format_u32},
                 {"target", OPERAND_OUTPUT, &format_u32}},
    .view = variable_scope_view,
    .golden = variable_scope_golden,
    .parts = variable_scope_parts,
    .golden_part = variable_scope_golden_part,
    .flops = variable_scope_flops,
    .huge = {"n=1073741831 launches=2", /* bytes past 2^32 */
             "n=2147483659 launches=3 reload=1 initial_offset=3", "n=4294967311 target_offset=1"},
};
