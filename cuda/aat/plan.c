/* How the aat kernels are launched. */
#include "cuda/aat/plan.h"
#include "cuda/aat/call.h"
#include "cuda/plan.h"

bool aat_accepts_k32(const void *call)
{
    const struct aat_call *aat = call;
    return aat->k == 32 && aat->m % 32 == 0;
}

static bool plan(const char *entry, const void *call, unsigned tile_rows, unsigned tile_columns,
                 const struct device_limits *limits, struct launch *ret)
{
    const struct aat_call *aat = call;
    return plan_tiles(entry, aat->m, aat->m, tile_rows, tile_columns, 0, limits, ret);
}

bool aat_plan_naive(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("aat_naive", call, 8, 32, limits, ret);
}

bool aat_plan_tiled(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("aat_tiled", call, 16, 16, limits, ret);
}

bool aat_plan_simple(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("aat_simple", call, 32, 32, limits, ret);
}

bool aat_plan_coalesced(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("aat_coalesced", call, 32, 32, limits, ret);
}

bool aat_plan_padded(const void *call, const struct device_limits *limits, struct launch *ret)
{
    return plan("aat_padded", call, 32, 32, limits, ret);
}
