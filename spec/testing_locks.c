/* Locks that unit tests watch. Linked to a test, these stand in for the C library's functions: a
 * lock is unlocked by the thread that has it, or the test ends. A lock that is not taken shows
 * otherwise only where two threads meet. Clause: clauses.test.locks. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 16 };

/* Of a thread. A wait for a condition returns with the lock that it came with. */
static _Thread_local struct {
    int count;
    const void *locks[HELD_MAX];
} held;

static void refuse(const char *why)
{
    fprintf(stderr, "%s\n", why);
    abort();
}

static void lock_taken(const void *lock)
{
    if (held.count == HELD_MAX)
        refuse("a thread has more locks than are watched");
    held.locks[held.count++] = lock;
}

static void lock_left(const void *lock)
{
    int index = held.count - 1;
    while (index >= 0 && held.locks[index] != lock)
        index--;
    if (index < 0)
        refuse("a lock is unlocked by a thread that has not locked it");
    held.locks[index] = held.locks[--held.count];
}

#define WATCHED(function, kind, note)                                                              \
    int function(kind *lock)                                                                       \
    {                                                                                              \
        int (*library)(kind *) = NULL;                                                             \
        void *address = dlsym(RTLD_NEXT, #function);                                               \
        memcpy(&library, &address, sizeof library); /* C has no cast from one to the other */      \
        note(lock);                                                                                \
        return library(lock);                                                                      \
    }

WATCHED(pthread_mutex_lock, pthread_mutex_t, lock_taken)
WATCHED(pthread_mutex_unlock, pthread_mutex_t, lock_left)
WATCHED(pthread_rwlock_rdlock, pthread_rwlock_t, lock_taken)
WATCHED(pthread_rwlock_wrlock, pthread_rwlock_t, lock_taken)
WATCHED(pthread_rwlock_unlock, pthread_rwlock_t, lock_left)
