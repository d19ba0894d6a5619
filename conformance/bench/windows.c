/* Threads that take one window after another (windows.h). Clause: runner.stream.same. */
#include "conformance/bench/windows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 16 };
static const size_t window_bytes = (size_t)4 << 20;

struct windows {
    size_t bytes;
    windows_work *work;
    void *context;
    atomic_size_t next; /* the window that no thread has taken yet */
    atomic_bool failed;
};

static void *take_windows(void *context)
{
    struct windows *windows = context;
    while (!atomic_load(&windows->failed)) {
        size_t begin = atomic_fetch_add(&windows->next, 1) * window_bytes;
        if (begin >= windows->bytes)
            break;
        size_t left = windows->bytes - begin;
        size_t end = begin + (left < window_bytes ? left : window_bytes);
        if (!windows->work(windows->context, begin, end))
            atomic_store(&windows->failed, true);
    }
    return NULL;
}

bool windows_each(size_t bytes, windows_work *work, void *context)
{
    struct windows windows = {.bytes = bytes, .work = work, .context = context};
    pthread_t threads[THREADS_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = (bytes + window_bytes - 1) / window_bytes;
    count = cores > 0 && count > (size_t)cores ? (size_t)cores : count;
    count = count > THREADS_MAX ? THREADS_MAX : count;
    size_t started = 0; /* beside this one, which works too */
    while (started + 1 < count &&
           pthread_create(&threads[started], NULL, take_windows, &windows) == 0)
        started++;
    take_windows(&windows);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return !atomic_load(&windows.failed);
}
