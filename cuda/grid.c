/* A kernel's grid (grid.h). All arithmetic is 64 bits wide: a case may have 2^42 elements. */
#include "cuda/grid.h"

/* How many blocks of `step` hold `count`. Not (count + step - 1) / step, which could overflow. */
static long long blocks_for(long long count, long long step)
{
    return count / step + (count % step != 0);
}

/* The most aligned slots that `bytes` bytes can touch, at any address. */
static long long slots_for(long long bytes, long long slot_bytes)
{
    return bytes == 0 ? 0 : (bytes + slot_bytes - 2) / slot_bytes + 1;
}

static long long columns_of_thread(const struct kernel *kernel, const struct grid_output *output)
{
    if (kernel->thread_axis)
        return output->thread_columns;
    return kernel->thread_elements ? kernel->thread_elements : 1;
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
    return blocks_for(columns, columns_of_thread(kernel, output));
}

/* NULL if the kernel has a function for each size of element, and none for this one. */
static const char *entry_for(const struct kernel *kernel, long long element_bytes)
{
    bool has_sizes = false;
    for (int index = 0; index < KERNEL_ELEMENT_SIZES; index++) {
        has_sizes = has_sizes || kernel->element_entries[index];
        if (element_bytes == 1LL << index && kernel->element_entries[index])
            return kernel->element_entries[index];
    }
    return has_sizes ? NULL : kernel->entry;
}

bool grid_block(const struct kernel *kernel, long long column_bytes,
                const struct device_limits *limits, struct launch *ret)
{
    const long long held = kernel->shared_holds_columns ? column_bytes : 0;
    const size_t most =
        kernel->opts_in ? limits->shared_bytes_opt_in : limits->shared_bytes_per_block;
    unsigned x = kernel->block[0], y = kernel->block[1];
    while (x > 0 && y > 0) {
        const unsigned long long bytes =
            kernel->shared_bytes +
            (unsigned long long)x * y * (kernel->thread_shared_bytes + (unsigned long long)held);
        if (x * y <= (unsigned)limits->max_threads_per_block && bytes <= most) {
            ret->block[0] = x;
            ret->block[1] = y;
            ret->block[2] = 1;
            ret->shared_bytes = (unsigned)bytes;
            return true;
        }
        if (!kernel->block_halves)
            return false;
        x /= 2;
        y /= 2;
    }
    return false;
}

bool grid_has_compute(const struct kernel *kernel, const struct device_limits *limits)
{
    return limits->compute_capability == 0 || limits->compute_capability >= kernel->needs_compute;
}

bool grid_plan(const struct kernel *kernel, const struct grid_output *output,
               const struct device_limits *limits, struct launch *ret)
{
    struct launch launch = {.entry = entry_for(kernel, output->element_bytes)};
    const long long column_bytes = columns_of_thread(kernel, output) * output->element_bytes;
    if (launch.entry == NULL || !grid_block(kernel, column_bytes, limits, &launch))
        return false;
    if (kernel->warp_threads && limits->warp_size != kernel->warp_threads)
        return false;
    if (!grid_has_compute(kernel, limits))
        return false;
    if (kernel->window.operand && (limits->persisting_bytes == 0 || limits->window_bytes == 0))
        return false;
    const long long across = blocks_for(threads_across(kernel, output), launch.block[0]);
    const long long rows_of_block =
        (long long)launch.block[1] * (kernel->thread_rows ? kernel->thread_rows : 1);
    const long long all_down = blocks_for(kernel->is_line ? 1 : output->rows, rows_of_block);
    const long long down = all_down < limits->max_grid[1] ? all_down : limits->max_grid[1];
    if (across > limits->max_grid[0] || (kernel->one_turn && down < all_down))
        return false;
    launch.grid[0] = (unsigned)across;
    launch.grid[1] = (unsigned)down;
    launch.grid[2] = 1;
    *ret = launch;
    return true;
}
