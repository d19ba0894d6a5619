/* Workers that are asked side by side, each by a thread of its own. A worker has one job at a time:
 * where it dies, that job is what it died of. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_CREW_H
#define ASSAY_CONFORMANCE_PROGRAMS_CREW_H

#include "conformance/model/program_job.h"
#include "conformance/session/session.h"

struct crew;

/* One thread, and its worker. */
struct crew_hand;
int crew_device(const struct crew_hand *hand);

/* So many workers, on the session's devices in turn; none is started yet. NULL without memory. */
struct crew *crew_open(struct session *session, int count);
void crew_close(struct crew *crew);

/* Calls `step` in each thread until it returns false there. */
typedef bool crew_step(void *context, struct crew_hand *hand);
void crew_work(struct crew *crew, crew_step *step, void *context);

/* Asks the hand's worker, which is started unless it is there. Whatever becomes of the worker, *ret
 * is the answer; its finding is ERROR where no worker could be asked, or not all programs were
 * answered for. */
void crew_ask(struct crew_hand *hand, struct program_job *job, size_t bytes,
              struct program_answer *ret);

/* Ends the hand's worker, so that another one is asked next. */
void crew_renew(struct crew_hand *hand);

#endif
