/* What is done at once on one host: a thread for each GPU, which asks a worker of its own, and one
 * that makes digests (digests_ahead.h). What is timed on a device is not disturbed by another
 * thread; a host call is, and is timed while nobody else is at work. */
#ifndef ASSAY_CONFORMANCE_SPEED_BESIDE_H
#define ASSAY_CONFORMANCE_SPEED_BESIDE_H

#include <pthread.h>

struct beside {
    pthread_rwlock_t measuring; /* for writing: where host calls are timed */
    pthread_mutex_t output;     /* progress, and a look at whether somebody still reads */
};

/* All of them take NULL, where nothing else is done, and do nothing. */
void beside_open(struct beside *beside);
void beside_close(struct beside *beside);
void beside_enter(struct beside *beside);
void beside_enter_alone(struct beside *beside); /* waits until nobody else is in */
void beside_leave(struct beside *beside);
void beside_output_lock(struct beside *beside);
void beside_output_unlock(struct beside *beside);

/* Runs the work on each of the contexts, all at once. One that gets no thread follows the others.
 */
void beside_each(void *const *contexts, int count, void *(*work)(void *context));

#endif
