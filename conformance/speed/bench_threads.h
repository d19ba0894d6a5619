/* What is done at once on one host: a thread for each GPU, which asks a worker of its own, and one
 * that makes the digests that buffers are held to, by the golden, while the GPUs measure. What is
 * timed on a device is not disturbed by another thread; a host call is, and is timed while no other
 * thread is inside. A case's digests are made once, for all repeats and for every GPU of the host.
 */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_THREADS_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_THREADS_H

#include <pthread.h>
#include <stdatomic.h>

#include "conformance/work/buffers.h"

struct bench_threads {
    pthread_rwlock_t measuring; /* for writing: where host calls are timed */
    pthread_mutex_t output;     /* progress, and a look at whether somebody still reads */
};

/* All of them take NULL, where nothing else is done, and do nothing. */
void bench_threads_open(struct bench_threads *threads);
void bench_threads_close(struct bench_threads *threads);
void bench_threads_enter(struct bench_threads *threads);
void bench_threads_enter_alone(struct bench_threads *threads); /* waits until nobody else is in */
void bench_threads_leave(struct bench_threads *threads);

/* Runs the work on each of the contexts, all at once. One that gets no thread follows the others.
 */
void bench_threads_each(void *const *contexts, int count, void *(*work)(void *context));

/* What makes them: case_digests, but for tests. */
typedef bool make_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                          uint64_t ret[BENCH_CONTENT_COUNT]);

struct digests_of_case;

struct digests_ahead {
    make_digests *make;
    struct bench_threads *threads; /* what is made may not disturb a host call that is timed */
    struct digests_of_case *cases;
    int count;
    pthread_mutex_t lock;
    pthread_cond_t made;
    pthread_t thread;
    bool has_thread;
    atomic_bool ended;
};

void digests_ahead_open(struct digests_ahead *ahead, make_digests *make,
                        struct bench_threads *threads);

/* Before it starts: one more case, in the order in which they are needed. One that is there already
 * is not added, and without memory none: it is made when it is needed. */
void digests_ahead_add(struct digests_ahead *ahead, const struct fuzz_case *test_case);

/* Starts making them, in a thread that yields to every other. */
void digests_ahead_start(struct digests_ahead *ahead);

/* A case's digests: made already, or now. Several threads ask at once. False without memory, or
 * where the run is interrupted. */
bool digests_ahead_take(struct digests_ahead *ahead, const struct fuzz_case *test_case,
                        uint64_t ret[BENCH_CONTENT_COUNT]);

/* Ends what is under way. */
void digests_ahead_close(struct digests_ahead *ahead);

#endif
