/* Why a GPU may be slow that is healthy: others use it, its owner holds its clocks down, or too
 * much power or heat slows it (disturbed.h). Clauses: bandwidth.sensors.alone,
 * bandwidth.sensors.clocks, bandwidth.samples.slowed. */
#include "conformance/speed/disturbed.h"

#include <stdio.h>

#include "conformance/base/number.h"
#include "conformance/work/nvml.h"

static bool is_crowded(const struct bench_result *result, char ret_why[BENCH_WHY_BYTES])
{
    char pid[32] = "", number[NUMBER_COUNT_BYTES];
    if (result->company.others == 0)
        return false;
    if (result->company.pid > 0)
        snprintf(pid, sizeof pid, " (%s%u)", result->company.others > 1 ? "one is " : "",
                 (unsigned)result->company.pid);
    snprintf(ret_why, BENCH_WHY_BYTES, "%s%s on the GPU",
             number_count((uint64_t)result->company.others, "other process", number), pid);
    return true;
}

/* Clocks that something slows have reasons, and their samples were discarded. */
static bool is_held_down(const struct bench_result *result, const char *which, uint32_t mhz,
                         int full_khz, char ret_why[BENCH_WHY_BYTES])
{
    double full_mhz = full_khz * 1e-3;
    if (!nvml_is_held(mhz, full_khz, result->during.reasons))
        return false;
    snprintf(ret_why, BENCH_WHY_BYTES,
             "its %s clock ran at %u of %.0f MHz and nothing slowed it: "
             "was it locked (nvidia-smi -q -d CLOCK)?",
             which, (unsigned)mhz, full_mhz);
    return true;
}

static bool is_slowed(const struct bench_result *result, char ret_why[BENCH_WHY_BYTES])
{
    char reasons[80], number[NUMBER_COUNT_BYTES];
    if (result->slowed == 0)
        return false;
    snprintf(ret_why, BENCH_WHY_BYTES, "the GPU was slowed (%s) in %s of %d",
             nvml_reasons_text(result->during.reasons, reasons, sizeof reasons),
             number_count((uint64_t)result->slowed, "sample", number), result->samples);
    return true;
}

const char *bench_disturbance(const struct bench *bench, const struct bench_result *result,
                              char ret_why[BENCH_WHY_BYTES])
{
    const struct device_info *info = bench->info;
    if (is_crowded(result, ret_why))
        return "bandwidth.sensors.alone";
    if (is_slowed(result, ret_why))
        return "bandwidth.samples.slowed";
    bool held =
        is_held_down(result, "SM", result->sm_mhz_least, info->sm_clock_khz, ret_why) ||
        is_held_down(result, "memory", result->memory_mhz_least, info->memory_clock_khz, ret_why);
    return held ? "bandwidth.sensors.clocks" : NULL;
}
