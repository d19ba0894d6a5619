/* Making what a timing's buffers hold, and its digests, by several threads (windows.h). */
#ifndef ASSAY_CONFORMANCE_WORK_BUFFERS_MAKE_H
#define ASSAY_CONFORMANCE_WORK_BUFFERS_MAKE_H

#include "conformance/work/stream_window.h"

enum { BENCH_STAIN = 0xa5 };

/* What a buffer may hold. Each has a digest, which the host takes of the bytes that it makes: where
 * the device's digest of a buffer is that, every byte is as it must be. */
enum bench_content {
    BENCH_CONTENT_IMAGE,  /* what was uploaded, outputs poisoned */
    BENCH_CONTENT_RIGHT,  /* what the golden expects after the kernel */
    BENCH_CONTENT_COPIED, /* the image as far as copies go, and BENCH_STAIN in each byte after it */
    BENCH_CONTENT_COUNT
};

struct bench_making {
    const struct arena *arena;
    size_t copy_bytes; /* how far copies go */
    struct stream_source source;
    bool is_whole; /* a product that was made at once, by threads of its own */
};

/* `expected` has room for so many bytes of what the golden expects. */
struct bench_making bench_making_open(const struct arena *arena, size_t copy_bytes,
                                      unsigned char *expected, size_t room);
void bench_making_close(struct bench_making *making);

/* Makes bytes [begin, end) of the arena, multiples of 16: what the golden expects, and the image;
 * adds their digests to those of each content. False without memory. */
bool bench_making_piece(const struct bench_making *making, size_t begin, size_t end,
                        unsigned char *expected, unsigned char *image,
                        uint64_t digests[BENCH_CONTENT_COUNT]);

#endif
