/* The row of aat (spec/aat.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum { AAT_M, AAT_K, AAT_LDA, AAT_LDC, AAT_A_OFFSET, AAT_C_OFFSET };

static void aat_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = index == 0
               ? algorithm_matrix(axis[AAT_A_OFFSET], axis[AAT_M], axis[AAT_K], axis[AAT_LDA])
               : algorithm_matrix(axis[AAT_C_OFFSET], axis[AAT_M], axis[AAT_M], axis[AAT_LDC]);
}

static uint64_t aat_flops(const int64_t *axis)
{
    return algorithm_operations(axis[AAT_M], axis[AAT_M], axis[AAT_K]);
}

static void aat_golden(const int64_t *axis, void *const *operands)
{
    struct golden_input a = {.base = operands[0], .leading = (size_t)axis[AAT_LDA]};
    struct golden_output c = {.base = operands[1], .leading = (size_t)axis[AAT_LDC]};
    golden_aat_fast(a, c, (size_t)axis[AAT_M], (size_t)axis[AAT_K],
                    algorithm_threads(aat_flops(axis)));
}

/* The rows of A that the block's columns name, transposed, are a matmul's B. */
static int aat_parts(const int64_t *axis, const struct block *output,
                     struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = algorithm_rows(output, axis[AAT_K])};
    ret[1] = (struct part){
        .operand = 0,
        .transposed = true,
        .block = {.row = output->column, .rows = output->columns, .columns = axis[AAT_K]}};
    return 2;
}

static void aat_golden_part(const int64_t *axis, const struct block *output,
                            const struct part_memory *parts, void *ret)
{
    algorithm_product_part(axis[AAT_K], output, parts, ret);
}

const struct algorithm algorithm_aat = {
    .name = "aat",
    .summary = "C = A times its transpose, f32, in matmul's order",
    .clause_value = "aat.order.ascending",
    .contracted_axis = AAT_K,
    .axis_count = 6,
    .axes = {{"m", AXIS_SIZE, 0},
             {"k", AXIS_SIZE, 0},
             {"lda", AXIS_LEADING, AAT_K},
             {"ldc", AXIS_LEADING, AAT_M},
             {"a_offset", AXIS_PLACEMENT, 0},
             {"c_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 2,
    .operands = {{"a", OPERAND_INPUT, &format_f32}, {"c", OPERAND_OUTPUT, &format_f32}},
    .view = aat_view,
    .golden = aat_golden,
    .parts = aat_parts,
    .golden_part = aat_golden_part,
    .flops = aat_flops,
    .huge = {"m=46349 k=3",            /* m^2 past 2^31 */
             "m=65537 k=2",            /* m^2 past 2^32 */
             "m=46368 k=32",           /* m^2 past 2^31, for the documents' shapes */
             "m=3 k=5 ldc=2147483649", /* m ldc past 2^32, few elements */
             "m=32 k=32 lda=69273667",
             /* m lda past 2^31, for the documents' shapes */},
};
