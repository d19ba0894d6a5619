/* The check of a case whose arena is too large for the host to process in one piece: the same
 * bytes, made, uploaded, downloaded and compared in chunks, guards and gaps included
 * (runner.stream.same). */
#pragma once

#include "conformance/work/check_steps.h"

/* The setting of checker_open: arenas from this size on are streamed, in chunks of it. */
#define STREAM_FROM_BYTES  ((size_t)1 << 30)
#define STREAM_CHUNK_BYTES ((size_t)32 << 20)

/* checker_run for such a case. Where the device or the host lacks the memory, and on the host
 * device, whose launch would take hours, every check is a SKIP with the reason. */
enum check_end stream_run(struct checker *checker, const struct arena *arena,
                          const struct check_list *list);

/* Gives back what stream_run keeps in the checker from case to case. */
void stream_release(struct checker *checker);
