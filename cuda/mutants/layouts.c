/* Launches of mutants (layouts.h). */
#include "cuda/mutants/layouts.h"
#include "cuda/aat/call.h"
#include "cuda/adjacent_difference/call.h"
#include "cuda/matmul/call.h"
#include "cuda/offset_copy/call.h"
#include "cuda/plan.h"
#include "cuda/strided_copy/call.h"

enum { BLOCK = 256 };

/* These mutants have no loop over rows that the grid does not reach: such shapes are refused. */
static bool tiles(const char *entry, long long rows, long long columns, unsigned tile_rows,
                  unsigned tile_columns, unsigned shared_bytes, const struct device_limits *limits,
                  struct launch *ret)
{
    struct launch launch;
    if (!plan_tiles(entry, rows, columns, tile_rows, tile_columns, shared_bytes, limits, &launch))
        return false;
    if ((long long)launch.grid[1] * tile_rows < rows)
        return false;
    *ret = launch;
    return true;
}

bool mutant_matmul_elements(const char *entry, const void *call, const struct device_limits *limits,
                            struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return tiles(entry, matmul->m, matmul->n, 8, 32, 0, limits, ret);
}

bool mutant_matmul_tiles(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return tiles(entry, matmul->m, matmul->n, 16, 16, 0, limits, ret);
}

bool mutant_matmul_dynamic(const char *entry, const void *call, const struct device_limits *limits,
                           struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return tiles(entry, matmul->m, matmul->n, 16, 16, 2 * 16 * 16 * sizeof(float), limits, ret);
}

bool mutant_matmul_warps(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return tiles(entry, matmul->m, matmul->n, 32, 32, 0, limits, ret);
}

bool mutant_matmul_gaps(const char *entry, const void *call, const struct device_limits *limits,
                        struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return tiles(entry, matmul->m, matmul->n + 1, 8, 32, 0, limits, ret);
}

bool mutant_matmul_line(const char *entry, const void *call, const struct device_limits *limits,
                        struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return plan_line(entry, matmul->m * matmul->n, BLOCK, limits, ret);
}

bool mutant_matmul_turns(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return plan_tiles(entry, matmul->m, matmul->n, 8, 32, 0, limits, ret);
}

bool mutant_matmul_turns_16(const char *entry, const void *call, const struct device_limits *limits,
                            struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return plan_tiles(entry, matmul->m, matmul->n, 16, 16, 0, limits, ret);
}

bool mutant_aat_turns(const char *entry, const void *call, const struct device_limits *limits,
                      struct launch *ret)
{
    const struct aat_call *aat = call;
    return plan_tiles(entry, aat->m, aat->m, 16, 16, 0, limits, ret);
}

bool mutant_aat_tiles(const char *entry, const void *call, const struct device_limits *limits,
                      struct launch *ret)
{
    const struct aat_call *aat = call;
    return tiles(entry, aat->m, aat->m, 16, 16, 0, limits, ret);
}

bool mutant_difference_line(const char *entry, const void *call, const struct device_limits *limits,
                            struct launch *ret)
{
    const struct adjacent_difference_call *difference = call;
    return plan_line(entry, difference->n, BLOCK, limits, ret);
}

bool mutant_difference_past(const char *entry, const void *call, const struct device_limits *limits,
                            struct launch *ret)
{
    const struct adjacent_difference_call *difference = call;
    return plan_line(entry, difference->n + 1, BLOCK, limits, ret);
}

bool mutant_offset_line(const char *entry, const void *call, const struct device_limits *limits,
                        struct launch *ret)
{
    const struct offset_copy_call *copy = call;
    return plan_line(entry, copy->n, BLOCK, limits, ret);
}

bool mutant_offset_whole(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct offset_copy_call *copy = call;
    return plan_line(entry, copy->offset + copy->n, BLOCK, limits, ret);
}

bool mutant_offset_slots(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct offset_copy_call *copy = call;
    const long long bytes = copy->n * copy->element;
    return plan_line(entry, bytes == 0 ? 0 : (bytes + 14) / 16 + 1, BLOCK, limits, ret);
}

bool mutant_strided_line(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct strided_copy_call *copy = call;
    return plan_line(entry, copy->n, BLOCK, limits, ret);
}

bool mutant_strided_past(const char *entry, const void *call, const struct device_limits *limits,
                         struct launch *ret)
{
    const struct strided_copy_call *copy = call;
    return plan_line(entry, copy->n + 1, BLOCK, limits, ret);
}

bool mutant_accepts_k_above_0(const void *call)
{
    return ((const struct matmul_call *)call)->k > 0;
}

bool mutant_accepts_k32(const void *call)
{
    const struct matmul_call *matmul = call;
    return matmul->k == 32 && matmul->m % 32 == 0 && matmul->n % 32 == 0;
}

bool mutant_accepts_k32_even_tiles(const void *call)
{
    return mutant_accepts_k32(call) && ((const struct matmul_call *)call)->m % 64 == 0;
}

/* Seven rows of C are less than a guard's 4096 bytes. */
bool mutant_accepts_narrow_c(const void *call)
{
    return ((const struct matmul_call *)call)->ldc <= 128;
}

/* The reciprocal of N is exact but for its overflow. */
bool mutant_accepts_short_line(const void *call)
{
    const struct matmul_call *matmul = call;
    return matmul->n > 0 && matmul->n <= 256 && matmul->m <= 65536 / matmul->n;
}

/* A wrong value of one or two bytes could be its poison by chance, and pass for unwritten. */
bool mutant_accepts_wide_offset_element(const void *call)
{
    return ((const struct offset_copy_call *)call)->element >= 4;
}

bool mutant_accepts_8_byte_element(const void *call)
{
    return ((const struct offset_copy_call *)call)->element == 8;
}

/* The first slot reaches back into the gap, and not into the guard. */
bool mutant_accepts_slot_below_offset(const void *call)
{
    const struct offset_copy_call *copy = call;
    return copy->offset * copy->element >= 16;
}

bool mutant_accepts_wide_strided_element(const void *call)
{
    return ((const struct strided_copy_call *)call)->element >= 4;
}

/* The element behind the last one lies in the guard. */
bool mutant_accepts_near_stride(const void *call)
{
    const struct strided_copy_call *copy = call;
    return copy->n > 0 && copy->stride <= 2048 / copy->element;
}

/* What goes astray in C lands between rows, not on other elements. */
bool mutant_accepts_gapped_c(const void *call)
{
    const struct aat_call *aat = call;
    return aat->ldc > aat->m;
}

bool mutant_accepts_stride_above_1(const void *call)
{
    return ((const struct strided_copy_call *)call)->stride > 1;
}
