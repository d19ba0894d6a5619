/* The workers of a session that are asked job by job (session_ask.h). Clauses:
 * verdicts.crash.reported, verdicts.timeout.reported, runner.signal.told. */
#include "conformance/session/session_ask.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/process.h"

bool session_open_asker(struct session *session, int device, struct asker *asker,
                        struct reason *ret_reason)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what workers say of devices */
    struct session_device *it = &session->devices[device];
    const struct option_fault *fault = &session->options->fault;
    pthread_mutex_lock(&lock);
    struct device_info info = it->info;
    pthread_mutex_unlock(&lock);
    const struct message_open open = {.id = info.id,
                                      .index = info.index,
                                      .threads = 1,
                                      .careful = 1,
                                      .sharers = 1,
                                      .fault_call = fault->call,
                                      .fault_error = fault->error};
    if (!asker_open(asker, &open, &info, ret_reason))
        return false;
    pthread_mutex_lock(&lock);
    /* Written only where it says something new, as others may look at it. What its padding holds is
     * no matter: then it is written once more. */
    if (!it->opened ||
        memcmp((const unsigned char *)&it->info, (const unsigned char *)&info, sizeof info) != 0)
        it->info = info;
    it->opened = true;
    pthread_mutex_unlock(&lock);
    return true;
}

/* False where there is no worker on the device: it->refusal says why. */
static bool is_open(struct session *session, struct session_asker *it, int device)
{
    if (it->device != device) {
        asker_close(&it->asker);
        it->refused = false;
    }
    it->device = device;
    /* One that does not open may take minutes to say so: it is tried once. */
    it->refused = !it->asker.alive &&
                  (it->refused || !session_open_asker(session, device, &it->asker, &it->refusal));
    return !it->refused;
}

bool session_ask(struct session *session, struct session_asker *it, int device,
                 const struct asked_job *job, void *ret_answer, size_t capacity,
                 struct finding *ret_finding)
{
    if (stop_is_signalled())
        asker_interrupted(ret_finding);
    else if (is_open(session, it, device))
        return asker_ask(&it->asker, job, ret_answer, capacity, ret_finding);
    else
        finding_set(ret_finding, VERDICT_ERROR, "", "%.200s", it->refusal.text);
    return false;
}

/* A worker ends with the thread that started it, so threads stay from work to work. */
struct session_clients {
    int count;
    int started; /* threads; the caller's is one client more */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int round;   /* of work; each thread does each once */
    int working; /* threads that have not finished it */
    bool is_over;
    session_step *step;
    void *context;
    struct session_client each[];
};

static void do_round(struct session_client *client)
{
    while (client->all->step(client->all->context, client))
        continue;
}

static void *run_thread(void *context)
{
    struct session_client *client = context;
    struct session_clients *all = client->all;
    pthread_mutex_lock(&all->lock);
    for (int done = 0; !all->is_over;) {
        if (done == all->round) {
            pthread_cond_wait(&all->changed, &all->lock);
            continue;
        }
        done = all->round;
        pthread_mutex_unlock(&all->lock);
        do_round(client);
        pthread_mutex_lock(&all->lock);
        all->working--;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

struct session_clients *session_clients_open(struct session *session, int count)
{
    struct session_clients *all = calloc(1, sizeof *all + (size_t)count * sizeof all->each[0]);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    if (all == NULL || threads == NULL || pthread_mutex_init(&all->lock, NULL) != 0 ||
        pthread_cond_init(&all->changed, NULL) != 0) {
        free(all);
        free(threads);
        return NULL;
    }
    all->count = count;
    all->threads = threads;
    for (int index = 0; index < count; index++) {
        const int device = index % session->device_count;
        all->each[index] = (struct session_client){
            .session = session, .all = all, .device = device, .asker.device = device};
    }
    while (all->started + 1 < count && pthread_create(&threads[all->started], NULL, run_thread,
                                                      &all->each[all->started + 1]) == 0)
        all->started++;
    return all;
}

void session_clients_work(struct session_clients *all, session_step *step, void *context)
{
    pthread_mutex_lock(&all->lock);
    all->step = step;
    all->context = context;
    all->round++;
    all->working = all->started;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    do_round(&all->each[0]);
    /* Devices of threads that could not be started still have their turn. */
    for (int index = all->started + 1; index < all->count; index++)
        do_round(&all->each[index]);
    pthread_mutex_lock(&all->lock);
    while (all->working > 0)
        pthread_cond_wait(&all->changed, &all->lock);
    pthread_mutex_unlock(&all->lock);
}

static bool end_worker(void *context, struct session_client *client)
{
    (void)context;
    asker_close(&client->asker.asker);
    return false;
}

void session_clients_close(struct session_clients *all)
{
    if (all == NULL)
        return;
    session_clients_work(all, end_worker, NULL); /* side by side: a driver takes time to close */
    pthread_mutex_lock(&all->lock);
    all->is_over = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    for (int index = 0; index < all->started; index++)
        pthread_join(all->threads[index], NULL);
    free(all->threads);
    free(all);
}
