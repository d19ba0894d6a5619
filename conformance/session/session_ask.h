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

#endif
