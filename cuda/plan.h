/* How kernels are laid over a grid: the two layouts that every plan function stands on. */
#ifndef ASSAY_CUDA_PLAN_H
#define ASSAY_CUDA_PLAN_H

#include "cuda/kernel.h"

/* One thread each for `count` things in a line, blocks of `block` threads. False where the device
 * cannot hold the block or the grid. */
bool plan_line(const char *entry, long long count, unsigned block,
               const struct device_limits *limits, struct launch *ret);

/* One thread an element of a matrix, blocks of tile_rows x tile_columns threads, columns along x.
 * Rows beyond the grid's limit in y are left to the kernel, which steps by the grid's height. False
 * where the device cannot hold the block, its shared memory or the columns. */
bool plan_tiles(const char *entry, long long rows, long long columns, unsigned tile_rows,
                unsigned tile_columns, unsigned shared_bytes, const struct device_limits *limits,
                struct launch *ret);

/* The most 16-byte slots that so many bytes can touch, wherever they begin: the threads of a form
 * that gives each a slot. */
long long plan_slots(long long bytes);

/* The index of an element's size in a list of entries for 1, 2, 4, 8 and 16 bytes; -1 for any other
 * size. */
int plan_element_index(long long element_bytes);

enum { PLAN_ELEMENT_SIZES = 5 };

#endif
