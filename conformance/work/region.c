/* Memory for arenas, and what is around them (region.h). */
#include "conformance/work/region.h"

#include <string.h>

#include "fuzz/random.h"

/* Which operand is at an edge, and the memory for it. */

struct arena edge_layout(const struct fuzz_case *test_case, size_t spare_bytes)
{
    enum { STREAM = 3 }; /* of the seed's random numbers, after those of callable.c and arena.c */
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

/* The block that is kept is the highest whose neighbours are among the others. What is allocated
 * later goes into the smallest hole that holds it: so the block's lower one is part of a large one,
 * and no hole of other threads' blocks is taken for a neighbour. */
cu_result edge_take(struct device *device, int most, cu_address *ret)
{
    enum { SPARE_HOLES = 16 };
    cu_address blocks[EDGE_BLOCKS_MAX];
    cu_result error = CU_SUCCESS;
    int count = 0, kept = -1;
    while (count < most && (kept < 0 || count < SPARE_HOLES) &&
           (error = device_take(device, EDGE_BLOCK_BYTES, &blocks[count])) == CU_SUCCESS) {
        count++;
        kept = -1;
        for (int index = 0; index < count; index++)
            if (has(blocks, count, blocks[index] - EDGE_BLOCK_BYTES) &&
                has(blocks, count, blocks[index] + EDGE_BLOCK_BYTES) &&
                (kept < 0 || blocks[index] > blocks[kept]))
                kept = index;
    }
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

enum {
    REPORT_BYTES = HARNESS_REPORT_BYTES, /* before the pattern: no kernel under test is near it */
    STALE_BYTE = 0xa5,
    GPU_MARGIN_BYTES = 64 << 10, /* of pattern, before and after */
    HOST_MARGIN_BYTES = 8 << 10,
};
static const size_t slots_bytes_max = (size_t)32 << 20;
static const uint64_t pattern_key = UINT64_C(0x6a09e667f3bcc908);

_Static_assert(sizeof(struct harness_report) <= REPORT_BYTES, "the report has room");

void region_init(struct region *ret, struct device *device, const struct harness *harness)
{
    bool is_emulated = device_kind(&device->info)->is_emulated;
    *ret = (struct region){.device = device,
                           .harness = harness,
                           .slots_max = is_emulated ? 1 : REGION_SLOTS_MAX,
                           .margin_bytes = is_emulated ? HOST_MARGIN_BYTES : GPU_MARGIN_BYTES,
                           .edge_blocks = is_emulated ? 1 : EDGE_BLOCKS_MAX,
                           .reach_bytes = is_emulated ? HOST_MARGIN_BYTES : SIZE_MAX};
}

void region_release(struct region *region)
{
    const struct cuda_driver *driver = &region->device->driver;
    if (region->memory)
        driver->mem_free(region->memory);
    if (region->image)
        driver->mem_free_host(region->image);
    if (region->got)
        driver->mem_free_host(region->got);
    region->memory = 0;
    region->image = region->got = NULL;
    region->slots_bytes = 0;
}

/* Pinned memory for the arenas, never just as much as the hole next to an edge, where the
 * driver would put it. */
static cu_result take_pinned(struct region *region)
{
    const struct cuda_driver *driver = &region->device->driver;
    void *image = NULL, *got = NULL;
    cu_result error = driver->mem_host_alloc(&image, REPORT_BYTES + region->slots_bytes, 0);
    error = error ? error : driver->mem_host_alloc(&got, REPORT_BYTES + region->slots_bytes, 0);
    region->image = image;
    region->got = got;
    region->key = pattern_key;
    return error;
}

cu_result region_reserve(struct region *region, size_t arena_bytes)
{
    if (arena_bytes <= region->slots_bytes)
        return CU_SUCCESS;
    region_release(region);
    size_t capacity = (size_t)256 << 10;
    while (capacity < arena_bytes && capacity < (size_t)256 << 20)
        capacity *= 2;
    capacity = capacity < arena_bytes ? (arena_bytes + 4095) / 4096 * 4096 : capacity;
    const size_t fitting = slots_bytes_max / capacity;
    size_t most = (size_t)region->slots_max;
    region->slots_bytes = capacity * (fitting < 1 ? 1 : fitting > most ? most : fitting);
    region->bytes = region->dirty_end = 2 * region->margin_bytes + region->slots_bytes;
    cu_result error = device_take(region->device, REPORT_BYTES + region->bytes, &region->memory);
    error = error ? error : take_pinned(region);
    if (error != CU_SUCCESS)
        region_release(region);
    region->report = region->memory;
    region->address = region->memory + REPORT_BYTES;
    region->arenas_at = region->margin_bytes;
    return error;
}

cu_result region_reserve_edge(struct region *region, size_t arena_bytes, enum arena_edge edge)
{
    if (region->memory == 0) {
        region->takes_turns = true;
        region->slots_bytes = EDGE_BLOCK_BYTES;
        cu_result error = take_pinned(region);
        error = error ? error : edge_take(region->device, region->edge_blocks, &region->memory);
        if (error != CU_SUCCESS) {
            region_release(region);
            return error;
        }
    }
    const size_t left = EDGE_BLOCK_BYTES - REPORT_BYTES - arena_bytes;
    const size_t pattern = region->reach_bytes < left ? region->reach_bytes : left;
    const bool at_end = edge == ARENA_EDGE_END;
    region->bytes = region->dirty_end = pattern + arena_bytes;
    region->address = region->memory + (at_end ? EDGE_BLOCK_BYTES - region->bytes : 0);
    region->report = at_end ? region->address - REPORT_BYTES : region->address + region->bytes;
    region->arenas_at = at_end ? pattern : 0;
    return CU_SUCCESS;
}

int region_slots(const struct region *region, size_t arena_bytes)
{
    size_t most = (size_t)region->slots_max;
    size_t fitting = region->slots_bytes / arena_bytes;
    return (int)(fitting < most ? fitting : most);
}

int region_width(const struct region *region, const struct region_batch *batch)
{
    return region->takes_turns ? 1 : batch->count;
}

static size_t pinned_at(const struct region_batch *batch, int index)
{
    return (size_t)index * batch->arena_bytes;
}

/* The bytes that the adjacent arenas take together. */
static size_t width_bytes(const struct region *region, const struct region_batch *batch)
{
    return (size_t)region_width(region, batch) * batch->arena_bytes;
}

cu_address region_arena(const struct region *region, const struct region_batch *batch, int index)
{
    const int place = index % region_width(region, batch);
    return region->address + region->arenas_at + (size_t)place * batch->arena_bytes;
}

cu_address region_end(const struct region *region, const struct region_batch *batch)
{
    return region->address + region->arenas_at + width_bytes(region, batch);
}

unsigned char *region_image(const struct region *region, const struct region_batch *batch,
                            int index)
{
    return region->image + pinned_at(batch, index % region_width(region, batch));
}

unsigned char *region_got(const struct region *region, const struct region_batch *batch, int index)
{
    return region->got + REPORT_BYTES + pinned_at(batch, index);
}

/* The memory around a batch, for a look. */
static struct harness_range range_around(const struct region *region,
                                         const struct region_batch *batch)
{
    size_t begin = region->arenas_at, end = begin + width_bytes(region, batch);
    size_t whole = region->bytes, reach = region->reach_bytes;
    return (struct harness_range){.address = region->address,
                                  .bytes = reach < whole - end ? end + reach : whole,
                                  .hole_begin = begin,
                                  .hole_end = end,
                                  .key = region->key};
}

cu_result region_upload(struct region *region, const struct region_batch *batch, int first)
{
    const struct cuda_driver *driver = &region->device->driver;
    const cu_address target = region_arena(region, batch, first);
    const size_t bytes = width_bytes(region, batch);
    cu_result error = CU_SUCCESS;
    if (first == 0) { /* the pattern where earlier batches, or whoever had the memory, wrote */
        struct harness_range around = range_around(region, batch);
        const size_t clean_from = around.hole_end, dirty_end = region->dirty_end;
        region->dirty_end = region->bytes; /* until a look finds the pattern intact */
        if (dirty_end == region->bytes) {
            around.bytes = dirty_end;
            error = harness_fill_around(region->harness, &around);
        } else {
            around.bytes = dirty_end > clean_from ? dirty_end - clean_from : 0;
            around.address += clean_from;
            around.key += clean_from / 8;
            error = harness_fill(region->harness, &around);
        }
        memset(region->got, STALE_BYTE, REPORT_BYTES);
        for (int index = 1; index < region_width(region, batch); index++)
            memcpy(region_image(region, batch, index), region->image, batch->arena_bytes);
    }
    memset(region_got(region, batch, first), STALE_BYTE, bytes);
    error =
        error ? error : driver->memset_d8_async(target, STALE_BYTE, bytes, region->harness->stream);
    return error == CU_SUCCESS
               ? driver->memcpy_htod_async(target, region->image, bytes, region->harness->stream)
               : error;
}

cu_result region_download(struct region *region, const struct region_batch *batch, int first)
{
    const struct harness_range around = range_around(region, batch);
    cu_result error = region->device->driver.memcpy_dtoh_async(
        region_got(region, batch, first), region_arena(region, batch, first),
        width_bytes(region, batch), region->harness->stream);
    const bool is_last = first + region_width(region, batch) >= batch->count;
    return error == CU_SUCCESS && is_last
               ? harness_look(region->harness, &around, false, region->report, region->got)
               : error;
}

enum harness_state region_look(struct region *region, const struct region_batch *batch)
{
    const struct harness_range around = range_around(region, batch);
    struct harness_report report;
    memcpy(&report, region->got, sizeof report);
    enum harness_state state = harness_state(&around, &report);
    if (state == HARNESS_INTACT)
        region->dirty_end = around.hole_end;
    return state;
}

/* Through the pinned memory of arenas that were compared already. */
cu_result region_find(struct region *region, const struct region_batch *batch,
                      struct harness_change *ret)
{
    const struct harness_range around = range_around(region, batch);
    struct harness_report report;
    memcpy(&report, region->got, sizeof report);
    return harness_find(region->harness, &around, &report, region->got, ret);
}
