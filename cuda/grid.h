/* How a kernel is laid over its output: the numbers of its row (kernel.h), the output's size and
 * the device's limits make the launch. */
#ifndef ASSAY_CUDA_GRID_H
#define ASSAY_CUDA_GRID_H

#include "cuda/kernel.h"

/* The elements of an output. */
struct grid_output {
    long long rows, columns;
    long long first; /* columns before the first one that is the output's */
    long long element_bytes;
};

/* Fills in how the kernel is launched. Rows beyond the grid's limit in y are left to the kernel,
 * which steps by the grid's height. False, *ret untouched, where the device cannot hold the block,
 * its shared memory or the columns, or the kernel has no function for such elements. */
bool grid_plan(const struct kernel *kernel, const struct grid_output *output,
               const struct device_limits *limits, struct launch *ret);

/* Sets block and dynamic shared memory alone, which no output changes: of the limits, threads of a
 * block and shared memory without opting in count. False, *ret untouched, where the device cannot
 * hold them. */
bool grid_block(const struct kernel *kernel, const struct device_limits *limits,
                struct launch *ret);

#endif
