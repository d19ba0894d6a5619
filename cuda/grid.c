/* A kernel's grid (grid.h). All arithmetic is 64 bits wide: a case may have 2^42 elements. */
#include "cuda/grid.h"

/* How many blocks of `step` hold `count`. Not (count + step - 1) / step, which could overflow. */
static long long blocks_for(long long count, long long step)
{
    return count / step + (count % step != 0);
}

/* The most aligned slots that so many bytes can touch, wherever they begin. */
static long long slots_for(long long bytes, long long slot_bytes)
{
    return bytes == 0 ? 0 : (bytes + slot_bytes - 2) / slot_bytes + 1;
}

static long long threads_across(const struct kernel *kernel, const struct grid_output *output)
{
    long long columns = output->columns + kernel->columns_past_end;
    if (kernel->from_start)
        columns += output->first;
    if (kernel->is_line)
        columns *= output->rows;
    if (kernel->slot_bytes)
        return slots_for(columns * output->element_bytes, kernel->slot_bytes);
    return blocks_for(columns, kernel->thread_elements ? kernel->thread_elements : 1);
}

/* NULL where the kernel has a function for each size of element, and none for this one. */
static const char *entry_for(const struct kernel *kernel, long long element_bytes)
{
    if (kernel->element_entries[0] == NULL)
        return kernel->entry;
    for (int index = 0; index < KERNEL_ELEMENT_SIZES; index++) {
        if (element_bytes == 1LL << index)
            return kernel->element_entries[index];
    }
    return NULL;
}

bool grid_block(const struct kernel *kernel, const struct device_limits *limits, struct launch *ret)
{
    unsigned x = kernel->block[0], y = kernel->block[1];
    while (x > 0 && y > 0) {
        const unsigned bytes = x * y * kernel->thread_shared_bytes;
        if (x * y <= (unsigned)limits->max_threads_per_block &&
            bytes <= limits->shared_bytes_per_block) {
            ret->block[0] = x;
            ret->block[1] = y;
            ret->block[2] = 1;
            ret->shared_bytes = bytes;
            return true;
        }
        if (!kernel->block_halves)
            return false;
        x /= 2;
        y /= 2;
    }
    return false;
}

bool grid_plan(const struct kernel *kernel, const struct grid_output *output,
               const struct device_limits *limits, struct launch *ret)
{
    struct launch launch = {.entry = entry_for(kernel, output->element_bytes)};
    if (launch.entry == NULL || !grid_block(kernel, limits, &launch))
        return false;
    if (kernel->warp_threads && limits->warp_size != kernel->warp_threads)
        return false;
    const long long across = blocks_for(threads_across(kernel, output), launch.block[0]);
    const long long all_down = blocks_for(kernel->is_line ? 1 : output->rows, launch.block[1]);
    const long long down = all_down < limits->max_grid[1] ? all_down : limits->max_grid[1];
    if (across > limits->max_grid[0] || (kernel->one_turn && down < all_down))
        return false;
    launch.grid[0] = (unsigned)across;
    launch.grid[1] = (unsigned)down;
    launch.grid[2] = 1;
    *ret = launch;
    return true;
}
