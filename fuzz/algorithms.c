/* The table of algorithms: for each one its axes, where its operands' elements lie
 * (spec/memory.md), its golden function and its operations. */
#include "fuzz/algorithm.h"

#include <unistd.h>

#include "cpu_ref/golden.h"

enum { M, N, K, LDA, LDB, LDC, A_OFFSET, B_OFFSET, C_OFFSET };
enum { AAT_M, AAT_K, AAT_LDA, AAT_LDC, AAT_A_OFFSET, AAT_C_OFFSET };
enum { DIFFERENCE_N, DIFFERENCE_A_OFFSET, DIFFERENCE_B_OFFSET };
/* Both copies have the same axes, the second one by another name. */
enum { COPY_N, COPY_STEP, COPY_ELEMENT, COPY_SOURCE_OFFSET, COPY_TARGET_OFFSET };

/* Far above every valid span and far below overflow, so that a view of absurd sizes can be made
 * and then refused. */
#define SATURATED (INT64_C(1) << 60)

/* Work that is worth the start of threads. */
#define THREADS_FLOPS (UINT64_C(1) << 28)

static int64_t product(int64_t left, int64_t right)
{
    return left != 0 && right > SATURATED / left ? SATURATED : left * right;
}

static uint64_t operations(int64_t m, int64_t n, int64_t k)
{
    uint64_t pairs = (uint64_t)product(m, n);
    return k != 0 && pairs > UINT64_MAX / 2 / (uint64_t)k ? UINT64_MAX : 2 * pairs * (uint64_t)k;
}

static unsigned threads_for(uint64_t flops)
{
    if (flops < THREADS_FLOPS)
        return 1;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}

static struct view matrix(int64_t origin, int64_t rows, int64_t columns, int64_t leading)
{
    return (struct view){.origin = origin,
                         .rows = rows,
                         .columns = columns,
                         .row_stride = leading,
                         .column_stride = 1,
                         .span = product(rows, leading),
                         .is_matrix = true};
}

/* A row stride that no column reaches lets a reader divide a place by it. */
static struct view line(int64_t origin, int64_t first, int64_t columns, int64_t stride)
{
    int64_t span = columns == 0 ? first : first + product(columns - 1, stride) + 1;
    return (struct view){.origin = origin,
                         .first = first,
                         .rows = 1,
                         .columns = columns,
                         .row_stride = span + 1,
                         .column_stride = stride,
                         .span = span};
}

static void matmul_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {matrix(axis[A_OFFSET], axis[M], axis[K], axis[LDA]),
                                 matrix(axis[B_OFFSET], axis[K], axis[N], axis[LDB]),
                                 matrix(axis[C_OFFSET], axis[M], axis[N], axis[LDC])};
    *ret = views[index];
}

static uint64_t matmul_flops(const int64_t *axis)
{
    return operations(axis[M], axis[N], axis[K]);
}

static void matmul_golden(const int64_t *axis, void *const *operands)
{
    struct golden_input a = {.base = operands[0], .leading = (size_t)axis[LDA]};
    struct golden_input b = {.base = operands[1], .leading = (size_t)axis[LDB]};
    struct golden_output c = {.base = operands[2], .leading = (size_t)axis[LDC]};
    golden_matmul_fast(a, b, c, (size_t)axis[M], (size_t)axis[N], (size_t)axis[K],
                       threads_for(matmul_flops(axis)));
}

static struct block rows_of(const struct block *output, int64_t columns)
{
    return (struct block){.row = output->row, .rows = output->rows, .columns = columns};
}

static int matmul_parts(const int64_t *axis, const struct block *output,
                        struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = rows_of(output, axis[K])};
    ret[1] = (struct part){
        .operand = 1,
        .block = {.rows = axis[K], .column = output->column, .columns = output->columns}};
    return 2;
}

static void product_part(int64_t k, const struct block *output, const struct part_memory *parts,
                         void *ret)
{
    struct golden_input a = {.base = parts[0].first, .leading = (size_t)parts[0].leading};
    struct golden_input b = {.base = parts[1].first, .leading = (size_t)parts[1].leading};
    struct golden_output c = {.base = ret, .leading = (size_t)output->columns};
    golden_matmul_fast(a, b, c, (size_t)output->rows, (size_t)output->columns, (size_t)k, 1);
}

static void matmul_golden_part(const int64_t *axis, const struct block *output,
                               const struct part_memory *parts, void *ret)
{
    product_part(axis[K], output, parts, ret);
}

static void aat_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = index == 0 ? matrix(axis[AAT_A_OFFSET], axis[AAT_M], axis[AAT_K], axis[AAT_LDA])
                      : matrix(axis[AAT_C_OFFSET], axis[AAT_M], axis[AAT_M], axis[AAT_LDC]);
}

static uint64_t aat_flops(const int64_t *axis)
{
    return operations(axis[AAT_M], axis[AAT_M], axis[AAT_K]);
}

static void aat_golden(const int64_t *axis, void *const *operands)
{
    struct golden_input a = {.base = operands[0], .leading = (size_t)axis[AAT_LDA]};
    struct golden_output c = {.base = operands[1], .leading = (size_t)axis[AAT_LDC]};
    golden_aat_fast(a, c, (size_t)axis[AAT_M], (size_t)axis[AAT_K], threads_for(aat_flops(axis)));
}

/* The rows of A that the block's columns name, transposed, are a matmul's B. */
static int aat_parts(const int64_t *axis, const struct block *output,
                     struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = rows_of(output, axis[AAT_K])};
    ret[1] = (struct part){
        .operand = 0,
        .transposed = true,
        .block = {.row = output->column, .rows = output->columns, .columns = axis[AAT_K]}};
    return 2;
}

static void aat_golden_part(const int64_t *axis, const struct block *output,
                            const struct part_memory *parts, void *ret)
{
    product_part(axis[AAT_K], output, parts, ret);
}

static void difference_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = line(axis[index == 0 ? DIFFERENCE_A_OFFSET : DIFFERENCE_B_OFFSET], 0, axis[DIFFERENCE_N],
                1);
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

static void offset_copy_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = line(axis[index == 0 ? COPY_SOURCE_OFFSET : COPY_TARGET_OFFSET], axis[COPY_STEP],
                axis[COPY_N], 1);
}

static void offset_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_offset_copy(operands[0], operands[1], (size_t)axis[COPY_N], (size_t)axis[COPY_STEP],
                       (size_t)axis[COPY_ELEMENT]);
}

static void strided_copy_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = line(axis[index == 0 ? COPY_SOURCE_OFFSET : COPY_TARGET_OFFSET], 0, axis[COPY_N],
                axis[COPY_STEP]);
}

static void strided_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_strided_copy(operands[0], operands[1], (size_t)axis[COPY_N], (size_t)axis[COPY_STEP],
                        (size_t)axis[COPY_ELEMENT]);
}

static int copy_parts(const int64_t *axis, const struct block *output,
                      struct part ret[ALGORITHM_PARTS_MAX])
{
    (void)axis;
    ret[0] = (struct part){.operand = 0, .block = *output};
    return 1;
}

/* Packed, both copies are the same. */
static void copy_golden_part(const int64_t *axis, const struct block *output,
                             const struct part_memory *parts, void *ret)
{
    golden_offset_copy(parts[0].first, ret, (size_t)output->columns, 0, (size_t)axis[COPY_ELEMENT]);
}

const struct algorithm algorithms[] = {
    {.name = "matmul",
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
     .flops = matmul_flops},
    {.name = "aat",
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
     .flops = aat_flops},
    {.name = "adjacent_difference",
     .summary = "b[i] = a[i] - a[i-1], f32, b[0] = a[0] - 0",
     .clause_value = "adjacent_difference.value.rest",
     .contracted_axis = -1,
     .axis_count = 3,
     .axes = {{"n", AXIS_SIZE, 0},
              {"a_offset", AXIS_PLACEMENT, 0},
              {"b_offset", AXIS_PLACEMENT, 0}},
     .operand_count = 2,
     .operands = {{"a", OPERAND_INPUT, &format_f32}, {"b", OPERAND_OUTPUT, &format_f32}},
     .view = difference_view,
     .golden = difference_golden,
     .parts = difference_parts,
     .golden_part = difference_golden_part,
     .flops = difference_flops},
    {.name = "offset_copy",
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
     .parts = copy_parts,
     .golden_part = copy_golden_part},
    {.name = "strided_copy",
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
     .parts = copy_parts,
     .golden_part = copy_golden_part},
};

const int algorithm_count = (int)(sizeof algorithms / sizeof algorithms[0]);
_Static_assert(sizeof algorithms / sizeof algorithms[0] <= ALGORITHMS_MAX, "plans have room");
