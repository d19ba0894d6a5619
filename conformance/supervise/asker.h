/* A worker that is asked one thing at a time, and what came of it: an answer, or a death, which is
 * a result like any other. */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_ASKER_H
#define ASSAY_CONFORMANCE_SUPERVISE_ASKER_H

#include "conformance/base/reason.h"
#include "conformance/model/finding.h"
#include "conformance/wire/child.h"

struct asker {
    struct child child;
    bool alive;
};

/* Starts a worker and asks what its device is. False with the reason. */
bool asker_open(struct asker *asker, const struct message_open *open, struct device_info *ret_info,
                struct reason *ret_reason);

/* Lets one that is alive begin to end: before asker_close, while something else is done. */
void asker_dismiss(struct asker *asker);

/* Ends it, if there is one. What a fault left is in asker->child.end_note. */
void asker_close(struct asker *asker);

/* One job, and the answer that it wants: both begin with the job's number, in 8 bytes. */
struct asked_job {
    enum message_type type;
    const void *body;
    size_t bytes;
    enum message_type wanted;
    double limit_s;
};

/* Hands a job to a worker that is alive. False where no answer comes: the worker is ended then, and
 * *ret_finding says what that is: a CRASH, a TIMEOUT, an ERROR, or, where the run is interrupted,
 * INCONCLUSIVE. */
bool asker_ask(struct asker *asker, const struct asked_job *job, void *ret_answer, size_t capacity,
               struct finding *ret_finding);

/* That of a job which no worker got, as the run is interrupted. */
void asker_interrupted(struct finding *ret);

#endif
