/* A team of threads that share out numbered pieces of work, again and again: made once, since a
 * chunk of a streamed case takes hardly longer than starting threads does. */
#ifndef ASSAY_CONFORMANCE_WORK_TEAM_H
#define ASSAY_CONFORMANCE_WORK_TEAM_H

enum { TEAM_THREADS_MAX = 32 }; /* fewer do the same work */

struct team;

/* One piece; `thread`, from 0, is below team_threads and belongs to one thread. */
typedef void team_work(void *context, int thread, int piece);

/* Of as many threads as asked for, the caller's own included, or as the system gives. NULL without
 * memory. */
struct team *team_open(int threads);
int team_threads(const struct team *team);

/* Calls `work` for every piece below `pieces`, in no certain order but begun in theirs; returns
 * when all are done. The caller works too, as thread 0. */
void team_run(struct team *team, team_work *work, void *context, int pieces);

void team_close(struct team *team);

/* How many threads a team of this process can keep busy: the cores it may run on. */
int team_cores(void);

#endif
