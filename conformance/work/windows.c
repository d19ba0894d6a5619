/* A team that takes one window after another (windows.h). Clause: runner.stream.crew. */
#include "conformance/work/windows.h"

#include <stdatomic.h>

/* A core's cache holds the one, and the golden makes little twice for the other. */
static const size_t window_bytes_least = (size_t)1 << 20, window_bytes_most = (size_t)4 << 20;

struct windows {
    size_t bytes, window_bytes;
    windows_work *work;
    void *context;
    atomic_bool failed;
};

static void take_window(void *context, int thread, int piece)
{
    struct windows *windows = context;
    size_t begin = (size_t)piece * windows->window_bytes, left = windows->bytes - begin;
    size_t end = begin + (left < windows->window_bytes ? left : windows->window_bytes);
    (void)thread;
    if (!atomic_load(&windows->failed) && !windows->work(windows->context, begin, end))
        atomic_store(&windows->failed, true);
}

/* Every thread has some, so that all end together. */
static size_t window_bytes(size_t bytes, int threads)
{
    const size_t share = bytes / (2 * (size_t)threads) / window_bytes_least * window_bytes_least;
    return share < window_bytes_least  ? window_bytes_least
           : share > window_bytes_most ? window_bytes_most
                                       : share;
}

bool windows_each(struct team *team, size_t bytes, windows_work *work, void *context)
{
    const int threads = team ? team_threads(team) : team_cores();
    struct windows windows = {.bytes = bytes,
                              .window_bytes = window_bytes(bytes, threads),
                              .work = work,
                              .context = context};
    const int pieces = (int)((bytes + windows.window_bytes - 1) / windows.window_bytes);
    struct team *own = team || pieces < 2 ? NULL : team_open(threads < pieces ? threads : pieces);
    struct team *taken = team ? team : own;
    if (taken)
        team_run(taken, take_window, &windows, pieces);
    for (int piece = 0; taken == NULL && piece < pieces; piece++)
        take_window(&windows, 0, piece);
    team_close(own);
    return !atomic_load(&windows.failed);
}
