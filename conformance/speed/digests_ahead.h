/* The digests that a bench's buffers are held to, made by the golden while the GPUs measure: a case
 * is made once, for all repeats and for every GPU of the host. */
#ifndef ASSAY_CONFORMANCE_SPEED_DIGESTS_AHEAD_H
#define ASSAY_CONFORMANCE_SPEED_DIGESTS_AHEAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "conformance/speed/beside.h"
#include "conformance/work/buffers.h"

/* What makes them: case_digests, but for tests. */
typedef bool make_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                          uint64_t ret[BENCH_CONTENT_COUNT]);

struct digests_of_case;

struct digests_ahead {
    make_digests *make;
    struct beside *beside; /* what is made may not disturb a host call that is timed */
    struct digests_of_case *cases;
    int count;
    pthread_mutex_t lock;
    pthread_cond_t made;
    pthread_t thread;
    bool has_thread;
    atomic_bool ended;
};

void digests_ahead_open(struct digests_ahead *ahead, make_digests *make, struct beside *beside);

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
