/* Threads and locks of GPUs that are measured at once (beside.h). Clause: bandwidth.devices.beside.
 */
#include "conformance/speed/beside.h"

#include <stdbool.h>
#include <stddef.h>

#include "conformance/session/session.h"

void beside_open(struct beside *beside)
{
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    /* Else host calls would wait until no other GPU has anything left to measure. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&beside->measuring, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_mutex_init(&beside->output, NULL);
}

void beside_close(struct beside *beside)
{
    pthread_rwlock_destroy(&beside->measuring);
    pthread_mutex_destroy(&beside->output);
}

void beside_enter(struct beside *beside)
{
    if (beside)
        pthread_rwlock_rdlock(&beside->measuring);
}

void beside_enter_alone(struct beside *beside)
{
    if (beside)
        pthread_rwlock_wrlock(&beside->measuring);
}

void beside_leave(struct beside *beside)
{
    if (beside)
        pthread_rwlock_unlock(&beside->measuring);
}

void beside_output_lock(struct beside *beside)
{
    if (beside)
        pthread_mutex_lock(&beside->output);
}

void beside_output_unlock(struct beside *beside)
{
    if (beside)
        pthread_mutex_unlock(&beside->output);
}

void beside_each(void *const *contexts, int count, void *(*work)(void *context))
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
