/* The occupancy of every function, from the figures in its cubin (occupancy_table.h). Clause:
 * occupancy.info.table. */
#include "conformance/command/occupancy_table.h"

#include <stdio.h>

#include "conformance/base/number.h"
#include "conformance/codegen/cubin.h"
#include "conformance/model/catalog.h"

enum { ARCHITECTURES_MAX = 64 };

/* The machine code that a GPU of the architecture runs: the highest of its generation that is not
 * above it. 0 where there is none, and the driver compiles PTX. */
static int code_for(struct cubin_bytes fatbin, int architecture)
{
    int found[ARCHITECTURES_MAX], best = 0;
    struct reason reason;
    const int count = cubin_architectures(fatbin, found, ARCHITECTURES_MAX, &reason);
    for (int index = 0; index < count; index++)
        if (found[index] / 10 == architecture / 10 && found[index] <= architecture &&
            found[index] > best)
            best = found[index];
    return best;
}

static void print_function(const struct kernel *kernel, const char *function, int architecture,
                           const struct sm_limits *sm)
{
    const struct image *image = catalog_image(kernel->unit);
    const struct cubin_bytes fatbin = {image->fatbin, image->fatbin_bytes};
    struct cubin_bytes cubin;
    struct code_figures figures;
    struct block_needs needs;
    struct reason reason;
    char limits[OCCUPANCY_TEXT_BYTES];
    if (!cubin_find(fatbin, code_for(fatbin, architecture), &cubin, &reason) ||
        !cubin_read(cubin, function, &figures, &reason)) {
        printf("%-12s %-30s %s\n", "", function, reason.text);
        return;
    }
    if (!block_needs_of(sm, kernel, &figures, &needs)) {
        printf("%-12s %-30s the device cannot hold its block\n", "", function);
        return;
    }
    const struct occupancy occupancy = occupancy_of(sm, &needs);
    printf("%-12s %-30s %7d %9d %7d %6d %5d %7.1f %%  %s\n", "", function, needs.threads,
           needs.registers, needs.shared_bytes, occupancy.blocks, occupancy.warps,
           occupancy_percent(&occupancy), occupancy_limits_text(&occupancy, limits));
}

static void print_sm(const char *label, int architecture, const struct sm_limits *sm)
{
    struct sm_limits known;
    char registers[NUMBER_TEXT_BYTES], bytes[NUMBER_TEXT_BYTES];
    printf(
        "%-12s %s, sm_%d: an SM holds %d warps, %d blocks, %s registers, %s of shared memory%s\n",
        "occupancy", label, architecture, sm->threads / sm->warp_size, sm->blocks,
        number_whole((uint64_t)sm->registers, registers), number_bytes(sm->shared_bytes, bytes),
        sm_limits_of(architecture, &known) ? "" : "; unknown architecture");
}

void occupancy_table_print(const char *label, int architecture, const struct sm_limits *sm)
{
    print_sm(label, architecture, sm);
    const struct image *image = catalog_image(kernels[0].unit);
    const bool has_code =
        image && code_for((struct cubin_bytes){image->fatbin, image->fatbin_bytes}, architecture);
    if (!has_code) {
        printf("%-12s this program has no machine code for it\n", "");
        return;
    }
    printf("%-12s %-30s %7s %9s %7s %6s %5s %9s  %s\n", "", "function", "threads", "registers",
           "shared", "blocks", "warps", "occupancy", "limit");
    for (int id = 0; id < kernel_count; id++) {
        const struct kernel *kernel = &kernels[id];
        for (int number = 0; number < KERNEL_ELEMENT_SIZES; number++) {
            const char *function = catalog_function(kernel, number);
            if (function)
                print_function(kernel, function, architecture, sm);
        }
    }
}
