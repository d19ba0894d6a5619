/* How the matmul kernels are launched. */
#include "cuda/matmul/plan.h"
#include "cuda/matmul/call.h"
#include "cuda/plan.h"

bool matmul_accepts_k32(const void *call)
{
    const struct matmul_call *matmul = call;
    return matmul->k == 32 && matmul->m % 32 == 0 && matmul->n % 32 == 0;
}

static bool plan(const char *entry, const void *call, unsigned tile_rows, unsigned tile_columns,
                 unsigned shared_bytes, const struct device_limits *limits, struct launch *ret)
{
    const struct matmul_call *matmul = call;
    return plan_tiles(entry, matmul->m, matmul->n, tile_rows, tile_columns, shared_bytes, limits,
                      ret);
}

bool matmul_plan_naive(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("matmul_naive", call, 8, 32, 0, limits, ret);
}

bool matmul_plan_tiled(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("matmul_tiled", call, 16, 16, 0, limits, ret);
}

bool matmul_plan_tiled_dynamic(const void *call, const struct device_limits *limits,
                               struct launch *ret)
{
    for (unsigned tile = 32; tile > 0; tile /= 2) {
        const unsigned bytes = 2 * tile * tile * (unsigned)sizeof(float);
        if (tile * tile <= (unsigned)limits->max_threads_per_block &&
            bytes <= limits->shared_bytes_per_block)
            return plan("matmul_tiled_dynamic", call, tile, tile, bytes, limits, ret);
    }
    return false;
}

bool matmul_plan_padded(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("matmul_padded", call, 32, 32, 0, limits, ret);
}

bool matmul_plan_simple(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("matmul_simple", call, 32, 32, 0, limits, ret);
}

bool matmul_plan_shared_a(const void *call, const struct device_limits *limits, struct launch *ret)
{
    /* A tile's row must be one warp, as the kernel's barrier is a warp's. */
    return limits->warp_size == 32 && plan("matmul_shared_a", call, 32, 32, 0, limits, ret);
}

bool matmul_plan_shared_ab(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("matmul_shared_ab", call, 32, 32, 0, limits, ret);
}
