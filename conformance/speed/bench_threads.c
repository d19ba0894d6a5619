/* Threads and locks of GPUs that are measured at once, and digests made ahead
 * (bench.h). Clauses: bandwidth.devices.beside, bandwidth.bits.first,
 * bandwidth.digests.once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/session/session.h"
#include "conformance/speed/bench.h"

void bench_threads_open(struct bench_threads *threads)
{
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    /* Else host calls would wait until no other GPU has anything left to measure. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&threads->measuring, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_mutex_init(&threads->output, NULL);
}

void bench_threads_close(struct bench_threads *threads)
{
    pthread_rwlock_destroy(&threads->measuring);
    pthread_mutex_destroy(&threads->output);
}

void bench_threads_enter(struct bench_threads *threads)
{
    if (threads)
        pthread_rwlock_rdlock(&threads->measuring);
}

void bench_threads_enter_alone(struct bench_threads *threads)
{
    if (threads)
        pthread_rwlock_wrlock(&threads->measuring);
}

void bench_threads_leave(struct bench_threads *threads)
{
    if (threads)
        pthread_rwlock_unlock(&threads->measuring);
}

void bench_threads_each(void *const *contexts, int count, void *(*work)(void *context))
{
    pthread_t threads[PROBE_DEVICES_MAX];
    bool has_thread[PROBE_DEVICES_MAX];
    for (int index = 0; index < count; index++)
        has_thread[index] = pthread_create(&threads[index], NULL, work, contexts[index]) == 0;
    for (int index = 0; index < count; index++) {
        if (has_thread[index])
            pthread_join(threads[index], NULL);
        else
            work(contexts[index]);
    }
}

/* It yields to those who enqueue launches, and gets its share where others load the host, too. */
enum { NICE = 5 };

enum state { STATE_WANTED, STATE_BEING_MADE, STATE_MADE };

struct digests_of_case {
    struct fuzz_case test_case;
    char text[CASE_TEXT_BYTES];
    enum state state;
    uint64_t digests[BENCH_CONTENT_COUNT];
};

void digests_ahead_open(struct digests_ahead *ahead, make_digests *make,
                        struct bench_threads *threads)
{
    *ahead = (struct digests_ahead){.make = make, .threads = threads};
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->made, NULL);
}

static struct digests_of_case *find(const struct digests_ahead *ahead, const char *text)
{
    for (int index = 0; index < ahead->count; index++)
        if (strcmp(ahead->cases[index].text, text) == 0)
            return &ahead->cases[index];
    return NULL;
}

void digests_ahead_add(struct digests_ahead *ahead, const struct fuzz_case *test_case)
{
    struct digests_of_case it = {.test_case = *test_case};
    case_format(test_case, it.text, sizeof it.text);
    if (find(ahead, it.text) == NULL && ARRAY_ROOM(ahead->cases, (size_t)ahead->count))
        ahead->cases[ahead->count++] = it;
}

/* Makes one that nobody has made yet; first waits for one that is being made, or, ahead of those
 * who need it, leaves it. False where it could not be made. */
static bool make_one(struct digests_ahead *ahead, struct digests_of_case *it, bool is_ahead)
{
    uint64_t digests[BENCH_CONTENT_COUNT];
    pthread_mutex_lock(&ahead->lock);
    while (it->state == STATE_BEING_MADE && !is_ahead)
        pthread_cond_wait(&ahead->made, &ahead->lock);
    const bool is_wanted = it->state == STATE_WANTED;
    if (is_wanted)
        it->state = STATE_BEING_MADE;
    pthread_mutex_unlock(&ahead->lock);
    if (!is_wanted)
        return true;
    const bool made = ahead->make(&it->test_case, &ahead->ended, digests);
    pthread_mutex_lock(&ahead->lock);
    if (made)
        memcpy(it->digests, digests, sizeof it->digests);
    it->state = made ? STATE_MADE : STATE_WANTED;
    pthread_cond_broadcast(&ahead->made);
    pthread_mutex_unlock(&ahead->lock);
    return made;
}

/* A case is being made by one who is in: so those in who wait for it do not wait for somebody who
 * waits to be let in, after one who wants to be alone. */
static void *make_all(void *context)
{
    struct digests_ahead *ahead = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* its team's too */
    for (int index = 0; index < ahead->count && !atomic_load(&ahead->ended); index++) {
        bench_threads_enter(ahead->threads);
        make_one(ahead, &ahead->cases[index], true);
        bench_threads_leave(ahead->threads);
    }
    return NULL;
}

void digests_ahead_start(struct digests_ahead *ahead)
{
    ahead->has_thread = pthread_create(&ahead->thread, NULL, make_all, ahead) == 0;
}

bool digests_ahead_take(struct digests_ahead *ahead, const struct fuzz_case *test_case,
                        uint64_t ret[BENCH_CONTENT_COUNT])
{
    char text[CASE_TEXT_BYTES];
    case_format(test_case, text, sizeof text);
    struct digests_of_case *it = find(ahead, text);
    if (it == NULL)
        return ahead->make(test_case, &ahead->ended, ret);
    if (!make_one(ahead, it, false))
        return false;
    memcpy(ret, it->digests, sizeof it->digests);
    return true;
}

void digests_ahead_close(struct digests_ahead *ahead)
{
    atomic_store(&ahead->ended, true);
    if (ahead->has_thread)
        pthread_join(ahead->thread, NULL);
    free(ahead->cases);
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->made);
}
