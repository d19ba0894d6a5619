/* Threads and their workers (crew.h). Clauses: verdicts.crash.reported, verdicts.timeout.reported.
 */
#include "conformance/programs/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/session/session_ask.h"

/* A worker that is still at it after all that its compiler may take is hung itself. */
static const double grace_s = 20;

struct crew_hand {
    struct crew *crew;
    int device;
    uint64_t jobs;
    struct session_asker asker;
};

/* A worker ends with the thread that started it, so threads stay from work to work. */
struct crew {
    struct session *session;
    int count;
    int started; /* threads; the caller's is one hand more */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int round;   /* of work; each thread does each once */
    int working; /* threads that have not finished it */
    bool is_over;
    crew_step *step;
    void *context;
    struct crew_hand hands[];
};

int crew_device(const struct crew_hand *hand)
{
    return hand->device;
}

static void do_round(struct crew_hand *hand)
{
    while (hand->crew->step(hand->crew->context, hand))
        continue;
}

static void *run_thread(void *context)
{
    struct crew_hand *hand = context;
    struct crew *crew = hand->crew;
    pthread_mutex_lock(&crew->lock);
    for (int done = 0; !crew->is_over;) {
        if (done == crew->round) {
            pthread_cond_wait(&crew->changed, &crew->lock);
            continue;
        }
        done = crew->round;
        pthread_mutex_unlock(&crew->lock);
        do_round(hand);
        pthread_mutex_lock(&crew->lock);
        crew->working--;
        pthread_cond_broadcast(&crew->changed);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_open(struct session *session, int count)
{
    struct crew *crew = calloc(1, sizeof *crew + (size_t)count * sizeof crew->hands[0]);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    if (crew == NULL || threads == NULL || pthread_mutex_init(&crew->lock, NULL) != 0 ||
        pthread_cond_init(&crew->changed, NULL) != 0) {
        free(crew);
        free(threads);
        return NULL;
    }
    crew->session = session;
    crew->count = count;
    crew->threads = threads;
    for (int index = 0; index < count; index++) {
        crew->hands[index].crew = crew;
        crew->hands[index].device = crew->hands[index].asker.device = index % session->device_count;
    }
    while (crew->started + 1 < count && pthread_create(&threads[crew->started], NULL, run_thread,
                                                       &crew->hands[crew->started + 1]) == 0)
        crew->started++;
    return crew;
}

void crew_work(struct crew *crew, crew_step *step, void *context)
{
    pthread_mutex_lock(&crew->lock);
    crew->step = step;
    crew->context = context;
    crew->round++;
    crew->working = crew->started;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    do_round(&crew->hands[0]);
    /* Devices of threads that could not be started still have their turn. */
    for (int index = crew->started + 1; index < crew->count; index++)
        do_round(&crew->hands[index]);
    pthread_mutex_lock(&crew->lock);
    while (crew->working > 0)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void crew_renew(struct crew_hand *hand)
{
    asker_close(&hand->asker.asker);
}

static bool end_worker(void *context, struct crew_hand *hand)
{
    (void)context;
    crew_renew(hand);
    return false;
}

void crew_close(struct crew *crew)
{
    if (crew == NULL)
        return;
    crew_work(crew, end_worker, NULL); /* side by side, as a driver takes its time to close */
    pthread_mutex_lock(&crew->lock);
    crew->is_over = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    for (int index = 0; index < crew->started; index++)
        pthread_join(crew->threads[index], NULL);
    free(crew->threads);
    free(crew);
}

void crew_ask(struct crew_hand *hand, struct program_job *job, size_t bytes,
              struct program_answer *ret)
{
    const struct asked_job asked = {.type = MESSAGE_PROGRAMS,
                                    .body = job,
                                    .bytes = bytes,
                                    .wanted = MESSAGE_PROGRAM_RESULTS,
                                    .limit_s = job->limit_s + grace_s};
    job->job = ++hand->jobs;
    memset(ret, 0, sizeof *ret);
    if (!session_ask(hand->crew->session, &hand->asker, hand->device, &asked, ret, sizeof *ret,
                     &ret->finding)) {
        ret->count = 0;
        ret->stage = strstr(ret->finding.note, PROGRAM_COMPILING) ? PROGRAM_STAGE_COMPILE
                                                                  : PROGRAM_STAGE_RUN;
    } else if (ret->finding.verdict == VERDICT_CRASH && ret->stage >= PROGRAM_STAGE_LOAD) {
        crew_renew(hand); /* its context is lost */
    } else if (ret->finding.verdict == VERDICT_PASS && ret->count != job->count) {
        finding_set(&ret->finding, VERDICT_ERROR, "", "the worker answered for %d programs of %d",
                    ret->count, job->count);
    }
}
