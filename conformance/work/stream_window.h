/* What a window of an arena must hold, made without the rest of it: inputs by their fill, and the
 * golden of the blocks of output that lie in it. */
#ifndef ASSAY_CONFORMANCE_WORK_STREAM_WINDOW_H
#define ASSAY_CONFORMANCE_WORK_STREAM_WINDOW_H

#include "conformance/work/arena.h"

/* What the windows of one arena are made from; threads may share it. */
struct stream_source {
    const struct arena *arena;
    /* The parts of the inputs that the whole output is computed from. Small ones are held, since
     * every window would make much of them again; of the others `first` is NULL. */
    struct part parts[ALGORITHM_PARTS_MAX];
    struct part_memory held[ALGORITHM_PARTS_MAX];
};

struct stream_source stream_source_open(const struct arena *arena);
void stream_source_close(struct stream_source *source);

/* Writes what bytes [begin, end) of the arena must hold, as arena_expect does for all of it. False
 * without memory. */
bool stream_expect(const struct stream_source *source, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window);

/* The same in two steps: what they hold before a kernel has run, the pattern where its outputs will
 * be; and those outputs, the rest of the window untouched. */
void stream_begin(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                  unsigned char *window);
bool stream_outputs(const struct stream_source *source, size_t begin, size_t end,
                    unsigned char *window);

#endif
