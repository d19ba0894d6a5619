/* The team (team.h): its threads wait for the next round, take pieces by a counter, and the last
 * one that finds none left says so. */
#include "conformance/work/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct team {
    pthread_t threads[TEAM_THREADS_MAX]; /* all but the caller's */
    int count;                           /* the caller's included */
    atomic_int next_thread;

    pthread_mutex_t lock;
    pthread_cond_t round_begins, round_ends;
    unsigned round; /* this and what follows under the lock */
    int at_work;
    bool ends;

    team_work *work; /* fixed during a round */
    void *context;
    int pieces;
    atomic_int next_piece;
};

static void take_pieces(struct team *team, int thread)
{
    for (;;) {
        int piece = atomic_fetch_add(&team->next_piece, 1);
        if (piece >= team->pieces)
            return;
        team->work(team->context, thread, piece);
    }
}

static void *serve(void *context)
{
    struct team *team = context;
    int thread = atomic_fetch_add(&team->next_thread, 1);
    unsigned round = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == round && !team->ends)
            pthread_cond_wait(&team->round_begins, &team->lock);
        if (team->ends)
            break;
        round = team->round;
        pthread_mutex_unlock(&team->lock);
        take_pieces(team, thread);
        pthread_mutex_lock(&team->lock);
        if (--team->at_work == 0)
            pthread_cond_signal(&team->round_ends);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct team *team_open(int threads)
{
    struct team *team = calloc(1, sizeof *team);
    if (team == NULL)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->round_begins, NULL);
    pthread_cond_init(&team->round_ends, NULL);
    threads = threads < TEAM_THREADS_MAX ? threads : TEAM_THREADS_MAX;
    team->next_thread = 1;
    team->count = 1;
    while (team->count < threads &&
           pthread_create(&team->threads[team->count - 1], NULL, serve, team) == 0)
        team->count++;
    return team;
}

int team_threads(const struct team *team)
{
    return team->count;
}

void team_run(struct team *team, team_work *work, void *context, int pieces)
{
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->context = context;
    team->pieces = pieces;
    team->next_piece = 0;
    team->at_work = team->count - 1;
    team->round++;
    pthread_cond_broadcast(&team->round_begins);
    pthread_mutex_unlock(&team->lock);
    take_pieces(team, 0);
    /* Nobody may still hold this round's work when the next one is put down. */
    pthread_mutex_lock(&team->lock);
    while (team->at_work > 0)
        pthread_cond_wait(&team->round_ends, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

void team_close(struct team *team)
{
    if (team == NULL)
        return;
    pthread_mutex_lock(&team->lock);
    team->ends = true;
    pthread_cond_broadcast(&team->round_begins);
    pthread_mutex_unlock(&team->lock);
    for (int index = 0; index < team->count - 1; index++)
        pthread_join(team->threads[index], NULL);
    pthread_cond_destroy(&team->round_ends);
    pthread_cond_destroy(&team->round_begins);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

int team_cores(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > TEAM_THREADS_MAX ? TEAM_THREADS_MAX : cores;
}
