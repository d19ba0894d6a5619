/* Asking the drivers of a session's devices, job by job: what every measure has in common that
 * takes its figures from a worker. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_ASK_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_ASK_H

#include "conformance/session/session.h"
#include "conformance/supervise/asker.h"

/* A worker on one device after the other. All 0 at first; asker_close(&it->asker) in the end. */
struct session_asker {
    struct asker asker;
    int device;   /* of the last worker */
    bool refused; /* that device does not open: */
    struct reason refusal;
};

/* Starts a worker on that device of the session. False with the reason. */
bool session_open_asker(struct session *session, int device, struct asker *asker,
                        struct reason *ret_reason);

/* Hands one job to a worker on that device, which is started unless it is there; a device that does
 * not open is tried once. False where no answer comes: *ret_finding says why. */
bool session_ask(struct session *session, struct session_asker *it, int device,
                 const struct asked_job *job, void *ret_answer, size_t capacity,
                 struct finding *ret_finding);

/* Workers that are asked side by side, each by a thread of its own. A worker has one job at a time:
 * where it dies, that job is what it died of.
 *
 *     struct session_clients *clients = session_clients_open(session, 4);
 *     session_clients_work(clients, step, context); // step: session_ask(), false when none is left
 *     session_clients_close(clients);
 */
struct session_clients;
struct session_client {
    struct session *session;
    struct session_clients *all;
    int device;                 /* of the session; a step may ask another one, too */
    uint64_t jobs;              /* that it was asked, where the step counts them */
    struct session_asker asker; /* asker_close(&client->asker.asker): the next job has a new one */
};

/* That many workers, on the session's devices in turn; none is started yet. NULL without memory.
 * The caller's thread is one of the clients. */
struct session_clients *session_clients_open(struct session *session, int count);
void session_clients_close(struct session_clients *clients);

/* Calls `step` in each thread until it returns false there. */
typedef bool session_step(void *context, struct session_client *client);
void session_clients_work(struct session_clients *clients, session_step *step, void *context);

#endif
