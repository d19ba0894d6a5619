/* The model of occupancy against the occupancy calculator that comes with the toolkit, a header of
 * plain C. Clause: occupancy.architectures.toolkit. */
#include <cuda_occupancy.h>

#include "conformance/model/device_info.h"

#include "spec/testing.h"

/* The architecture as the calculator has it. What a driver reports comes from our table, what none
 * reports from theirs: blocks of an SM, units, partitions. */
static struct cudaOccDeviceProp properties_of(int architecture, const struct sm_limits *sm)
{
    return (struct cudaOccDeviceProp){
        .computeMajor = architecture / 10,
        .computeMinor = architecture % 10,
        .maxThreadsPerBlock = sm->block_threads,
        .maxThreadsPerMultiprocessor = sm->threads,
        .regsPerBlock = sm->registers,
        .regsPerMultiprocessor = sm->registers,
        .warpSize = sm->warp_size,
        .sharedMemPerBlock = (size_t)sm->block_shared,
        .sharedMemPerMultiprocessor = (size_t)sm->shared_bytes,
        .numSms = 1,
        .sharedMemPerBlockOptin = (size_t)(sm->shared_bytes - sm->shared_reserved),
        .reservedSharedMemPerBlock = (size_t)sm->shared_reserved,
    };
}

static void compare(const struct cudaOccDeviceProp *properties, const struct sm_limits *sm,
                    const struct block_needs *needs)
{
    const struct cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = 1024,
        .numRegs = needs->registers,
        .shmemLimitConfig =
            sm->block_shared > 48 << 10 ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT,
        .maxDynamicSharedSizeBytes = (size_t)sm->block_shared,
        .numBlockBarriers = 1,
    };
    const struct cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult theirs = {.activeBlocksPerMultiprocessor = -1};
    cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, properties, &attributes, &state,
                                            needs->threads, (size_t)needs->shared_bytes);
    const struct occupancy ours = occupancy_of(sm, needs);
    const int allowed[OCCUPANCY_LIMIT_COUNT] = {theirs.blockLimitWarps, theirs.blockLimitBlocks,
                                                theirs.blockLimitRegs, theirs.blockLimitSharedMem};
    if (memcmp(allowed, ours.allowed, sizeof allowed) != 0 ||
        ours.blocks != theirs.activeBlocksPerMultiprocessor)
        ck_abort_msg("sm_%d%d, %d threads, %d registers, %d bytes: %d blocks, theirs %d",
                     properties->computeMajor, properties->computeMinor, needs->threads,
                     needs->registers, needs->shared_bytes, ours.blocks,
                     theirs.activeBlocksPerMultiprocessor);
}

static void compare_all(int architecture, bool opts_in)
{
    struct sm_limits sm;
    ck_assert(sm_limits_of(architecture, &sm));
    const struct cudaOccDeviceProp properties = properties_of(architecture, &sm);
    if (opts_in)
        sm.block_shared = sm.shared_bytes - sm.shared_reserved;
    for (int threads = 1; threads <= 1025; threads += 16)
        for (int registers = 0; registers <= 255; registers++)
            compare(&properties, &sm, &(struct block_needs){threads, registers, 0, false});
    /* At every multiple of 128, and a byte above. */
    for (int threads = 32; threads <= 1024; threads *= 2)
        for (int bytes = 0; bytes <= sm.block_shared + 1; bytes += bytes % 128 ? 127 : 1)
            compare(&properties, &sm, &(struct block_needs){threads, 32, bytes, false});
}

START_TEST(calculators_agree, "occupancy.architectures.toolkit")
{
    static const int numbers[] = {
#define ARCHITECTURE(number, threads, blocks, shared_kib, shared_unit, reserved) number,
#include "spec/architectures.def"
    };
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        compare_all(numbers[index], false);
        compare_all(numbers[index], true);
    }
}
