/* Making the case of a timing (buffers_make.h). A window is made, poisoned and its digests taken
 * while it lies in a core's cache. */
#include "conformance/work/buffers_make.h"

#include <stdatomic.h>
#include <string.h>

#include "conformance/work/harness.h"
#include "conformance/work/windows.h"

struct bench_making bench_making_open(const struct arena *arena, size_t copy_bytes,
                                      unsigned char *expected, size_t room)
{
    struct bench_making making = {.arena = arena, .copy_bytes = copy_bytes};
    making.is_whole = arena->test_case->algorithm->contracted_axis >= 0 && arena->bytes <= room;
    if (making.is_whole)
        arena_expect(arena, 0, expected);
    else
        making.source = stream_source_open(arena);
    return making;
}

void bench_making_close(struct bench_making *making)
{
    if (!making->is_whole)
        stream_source_close(&making->source);
}

struct piece {
    const struct bench_making *making;
    size_t begin;
    unsigned char *expected, *image;
    _Atomic uint64_t digests[BENCH_CONTENT_COUNT];
};

static uint64_t sum_of_stain(size_t begin, size_t end)
{
    enum { STAINED_BYTES = 4096 };
    unsigned char stained[STAINED_BYTES];
    uint64_t sum = 0;
    memset(stained, BENCH_STAIN, sizeof stained);
    for (size_t from = begin; from < end; from += sizeof stained)
        sum +=
            harness_sum(stained, end - from < sizeof stained ? end - from : sizeof stained, from);
    return sum;
}

static void take_digests(struct piece *piece, size_t begin, size_t end,
                         const unsigned char *expected, const unsigned char *image)
{
    const size_t copied = piece->making->copy_bytes;
    const size_t until = copied < begin ? begin : copied > end ? end : copied;
    const uint64_t before = harness_sum(image, until - begin, begin);
    const uint64_t after = harness_sum(image + (until - begin), end - until, until);
    atomic_fetch_add(&piece->digests[BENCH_CONTENT_IMAGE], before + after);
    atomic_fetch_add(&piece->digests[BENCH_CONTENT_RIGHT],
                     harness_sum(expected, end - begin, begin));
    atomic_fetch_add(&piece->digests[BENCH_CONTENT_COPIED], before + sum_of_stain(until, end));
}

static bool make_window(void *context, size_t from, size_t to)
{
    struct piece *piece = context;
    const struct bench_making *making = piece->making;
    const size_t begin = piece->begin + from, end = piece->begin + to;
    unsigned char *expected = piece->expected + from, *image = piece->image + from;
    if (!making->is_whole && !stream_expect(&making->source, 0, begin, end, expected))
        return false;
    arena_poison_window(making->arena, begin, end, expected, image);
    take_digests(piece, begin, end, expected, image);
    return true;
}

bool bench_making_piece(const struct bench_making *making, size_t begin, size_t end,
                        unsigned char *expected, unsigned char *image,
                        uint64_t digests[BENCH_CONTENT_COUNT])
{
    struct piece piece = {.making = making, .begin = begin, .expected = expected, .image = image};
    if (!windows_each(end - begin, make_window, &piece))
        return false;
    for (int content = 0; content < BENCH_CONTENT_COUNT; content++)
        digests[content] += piece.digests[content];
    return true;
}
