/* How a kernel is laid over its output: the numbers of its row (kernel.h), the output's size and
 * the device's limits make the launch. */
#pragma once

#include "cuda/kernel.h"

/* The elements of an output. */
struct grid_output {
    long long rows, columns;
    long long first; /* columns before the first one that is the output's */
    long long element_bytes;
    long long thread_columns; /* that a thread takes, where the kernel has them of an axis */
};

/* Fills in how the kernel is launched. Rows beyond the grid's limit in y are left to the kernel,
 * which steps by the grid's height. False, *ret untouched, where the device cannot hold the block,
 * its shared memory or the columns, or lacks the instructions or the L2 for a window, or the kernel
 * has no function for such elements. */
bool grid_plan(const struct kernel *kernel, const struct grid_output *output,
               const struct device_limits *limits, struct launch *ret);

/* Sets block and dynamic shared memory alone: of the limits, threads of a block and shared memory
 * without opting in count, of the output the bytes of a thread's columns, where the block holds
 * them. False, *ret untouched, where the device cannot hold them. */
bool grid_block(const struct kernel *kernel, long long column_bytes,
                const struct device_limits *limits, struct launch *ret);

/* True if the device has the kernel's instructions; the host device has those of all. */
bool grid_has_compute(const struct kernel *kernel, const struct device_limits *limits);
