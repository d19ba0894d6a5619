/* Several GPUs of one host measured at once: a thread each, which asks a worker of its own. What is
 * timed on the device is not disturbed by another; a host call is, and is timed while nobody else
 * measures. */
#ifndef ASSAY_CONFORMANCE_SPEED_BESIDE_H
#define ASSAY_CONFORMANCE_SPEED_BESIDE_H

#include <pthread.h>

struct beside {
    pthread_rwlock_t measuring; /* held for writing where host calls are timed */
    pthread_mutex_t output;     /* progress, and a look at whether somebody still reads */
};

/* All of them take NULL for a device that is measured alone, and do nothing. */
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
