/* A crew of threads that share out numbered pieces of work, again and again: made once, since a
 * chunk of a streamed case takes hardly longer than starting threads does. */
#ifndef ASSAY_CONFORMANCE_WORK_CREW_H
#define ASSAY_CONFORMANCE_WORK_CREW_H

enum { CREW_THREADS_MAX = 32 };

struct crew;

/* One piece; `thread`, from 0, is below crew_threads and belongs to one thread. */
typedef void crew_work(void *context, int thread, int piece);

/* Of as many threads as asked for, the caller's own included, or as the system gives. NULL without
 * memory. */
struct crew *crew_open(int threads);
int crew_threads(const struct crew *crew);

/* Calls `work` for every piece below `pieces`, in no certain order but begun in theirs; returns
 * when all are done. The caller works too, as thread 0. */
void crew_run(struct crew *crew, crew_work *work, void *context, int pieces);

void crew_close(struct crew *crew);

/* How many threads a crew of this process can keep busy: the cores it may run on. */
int crew_cores(void);

#endif
