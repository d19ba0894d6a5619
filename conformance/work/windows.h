/* Host memory that takes long to go through: a team of threads, the windows that it takes, and what
 * each window of an arena must hold.
 *
 *     struct team *team = team_open(team_cores());
 *     windows_each(team, bytes, work, &context);
 *     team_close(team);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/work/arena.h"

/* A team of threads that share out numbered pieces of work, again and again: made once, since a
 * chunk of a streamed case takes hardly longer than starting threads does. */

enum {
    TEAM_THREADS_MAX = 256, /* as many as there can be GPUs; fewer do the same work */
    TEAM_EACH = -1, /* in place of a number of pieces: one for each thread, its own number */
};

struct team;

/* One piece; `thread`, from 0, is below team_threads and belongs to one thread. */
typedef void team_work(void *context, int thread, int piece);

/* With as many threads as asked for, the caller's own included, or as the system gives. */
struct team *team_open(int threads);
int team_threads(const struct team *team);

/* Calls `work` for every piece below `pieces`, in no certain order but begun in theirs, or once in
 * each thread (TEAM_EACH); returns when all are done. The caller works too, as thread 0. */
void team_run(struct team *team, team_work *work, void *context, int pieces);

void team_close(struct team *team);

/* How many threads a team of this process can keep busy: the cores it may run on. */
int team_cores(void);

/* Gigabytes of host memory in windows, gone through by as many threads as the machine has cores:
 * what a bench spends outside the GPU is making, clearing and comparing them. */

/* The work on bytes [begin, end), both multiples of 16 but for the end of all; several run at once.
 * False ends it all: memory lacked, or bytes differed. */
typedef bool windows_work(void *context, size_t begin, size_t end);

/* Does the work on every window of [0, bytes), by a team (NULL: one of its own). True when it was
 * all done. */
bool windows_each(struct team *team, size_t bytes, windows_work *work, void *context);

/* The contents of a window of an arena, made without the rest of it: inputs by their fill, and the
 * golden of the blocks of output in it. */

/* The source of the windows of one arena; threads may share it. */
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
