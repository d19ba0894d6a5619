/* What the rows of algorithms share (algorithm_parts.h). */
#include "fuzz/algorithm_parts.h"

#include <unistd.h>

#include "cpu_ref/golden.h"

/* Far above every valid span and far below overflow, so that a view of absurd sizes can be made
 * and then refused. */
#define SATURATED (INT64_C(1) << 60)

/* Work that is worth the start of threads. */
#define THREADS_FLOPS (UINT64_C(1) << 28)

int64_t algorithm_product(int64_t left, int64_t right)
{
    return left != 0 && right > SATURATED / left ? SATURATED : left * right;
}

uint64_t algorithm_operations(int64_t m, int64_t n, int64_t k)
{
    uint64_t pairs = (uint64_t)algorithm_product(m, n);
    return k != 0 && pairs > UINT64_MAX / 2 / (uint64_t)k ? UINT64_MAX : 2 * pairs * (uint64_t)k;
}

unsigned algorithm_threads(uint64_t flops)
{
    if (flops < THREADS_FLOPS)
        return 1;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}

struct view algorithm_matrix(int64_t origin, int64_t rows, int64_t columns, int64_t leading)
{
    return (struct view){.origin = origin,
                         .rows = rows,
                         .columns = columns,
                         .row_stride = leading,
                         .column_stride = 1,
                         .span = algorithm_product(rows, leading),
                         .is_matrix = true};
}

/* A row stride that no column reaches lets a reader divide a place by it. */
struct view algorithm_line(int64_t origin, int64_t first, int64_t columns, int64_t stride)
{
    int64_t span = columns == 0 ? first : first + algorithm_product(columns - 1, stride) + 1;
    return (struct view){.origin = origin,
                         .first = first,
                         .rows = 1,
                         .columns = columns,
                         .row_stride = span + 1,
                         .column_stride = stride,
                         .span = span};
}

struct block algorithm_rows(const struct block *output, int64_t columns)
{
    return (struct block){.row = output->row, .rows = output->rows, .columns = columns};
}

void algorithm_product_part(int64_t k, const struct block *output, const struct part_memory *parts,
                            void *ret)
{
    struct golden_input a = {.base = parts[0].first, .leading = (size_t)parts[0].leading};
    struct golden_input b = {.base = parts[1].first, .leading = (size_t)parts[1].leading};
    struct golden_output c = {.base = ret, .leading = (size_t)output->columns};
    golden_matmul_fast(a, b, c, (size_t)output->rows, (size_t)output->columns, (size_t)k, 1);
}

int algorithm_same_part(const int64_t *axis, const struct block *output,
                        struct part ret[ALGORITHM_PARTS_MAX])
{
    (void)axis;
    ret[0] = (struct part){.operand = 0, .block = *output};
    return 1;
}

/* Packed, both copies are the same. */
void algorithm_copy_part(const int64_t *axis, const struct block *output,
                         const struct part_memory *parts, void *ret)
{
    golden_offset_copy(parts[0].first, ret, (size_t)output->columns, 0, (size_t)axis[COPY_ELEMENT]);
}
