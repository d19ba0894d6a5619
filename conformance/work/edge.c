/* Which operand lies at an edge, and the memory for it (edge.h). */
#include "conformance/work/edge.h"

#include "fuzz/random.h"

struct arena edge_layout(const struct fuzz_case *test_case, size_t spare_bytes)
{
    enum { STREAM = 3 }; /* of the seed's random numbers, after those of limits.c and reads.c */
    const uint64_t inputs = (uint64_t)test_case->algorithm->operand_count - 1;
    uint64_t number = random_below(~test_case->seed, STREAM, EDGE_EVERY * 2 * inputs);
    struct arena arena = arena_layout(test_case);
    if (number >= 2 * inputs || arena.bytes > EDGE_BLOCK_BYTES - spare_bytes)
        return arena;
    return arena_layout_at_edge(test_case, (int)(number / 2),
                                number % 2 ? ARENA_EDGE_END : ARENA_EDGE_BEGIN);
}

static bool has(const cu_address *blocks, int count, cu_address wanted)
{
    int index = 0;
    while (index < count && blocks[index] != wanted)
        index++;
    return index < count;
}

/* The highest block whose neighbours are among the others, or -1. */
static int find_inner(const cu_address *blocks, int count)
{
    int found = -1;
    for (int index = 0; index < count; index++)
        if (has(blocks, count, blocks[index] - EDGE_BLOCK_BYTES) &&
            has(blocks, count, blocks[index] + EDGE_BLOCK_BYTES) &&
            (found < 0 || blocks[index] > blocks[found]))
            found = index;
    return found;
}

/* What is allocated later comes to lie in the smallest hole that holds it: so the block's lower one
 * is part of a large one, and no hole of other threads' blocks is taken for a neighbour. */
cu_result edge_take(struct device *device, int most, cu_address *ret)
{
    enum { SPARE_HOLES = 16 };
    cu_address blocks[EDGE_BLOCKS_MAX];
    cu_result error = CU_SUCCESS;
    int count = 0, kept = -1;
    while (count < most && (kept < 0 || count < SPARE_HOLES) &&
           (error = device_take(device, EDGE_BLOCK_BYTES, &blocks[count])) == CU_SUCCESS)
        kept = find_inner(blocks, ++count);
    if (count == 0)
        return error;
    kept = kept < 0 ? 0 : kept;
    error = CU_SUCCESS;
    for (int index = 0; index < count && error == CU_SUCCESS; index++)
        if (index != kept)
            error = device->driver.mem_free(blocks[index]);
    if (error == CU_SUCCESS)
        *ret = blocks[kept];
    return error;
}
