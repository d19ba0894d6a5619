/* The two layouts of threads over a grid (plan.h). All arithmetic is 64 bits wide: a case may have
 * 2^42 elements. */
#include "cuda/plan.h"

/* How many blocks of `step` hold `count`. Not (count + step - 1) / step, which could overflow. */
static long long blocks_for(long long count, long long step)
{
    return count / step + (count % step != 0);
}

static long long at_most(long long value, long long limit)
{
    return value < limit ? value : limit;
}

bool plan_line(const char *entry, long long count, unsigned block,
               const struct device_limits *limits, struct launch *ret)
{
    const long long blocks = blocks_for(count, block);
    if (block > (unsigned)limits->max_threads_per_block || blocks > limits->max_grid[0])
        return false;
    *ret = (struct launch){
        .entry = entry,
        .grid = {(unsigned)blocks, 1, 1},
        .block = {block, 1, 1},
    };
    return true;
}

bool plan_tiles(const char *entry, long long rows, long long columns, unsigned tile_rows,
                unsigned tile_columns, unsigned shared_bytes, const struct device_limits *limits,
                struct launch *ret)
{
    const long long across = blocks_for(columns, tile_columns);
    const long long down = at_most(blocks_for(rows, tile_rows), limits->max_grid[1]);
    if (tile_rows * tile_columns > (unsigned)limits->max_threads_per_block)
        return false;
    if (shared_bytes > limits->shared_bytes_per_block || across > limits->max_grid[0])
        return false;
    *ret = (struct launch){
        .entry = entry,
        .grid = {(unsigned)across, (unsigned)down, 1},
        .block = {tile_columns, tile_rows, 1},
        .shared_bytes = shared_bytes,
    };
    return true;
}

int plan_element_index(long long element_bytes)
{
    for (int index = 0; index < PLAN_ELEMENT_SIZES; index++) {
        if (element_bytes == 1LL << index)
            return index;
    }
    return -1;
}

long long plan_slots(long long bytes)
{
    enum { SLOT_BYTES = 16 };
    return bytes == 0 ? 0 : (bytes + SLOT_BYTES - 2) / SLOT_BYTES + 1;
}
