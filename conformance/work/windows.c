/* A team that takes one window after another (windows.h). Clause: runner.stream.crew. */
#include "conformance/work/windows.h"

#include <stdatomic.h>

#include "conformance/work/team.h"

static const size_t window_bytes = (size_t)4 << 20;

struct windows {
    size_t bytes;
    windows_work *work;
    void *context;
    atomic_bool failed;
};

static void take_window(void *context, int thread, int piece)
{
    struct windows *windows = context;
    size_t begin = (size_t)piece * window_bytes, left = windows->bytes - begin;
    size_t end = begin + (left < window_bytes ? left : window_bytes);
    (void)thread;
    if (!atomic_load(&windows->failed) && !windows->work(windows->context, begin, end))
        atomic_store(&windows->failed, true);
}

bool windows_each(size_t bytes, windows_work *work, void *context)
{
    struct windows windows = {.bytes = bytes, .work = work, .context = context};
    int pieces = (int)((bytes + window_bytes - 1) / window_bytes), cores = team_cores();
    struct team *team = pieces > 1 ? team_open(cores < pieces ? cores : pieces) : NULL;
    if (team)
        team_run(team, take_window, &windows, pieces);
    for (int piece = 0; team == NULL && piece < pieces; piece++)
        take_window(&windows, 0, piece);
    team_close(team);
    return !atomic_load(&windows.failed);
}
