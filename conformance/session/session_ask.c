/* The workers of a session that are asked job by job (session_ask.h). Clauses:
 * verdicts.crash.reported, runner.signal.told. */
#include "conformance/session/session_ask.h"

#include <pthread.h>
#include <string.h>

#include "conformance/base/stop.h"

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
