/* Sets of case numbers (ranges.h). */
#include "conformance/record/ranges.h"

#include <stdlib.h>

#include "conformance/base/array.h"

bool ranges_add(struct ranges *ranges, uint64_t first, uint64_t last)
{
    if (ranges->count > 0 && ranges->items[ranges->count - 1].last + 1 == first) {
        ranges->items[ranges->count - 1].last = last;
        return true;
    }
    if (!ARRAY_ROOM(ranges->items, ranges->count))
        return false;
    ranges->items[ranges->count++] = (struct range){.first = first, .last = last};
    return true;
}

static int compare_first(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return a->first < b->first ? -1 : a->first > b->first;
}

bool ranges_settle(struct ranges *ranges)
{
    bool distinct = true;
    size_t kept = 0;
    if (ranges->count == 0)
        return true;
    qsort(ranges->items, ranges->count, sizeof *ranges->items, compare_first);
    for (size_t index = 1; index < ranges->count; index++) {
        struct range *last = &ranges->items[kept], *next = &ranges->items[index];
        distinct = distinct && next->first > last->last;
        if (next->first > last->last && next->first - last->last > 1)
            ranges->items[++kept] = *next;
        else if (next->last > last->last)
            last->last = next->last;
    }
    ranges->count = kept + 1;
    return distinct;
}

uint64_t ranges_total(const struct ranges *ranges)
{
    uint64_t total = 0;
    for (size_t index = 0; index < ranges->count; index++)
        total += ranges->items[index].last - ranges->items[index].first + 1;
    return total;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct ranges){.items = NULL};
}
