/* The row of matmul (spec/matmul.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum { M, N, K, LDA, LDB, LDC, A_OFFSET, B_OFFSET, C_OFFSET };

static void matmul_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {algorithm_matrix(axis[A_OFFSET], axis[M], axis[K], axis[LDA]),
                                 algorithm_matrix(axis[B_OFFSET], axis[K], axis[N], axis[LDB]),
                                 algorithm_matrix(axis[C_OFFSET], axis[M], axis[N], axis[LDC])};
    *ret = views[index];
}

static uint64_t matmul_flops(const int64_t *axis)
{
    return algorithm_operations(axis[M], axis[N], axis[K]);
}

static void matmul_golden(const int64_t *axis, void *const *operands)
{
    struct golden_input a = {.base = operands[0], .leading = (size_t)axis[LDA]};
    struct golden_input b = {.base = operands[1], .leading = (size_t)axis[LDB]};
    struct golden_output c = {.base = operands[2], .leading = (size_t)axis[LDC]};
    golden_matmul_fast(a, b, c, (size_t)axis[M], (size_t)axis[N], (size_t)axis[K],
                       algorithm_threads(matmul_flops(axis)));
}

static int matmul_parts(const int64_t *axis, const struct block *output,
                        struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = algorithm_rows(output, axis[K])};
    ret[1] = (struct part){
        .operand = 1,
        .block = {.rows = axis[K], .column = output->column, .columns = output->columns}};
    return 2;
}

static void matmul_golden_part(const int64_t *axis, const struct block *output,
                               const struct part_memory *parts, void *ret)
{
    algorithm_product_part(axis[K], output, parts, ret);
}

const struct algorithm algorithm_matmul = {
    .name = "matmul",
    .summary = "C = A B, f32, each element one chain of fused multiply-adds, k ascending",
    .clause_value = "matmul.order.ascending",
    .contracted_axis = K,
    .axis_count = 9,
    .axes = {{"m", AXIS_SIZE, 0},
             {"n", AXIS_SIZE, 0},
             {"k", AXIS_SIZE, 0},
             {"lda", AXIS_LEADING, K},
             {"ldb", AXIS_LEADING, N},
             {"ldc", AXIS_LEADING, N},
             {"a_offset", AXIS_PLACEMENT, 0},
             {"b_offset", AXIS_PLACEMENT, 0},
             {"c_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"a", OPERAND_INPUT, &format_f32},
                 {"b", OPERAND_INPUT, &format_f32},
                 {"c", OPERAND_OUTPUT, &format_f32}},
    .view = matmul_view,
    .golden = matmul_golden,
    .parts = matmul_parts,
    .golden_part = matmul_golden_part,
    .flops = matmul_flops,
    .huge = {"m=46349 n=46337 k=3",         /* m n past 2^31 */
             "m=65537 n=65539 k=2",         /* m n past 2^32 */
             "m=65568 n=32768 k=32",        /* m n past 2^31, for the documents' shapes */
             "m=3 n=5 k=7 lda=2147483649",  /* m lda past 2^32, few elements */
             "m=3 n=5 k=70001 ldb=61357",   /* k ldb past 2^32, few elements */
             "m=32 n=32 k=32 ldb=69273667", /* k ldb past 2^31, for the documents' shapes */
             "m=2147483655 n=1 k=1 ldc=1",  /* rows past 2^31 */
             "m=1 n=2147483655 k=1",        /* columns past 2^31 */
             "m=4294967311 n=1 k=1",        /* rows past 2^32 */
             "m=1 n=4294967311 k=1",        /* columns past 2^32 */
             "m=32 n=33554464 k=32",        /* 2^20 blocks in x, for the documents' shapes */
             "m=33554464 n=32 k=32",
             /* and in y, more than a grid has */},
};
