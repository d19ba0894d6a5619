/* Memory that is freed together (zone.h). */
#include "conformance/base/zone.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"

/* What is larger than a block gets one of its own. */
enum { BLOCK_BYTES = 16 << 10, ALIGNMENT = alignof(max_align_t) };

struct zone_block {
    struct zone_block *next;
    size_t used, room;
    alignas(max_align_t) char bytes[];
};

void *zone_take(struct zone *zone, size_t bytes)
{
    const size_t needed = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct zone_block *block = zone->blocks;
    if (block == NULL || block->room - block->used < needed) {
        const size_t room = needed > BLOCK_BYTES ? needed : BLOCK_BYTES;
        block = heap_take(1, sizeof *block + room);
        block->room = room;
        block->next = zone->blocks;
        zone->blocks = block;
    }
    void *taken = block->bytes + block->used;
    block->used += needed;
    return taken;
}

const void *zone_copy(struct zone *zone, const void *from, size_t bytes)
{
    void *copy = zone_take(zone, bytes);
    if (bytes > 0) /* an empty array may be NULL */
        memcpy(copy, from, bytes);
    return copy;
}

const char *zone_text(struct zone *zone, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return bytes == 1 ? "" : memcpy(zone_take(zone, bytes), text, bytes);
}

void zone_free(struct zone *zone)
{
    while (zone->blocks) {
        struct zone_block *block = zone->blocks;
        zone->blocks = block->next;
        free(block);
    }
}
