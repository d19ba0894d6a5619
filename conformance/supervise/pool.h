/* The supervisor's pool of workers: hands out jobs, watches the clock, and turns a crash or a hang
 * into a result. It never touches a driver itself.
 *
 * A worker runs many cases at once. When it dies, none of those under way has a suspect yet: they
 * go, one check at a time, to a careful worker, where whatever kills it is alone. */
#pragma once

#include <signal.h>

#include "conformance/wire/message.h"

struct job {
    uint64_t id;    /* no other job under way has it */
    uint64_t index; /* the client's: of the case that it is of, or a part of */
    double cost_s;
    int check_count;
    const struct subject *checks; /* the client's, as long as a pool or a history has the job */
    struct fuzz_case test_case;
};

/* How many jobs, the failing one included, are reported when one fails. */
enum { POOL_HISTORY_MAX = 64 };

/* Whether there is a job: none is left, there is one, or there will be one once others have
 * advanced. */
enum pool_next { POOL_NEXT_NONE, POOL_NEXT_JOB, POOL_NEXT_LATER };

/* The pool's callbacks to its client. */
struct pool_calls {
    void *context;
    /* The next job for the worker at a place of a device. Places count from 0; every place of a
     * device is asked until it has none left, by the worker there or, where that does not open, by
     * another. */
    enum pool_next (*next)(void *context, int device, int place, struct job *ret);
    /* One check has its result. */
    void (*result)(void *context, int device, const struct job *job, int index,
                   const struct check_result *result);
    /* Reported before the result of each failure: what its worker was handed, the oldest first, the
     * job that failed last. No job if the failed one is no longer kept, because many were handed
     * out after it. May be NULL. */
    void (*history)(void *context, int device, const struct job *jobs, int count);
    /* Every check of the job has its result. May be NULL. */
    void (*done)(void *context, int device, const struct job *job);
    /* The time that a finished case cost its worker's thread. May be NULL. */
    void (*spent)(void *context, int device, const double stage_s[STAGE_COUNT]);
    /* The worker at that place reached more of the device. May be NULL. */
    void (*reached)(void *context, int device, int place, const struct message_reached *reached);
    /* The device opened (again), which may be NULL; or it did not, for any worker, and gets no more
     * jobs. */
    void (*ready)(void *context, int device, const struct device_info *info);
    void (*lost)(void *context, int device, const char *why);
    /* A worker died, and none of its checks fails when run alone. */
    void (*unexplained)(void *context, int device, const char *how);
    /* True if a check is not to be run any more; fills in the result that it gets instead. May
     * be NULL. */
    bool (*unwanted)(void *context, int device, struct check_result *result);
    /* Called a few times a second. */
    void (*tick)(void *context);
};

/* Workers of all devices together: more do the same work. */
enum { POOL_WORKERS_MAX = 256 };

struct pool_options {
    const struct device_info *const *devices; /* a client is given their index here */
    int device_count;
    int workers;      /* a device: processes that check side by side, each at a place of it */
    int threads;      /* a device, its workers' together; each has one at least */
    int checks_most;  /* of one job */
    double timeout_s; /* a check, beyond what its size accounts for */
    bool careful;     /* one check at a time from the start */
};

/* The threads of the worker at `place`, if a device's `workers` have `threads` together. */
int pool_threads(int threads, int workers, int place);

struct pool;

/* Workers start when there is work. */
struct pool *pool_open(const struct pool_options *options);

/* Runs until the client has no jobs left and all are done, or *stop turns non-zero: then what is
 * under way is abandoned. May be called again; workers stay between calls. */
void pool_run(struct pool *pool, const struct pool_calls *calls, const volatile sig_atomic_t *stop);

/* Lets the workers that have nothing to do end (client_close). */
void pool_end_workers(struct pool *pool, const struct pool_calls *calls);

/* Ends all workers. */
void pool_close(struct pool *pool);
