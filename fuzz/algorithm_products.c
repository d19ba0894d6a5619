/* Sums and differences of f32: matmul, aat, adjacent_difference. Each section is an algorithm, from
 * its axes to its row (algorithm.h). */
#include "fuzz/algorithm.h"

#include <unistd.h>

/* Work that is worth the start of threads. */
#define THREADS_FLOPS (UINT64_C(1) << 28)

/* The number of threads that the golden's work is worth. */
static unsigned threads_for(uint64_t flops)
{
    if (flops < THREADS_FLOPS)
        return 1;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}

/* The block's rows, whole, of an operand with that many columns. */
static struct block whole_rows(const struct block *output, int64_t columns)
{
    return (struct block){.row = output->row, .rows = output->rows, .columns = columns};
}

/* golden_part of a product of two parts with k terms. */
static void product_part(int64_t k, const struct block *output, const struct part_memory *parts,
                         void *ret)
{
    struct golden_input a = {.base = parts[0].first, .leading = (size_t)parts[0].leading};
    struct golden_input b = {.base = parts[1].first, .leading = (size_t)parts[1].leading};
    struct golden_output c = {.base = ret, .leading = (size_t)output->columns};
    golden_matmul_fast(a, b, c, (size_t)output->rows, (size_t)output->columns, (size_t)k, 1);
}

/* matmul (spec/matmul.md) */

#define MATMUL_AXES(AXIS)                                                                          \
    AXIS(MATMUL_M, "m", AXIS_SIZE, 0)                                                              \
    AXIS(MATMUL_N, "n", AXIS_SIZE, 0)                                                              \
    AXIS(MATMUL_K, "k", AXIS_SIZE, 0)                                                              \
    AXIS(MATMUL_LDA, "lda", AXIS_LEADING, MATMUL_K)                                                \
    AXIS(MATMUL_LDB, "ldb", AXIS_LEADING, MATMUL_N)                                                \
    AXIS(MATMUL_LDC, "ldc", AXIS_LEADING, MATMUL_N)                                                \
    AXIS(MATMUL_A_OFFSET, "a_offset", AXIS_PLACEMENT, 0)                                           \
    AXIS(MATMUL_B_OFFSET, "b_offset", AXIS_PLACEMENT, 0)                                           \
    AXIS(MATMUL_C_OFFSET, "c_offset", AXIS_PLACEMENT, 0)
enum { MATMUL_AXES(AXIS_PLACE) };

static void matmul_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {
        algorithm_matrix(axis[MATMUL_M], axis[MATMUL_K], axis[MATMUL_LDA]),
        algorithm_matrix(axis[MATMUL_K], axis[MATMUL_N], axis[MATMUL_LDB]),
        algorithm_matrix(axis[MATMUL_M], axis[MATMUL_N], axis[MATMUL_LDC])};
    *ret = views[index];
}

static uint64_t matmul_flops(const int64_t *axis)
{
    return algorithm_operations(axis[MATMUL_M], axis[MATMUL_N], axis[MATMUL_K]);
}

static void matmul_golden(const int64_t *axis, void *const *operands)
{
    struct golden_input a = {.base = operands[0], .leading = (size_t)axis[MATMUL_LDA]};
    struct golden_input b = {.base = operands[1], .leading = (size_t)axis[MATMUL_LDB]};
    struct golden_output c = {.base = operands[2], .leading = (size_t)axis[MATMUL_LDC]};
    golden_matmul_fast(a, b, c, (size_t)axis[MATMUL_M], (size_t)axis[MATMUL_N],
                       (size_t)axis[MATMUL_K], threads_for(matmul_flops(axis)));
}

static int matmul_parts(const int64_t *axis, const struct block *output,
                        struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = whole_rows(output, axis[MATMUL_K])};
    ret[1] = (struct part){
        .operand = 1,
        .block = {.rows = axis[MATMUL_K], .column = output->column, .columns = output->columns}};
    return 2;
}

static void matmul_golden_part(const int64_t *axis, const struct block *output,
                               const struct part_memory *parts, void *ret)
{
    product_part(axis[MATMUL_K], output, parts, ret);
}

const struct algorithm algorithm_matmul = {
    .name = "matmul",
    .summary = "C = A B, f32, each element one chain of fused multiply-adds, k ascending",
    .clause_value = "matmul.order.ascending",
    .contracted_axis = MATMUL_K,
    .is_product = true,
    AXES(MATMUL_AXES),
    .operand_count = 3,
    .operands = {{"a", OPERAND_INPUT, &format_f32},
                 {"b", OPERAND_INPUT, &format_f32},
                 {"c", OPERAND_OUTPUT, &format_f32}},
    ALGORITHM_FUNCTIONS(matmul),
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

/* aat (spec/aat.md) */

#define AAT_AXES(AXIS)                                                                             \
    AXIS(AAT_M, "m", AXIS_SIZE, 0)                                                                 \
    AXIS(AAT_K, "k", AXIS_SIZE, 0)                                                                 \
    AXIS(AAT_LDA, "lda", AXIS_LEADING, AAT_K)                                                      \
    AXIS(AAT_LDC, "ldc", AXIS_LEADING, AAT_M)                                                      \
    AXIS(AAT_A_OFFSET, "a_offset", AXIS_PLACEMENT, 0)                                              \
    AXIS(AAT_C_OFFSET, "c_offset", AXIS_PLACEMENT, 0)
enum { AAT_AXES(AXIS_PLACE) };

static void aat_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = index == 0 ? algorithm_matrix(axis[AAT_M], axis[AAT_K], axis[AAT_LDA])
                      : algorithm_matrix(axis[AAT_M], axis[AAT_M], axis[AAT_LDC]);
}

static uint64_t aat_flops(const int64_t *axis)
{
    return algorithm_operations(axis[AAT_M], axis[AAT_M], axis[AAT_K]);
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
    ret[0] = (struct part){.operand = 0, .block = whole_rows(output, axis[AAT_K])};
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

const struct algorithm algorithm_aat = {
    .name = "aat",
    .summary = "C = A times its transpose, f32, in matmul's order",
    .clause_value = "aat.order.ascending",
    .contracted_axis = AAT_K,
    AXES(AAT_AXES),
    .operand_count = 2,
    .operands = {{"a", OPERAND_INPUT, &format_f32}, {"c", OPERAND_OUTPUT, &format_f32}},
    ALGORITHM_FUNCTIONS(aat),
    .flops = aat_flops,
    .huge = {"m=46349 k=3",            /* m^2 past 2^31 */
             "m=65537 k=2",            /* m^2 past 2^32 */
             "m=46368 k=32",           /* m^2 past 2^31, for the documents' shapes */
             "m=3 k=5 ldc=2147483649", /* m ldc past 2^32, few elements */
             "m=32 k=32 lda=69273667",
             /* m lda past 2^31, for the documents' shapes */},
};

/* adjacent_difference (spec/adjacent_difference.md) */

enum { DIFFERENCE_N, DIFFERENCE_A_OFFSET, DIFFERENCE_B_OFFSET };

static void difference_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(0, axis[DIFFERENCE_N], 1);
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
    ALGORITHM_FUNCTIONS(difference),
    .flops = difference_flops,
    .huge =
        {
            "n=1073741831", /* bytes past 2^32 */
            "n=2147483659 a_offset=1 b_offset=3",
            "n=4294967311 b_offset=4",
        },
};
