/* Threads that take rows (codegen_crew.h). Clause: codegen.device.workers. */
#include "conformance/codegen/codegen_crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "conformance/base/clock.h"
#include "conformance/base/stop.h"
#include "conformance/codegen/codegen_take.h"

/* A worker's start takes as long as some 20 of the driver's compilations. */
enum { HANDS_MAX = 4, HAND_ROWS_LEAST = 24 };

struct codegen_crew {
    struct codegen *codegen;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int next; /* row that no thread has */
    int working, started;
    pthread_t threads[HANDS_MAX];
};

/* The rows of one module go to one worker, which loads it once. */
static int end_of_module(const struct codegen *codegen, int first)
{
    int end = first;
    while (end < codegen->row_count &&
           subject_is_same(codegen->rows[end].subject, codegen->rows[first].subject))
        end++;
    return end;
}

static void take_row(struct codegen_crew *crew, struct session_asker *asker,
                     struct codegen_row *row)
{
    const double began_s = clock_now_s();
    codegen_take_row(crew->codegen, asker, row);
    row->took_s = clock_now_s() - began_s;
    pthread_mutex_lock(&crew->lock);
    row->is_taken = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

/* A worker ends with the thread that started it, so each thread ends its own. */
static void *run_thread(void *context)
{
    struct codegen_crew *crew = context;
    struct session_asker asker = {.refused = false};
    pthread_mutex_lock(&crew->lock);
    while (crew->next < crew->codegen->row_count && !stop_is_signalled()) {
        const int first = crew->next, end = end_of_module(crew->codegen, first);
        crew->next = end;
        pthread_mutex_unlock(&crew->lock);
        for (int index = first; index < end && !stop_is_signalled(); index++)
            take_row(crew, &asker, &crew->codegen->rows[index]);
        pthread_mutex_lock(&crew->lock);
    }
    crew->working--;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    asker_close(&asker.asker);
    return NULL;
}

static int hands_wanted(const struct codegen *codegen)
{
    const struct session *session = codegen->session;
    const int most = session->options->workers ? session->options->workers : HANDS_MAX;
    int hands = codegen->row_count / HAND_ROWS_LEAST;
    hands = hands > most ? most : hands;
    for (int index = 0; index < session->device_count; index++)
        if (session->devices[index].info.compute_mode != CU_COMPUTE_MODE_DEFAULT)
            hands = 1;
    return hands < 1 ? 1 : hands > HANDS_MAX ? HANDS_MAX : hands;
}

struct codegen_crew *codegen_crew_open(struct codegen *codegen)
{
    struct codegen_crew *crew = calloc(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    crew->codegen = codegen;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    pthread_mutex_lock(&crew->lock);
    for (const int hands = hands_wanted(codegen);
         crew->started < hands &&
         pthread_create(&crew->threads[crew->started], NULL, run_thread, crew) == 0;
         crew->started++)
        crew->working++;
    pthread_mutex_unlock(&crew->lock);
    if (crew->started > 0)
        return crew;
    codegen_crew_close(crew);
    return NULL;
}

bool codegen_crew_wait(struct codegen_crew *crew, const struct codegen_row *row)
{
    pthread_mutex_lock(&crew->lock);
    while (!row->is_taken && crew->working > 0)
        pthread_cond_wait(&crew->changed, &crew->lock);
    const bool is_taken = row->is_taken;
    pthread_mutex_unlock(&crew->lock);
    return is_taken;
}

void codegen_crew_close(struct codegen_crew *crew)
{
    if (crew == NULL)
        return;
    for (int index = 0; index < crew->started; index++)
        pthread_join(crew->threads[index], NULL);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->changed);
    free(crew);
}
