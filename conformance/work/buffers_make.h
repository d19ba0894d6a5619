/* Making what a timing's buffers hold before a kernel runs, by several threads (windows.h). */
#ifndef ASSAY_CONFORMANCE_WORK_BUFFERS_MAKE_H
#define ASSAY_CONFORMANCE_WORK_BUFFERS_MAKE_H

#include "conformance/work/arena.h"
#include "conformance/work/team.h"

/* Makes bytes [begin, end) of the arena, multiples of 16: inputs, and the pattern in all else. It
 * needs no golden. `team`: as in windows.h. */
void bench_make_image(struct team *team, const struct arena *arena, size_t begin, size_t end,
                      unsigned char *image);

/* Makes the whole of it, and what the golden expects there. False without memory. */
bool bench_make_whole(const struct arena *arena, unsigned char *image, unsigned char *expected);

#endif
