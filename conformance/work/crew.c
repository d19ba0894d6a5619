/* The crew (crew.h): its threads wait for the next round, take pieces by a counter, and the last
 * one that finds none left says so. */
#include "conformance/work/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct crew {
    pthread_t threads[CREW_THREADS_MAX]; /* all but the caller's */
    int count;                           /* the caller's included */
    atomic_int next_thread;

    pthread_mutex_t lock;
    pthread_cond_t round_begins, round_ends;
    unsigned round; /* this and what follows under the lock */
    int at_work;
    bool ends;

    crew_work *work; /* fixed during a round */
    void *context;
    int pieces;
    atomic_int next_piece;
};

static void take_pieces(struct crew *crew, int thread)
{
    for (;;) {
        int piece = atomic_fetch_add(&crew->next_piece, 1);
        if (piece >= crew->pieces)
            return;
        crew->work(crew->context, thread, piece);
    }
}

static void *serve(void *context)
{
    struct crew *crew = context;
    int thread = atomic_fetch_add(&crew->next_thread, 1);
    unsigned round = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->round == round && !crew->ends)
            pthread_cond_wait(&crew->round_begins, &crew->lock);
        if (crew->ends)
            break;
        round = crew->round;
        pthread_mutex_unlock(&crew->lock);
        take_pieces(crew, thread);
        pthread_mutex_lock(&crew->lock);
        if (--crew->at_work == 0)
            pthread_cond_signal(&crew->round_ends);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_open(int threads)
{
    struct crew *crew = calloc(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->round_begins, NULL);
    pthread_cond_init(&crew->round_ends, NULL);
    threads = threads < CREW_THREADS_MAX ? threads : CREW_THREADS_MAX;
    crew->next_thread = 1;
    crew->count = 1;
    while (crew->count < threads &&
           pthread_create(&crew->threads[crew->count - 1], NULL, serve, crew) == 0)
        crew->count++;
    return crew;
}

int crew_threads(const struct crew *crew)
{
    return crew->count;
}

void crew_run(struct crew *crew, crew_work *work, void *context, int pieces)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->pieces = pieces;
    crew->next_piece = 0;
    crew->at_work = crew->count - 1;
    crew->round++;
    pthread_cond_broadcast(&crew->round_begins);
    pthread_mutex_unlock(&crew->lock);
    take_pieces(crew, 0);
    /* Nobody may still hold this round's work when the next one is put down. */
    pthread_mutex_lock(&crew->lock);
    while (crew->at_work > 0)
        pthread_cond_wait(&crew->round_ends, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void crew_close(struct crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ends = true;
    pthread_cond_broadcast(&crew->round_begins);
    pthread_mutex_unlock(&crew->lock);
    for (int index = 0; index < crew->count - 1; index++)
        pthread_join(crew->threads[index], NULL);
    pthread_cond_destroy(&crew->round_ends);
    pthread_cond_destroy(&crew->round_begins);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

int crew_cores(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > CREW_THREADS_MAX ? CREW_THREADS_MAX : cores;
}
