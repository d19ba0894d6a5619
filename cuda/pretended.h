/* A GPU that does not exist, with which the tests of assay itself show that it assumes nothing of a
 * chip. With ASSAY_HOST_GPU=0 in the environment the emulation, and the stand-in for libcuda,
 * report `first` of each attribute; with another number one from `least` to `most`, in steps, that
 * follows from it. Kernels run as always, so no limit is above the emulation's. What `unknown`
 * allows may also be 0, or refused as a driver does that does not know it. Clause:
 * driver.host.pretended. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/driver.h"

static const struct pretended {
    int attribute, first, least, most, step;
    bool unknown;
} pretended[] = {
    {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 13, 9, 40, 1, false},
    {CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 7, 0, 9, 1, false},
    {CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 864, 64, 1024, 32, false},
    {CU_ATTRIBUTE_MAX_GRID_DIM_X, 1234567, 65535, INT32_MAX, 1, false},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Y, 257, 1, 65535, 1, false},
    {CU_ATTRIBUTE_MAX_GRID_DIM_Z, 3, 1, 65535, 1, false},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 36816, 16384, 49152, 16, false},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 40016, 16384, 49152, 16, true},
    {CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 99008, 65536, 1 << 24, 64, true},
    {CU_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1536, 0, 4096, 64, true},
    {CU_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 3456, 1024, 8192, 32, true},
    {CU_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 48, 1, 128, 1, true},
    {CU_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 98304, 16384, 1 << 20, 256, true},
    {CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, 300, 1, 5000, 1, false},
    {CU_ATTRIBUTE_CLOCK_RATE, 0, 1, 9000000, 1, true},
    {CU_ATTRIBUTE_MEMORY_CLOCK_RATE, 0, 1, 20000000, 1, true},
    {CU_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 0, 32, 1 << 15, 32, true},
    {CU_ATTRIBUTE_L2_CACHE_SIZE, 3 << 20, 1, INT32_MAX, 1, true},
    {CU_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 100000, 1, 1 << 20, 1, true},
    {CU_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 1000, 1, 2048, 1, true},
};

/* The bits of its texture filter, in the order of struct golden_filter. Row 0 is an H200's, for an
 * emulation that pretends nothing. */
static const struct pretended_filter {
    int coordinate_bits, weight_bits, sum_bits;
    bool halves_down;
} pretended_filters[] = {
    {21, 8, 28, false}, {23, 9, 26, true}, {17, 7, 30, false}, {20, 8, 27, true}};

/* The number of that GPU, or NULL: there is none. */
static inline const char *pretends(void)
{
    return getenv("ASSAY_HOST_GPU");
}

/* True if that GPU has the mistake of that name: with ASSAY_HOST_FAULT=lane a lane of the second
 * warp executes nothing, with `filter` halves of weights round the other way, with `shared` no
 * block gets as much shared memory as the attribute says, with `peer_no_access` no device reaches
 * the memory of another. */
static inline bool pretends_fault(const char *name)
{
    const char *set = getenv("ASSAY_HOST_FAULT");
    return set != NULL && strcmp(set, name) == 0;
}

/* The same of a copy between devices: `peer_half` of every copy, `peer_half:0+1` of those from
 * device 0 to device 1. With `peer_lost` nothing is copied, with `peer_half` of each 16 bytes only
 * the first 8, with `peer_displaced` all goes 16 KiB too far if the memory reaches there. */
static inline bool pretends_peer_fault(const char *name, int from, int to)
{
    char directed[64];
    snprintf(directed, sizeof directed, "%s:%d+%d", name, from, to);
    return pretends_fault(name) || pretends_fault(directed);
}

static inline struct pretended_filter pretended_filter(void)
{
    enum { COUNT = sizeof pretended_filters / sizeof pretended_filters[0] };
    const unsigned long long row = pretends() ? 1 + strtoull(pretends(), NULL, 0) % (COUNT - 1) : 0;
    struct pretended_filter filter = pretended_filters[row];
    filter.halves_down ^= pretends_fault("filter");
    return filter;
}

/* Puts that GPU's attribute in place of *ret, if there is such a GPU and it has another one. */
static inline cu_result pretend(int attribute, int *ret)
{
    if (pretends() == NULL)
        return CU_SUCCESS;
    const uint64_t seed = strtoull(pretends(), NULL, 0);
    for (size_t index = 0; index < sizeof pretended / sizeof pretended[0]; index++) {
        const struct pretended *it = &pretended[index];
        if (it->attribute != attribute)
            continue;
        uint64_t word = (seed * 256 + (uint64_t)attribute) * UINT64_C(0x9e3779b97f4a7c15);
        word = (word ^ word >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        word ^= word >> 32;
        const uint64_t steps = (uint64_t)(it->most - it->least) / (uint64_t)it->step + 1;
        *ret = seed == 0 ? it->first : it->least + (int)(word % steps) * it->step;
        const uint64_t odds = seed == 0 || !it->unknown ? 255 : word >> 56;
        if (odds < 64)
            *ret = 0;
        return odds < 32 ? CU_ERROR_INVALID_VALUE : CU_SUCCESS;
    }
    return CU_SUCCESS;
}
