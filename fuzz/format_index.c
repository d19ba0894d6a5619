/* index: numbers of four bytes, each of which names an element of the first operand. Every bit
 * counts. Its fills keep to that operand's size, and of 32 neighbours, the threads of a warp, no
 * more differ than the case's axis of lanes says (cases.fill.index). */
#include <string.h>

#include "fuzz/fill.h"
#include "fuzz/fill_source.h"
#include "fuzz/format_u32.h"

enum { WARP = 32 };

/* How many elements can be named, at least 1. */
static uint64_t count_of(const struct fill_source *source)
{
    const uint64_t columns = (uint64_t)case_view(source->test_case, 0).columns;
    return columns == 0 ? 1 : columns > UINT64_C(1) << 32 ? UINT64_C(1) << 32 : columns;
}

/* Which index an element has: `place` is the same for as many neighbours as must be alike. */
typedef uint64_t choose(const struct fill_source *source, uint64_t place, uint64_t count);

static uint64_t choose_random(const struct fill_source *source, uint64_t place, uint64_t count)
{
    return random_below(source->key, place, count);
}

/* One after the other: every other warp's from the table's end backwards, so that a few lookups
 * reach both. */
static uint64_t choose_next(const struct fill_source *source, uint64_t place, uint64_t count)
{
    (void)source;
    return place / WARP % 2 ? count - 1 - place % count : place % count;
}

static uint64_t choose_shifted(const struct fill_source *source, uint64_t place, uint64_t count)
{
    return (place + (uint64_t)source->shift) % count;
}

static uint64_t choose_one(const struct fill_source *source, uint64_t place, uint64_t count)
{
    (void)place;
    return random_below(source->key, 0, count);
}

/* The ends of the table, and of what narrower numbers hold. */
static uint64_t choose_edge(const struct fill_source *source, uint64_t place, uint64_t count)
{
    static const uint64_t edges[] = {0,     1,     127,        128,       255,       256,
                                     32767, 32768, 65535,      65536,     INT32_MAX, 2147483648,
                                     0,     1,     4294967295, 4294967294};
    const uint64_t pick = random_below(source->key, place, 2 * sizeof edges / sizeof edges[0]);
    const uint64_t edge = edges[pick / 2];
    return edge >= count ? 0 : pick % 2 ? edge : count - 1 - edge;
}

static void fill_indices(const struct fill_source *source, choose *pick, int64_t begin, int64_t end,
                         unsigned char *target, int64_t stride)
{
    const uint64_t count = count_of(source), lanes = (uint64_t)case_lanes(source->test_case);
    const uint64_t first = (uint64_t)source->row * (uint64_t)source->view.columns;
    for (int64_t column = begin; column < end; column++) {
        const uint64_t place = first + (uint64_t)column;
        const uint32_t index =
            (uint32_t)pick(source, place / WARP * WARP + place % WARP % lanes, count);
        memcpy(target, &index, sizeof index);
        target += stride * (int64_t)sizeof index;
    }
}

#define STRETCH(name)                                                                              \
    static void name##_stretch(const struct fill_source *source, int64_t begin, int64_t end,       \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        fill_indices(source, choose_##name, begin, end, target, stride);                           \
    }

STRETCH(random)
STRETCH(next)
STRETCH(shifted)
STRETCH(one)
STRETCH(edge)

static fill_stretch *const fills_of_index[FILL_COUNT] = {
    [FILL_UNIFORM] = random_stretch, [FILL_POSITION] = next_stretch,
    [FILL_INTEGER] = random_stretch, [FILL_PERMUTATION] = shifted_stretch,
    [FILL_ONEHOT] = random_stretch,  [FILL_EQUAL] = one_stretch,
    [FILL_RANDOM] = random_stretch,  [FILL_CANCEL] = random_stretch,
    [FILL_SPECIAL] = edge_stretch,   [FILL_TIE] = random_stretch,
    [FILL_SMALL] = random_stretch,
};

const struct format format_index = {.name = "index",
                                    .bytes = sizeof(uint32_t),
                                    .is_number = true,
                                    .write = format_u32_write,
                                    .read = format_u32_read,
                                    .fills = fills_of_index};
