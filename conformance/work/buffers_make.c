/* Making the case of a timing (buffers_make.h). */
#include "conformance/work/buffers_make.h"

#include "conformance/work/stream_window.h"
#include "conformance/work/windows.h"

struct piece {
    const struct arena *arena;
    size_t begin;
    unsigned char *image, *expected;
    struct stream_source source;
};

static bool make_image(void *context, size_t from, size_t to)
{
    struct piece *piece = context;
    stream_begin(piece->arena, 0, piece->begin + from, piece->begin + to, piece->image + from);
    return true;
}

static bool make_expected(void *context, size_t from, size_t to)
{
    struct piece *piece = context;
    return stream_expect(&piece->source, 0, from, to, piece->expected + from);
}

void bench_make_image(struct team *team, const struct arena *arena, size_t begin, size_t end,
                      unsigned char *image)
{
    struct piece piece = {.arena = arena, .begin = begin, .image = image};
    windows_each(team, end - begin, make_image, &piece);
}

bool bench_make_whole(const struct arena *arena, unsigned char *image, unsigned char *expected)
{
    struct piece piece = {
        .arena = arena, .expected = expected, .source = stream_source_open(arena)};
    const bool made = windows_each(NULL, arena->bytes, make_expected, &piece);
    stream_source_close(&piece.source);
    bench_make_image(NULL, arena, 0, arena->bytes, image);
    return made;
}
